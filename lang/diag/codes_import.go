package diag

// importCodes explains what is said about the files that a script imports
// (WF19xx).
var importCodes = []Entry{
	{
		Code: "WF1901", Title: "imported file that does not exist",
		Why:   "The path behind `import` is looked for from the folder of the file that imports, not from the folder in which wf was started.",
		Wrong: "import \"walet.wf\"\nperform IO.print(\"hello\")\n",
		Right: "perform IO.print(\"hello\")\n",
	},
	{
		Code: "WF1902", Title: "imported file that cannot be read",
		Why:   "What is imported is a script: a text in UTF-8 of at most 1 MB that this user may read. A folder is not one; its files are imported one by one.",
		Wrong: "import \".\"\nperform IO.print(\"hello\")\n",
		Right: "perform IO.print(\"hello\")\n",
	},
	{
		Code: "WF1903", Title: "files that import each other in a circle",
		Why:   "Of two files one must be able to do without the other. What both need belongs in a third file that both import. A file need not import itself.",
		Wrong: "import \"main.wf\"\nperform IO.print(\"hello\")\n",
		Right: "perform IO.print(\"hello\")\n",
	},
	{
		Code: "WF1904", Title: "imported path that begins at the root",
		Why:   "A path behind `import` is relative to the file that imports, so that a program can be moved and read by others.",
		Wrong: "import \"/srv/scripts/wallet.wf\"\nperform IO.print(\"hello\")\n",
		Right: "perform IO.print(\"hello\")\n",
	},
	{
		Code: "WF1905", Title: "program of too many files",
		Why:   "A program has at most 1000 files. Split it into several programs that share a store.",
		Wrong: "import \"0001.wf\" // which imports 0002.wf, and so on\n",
		Right: "perform IO.print(\"hello\")\n",
	},
}

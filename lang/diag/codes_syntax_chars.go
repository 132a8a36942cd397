package diag

// characterCodes explains what the scanner says. WF1014 has no example: it
// would be a megabyte long.
var characterCodes = []Entry{
	{
		Code: "WF1001", Title: "a character that has no meaning",
		Why:   "Outside of strings and comments a script consists of names, numbers, strings and the symbols of the language. Often the character came from a word processor (curly quotes, a long dash) or from another language.",
		Wrong: "let x = 2 @ 3\n",
		Right: "let x = 2 * 3\n",
	},
	{
		Code: "WF1002", Title: "an invisible control character",
		Why:   "Control characters cannot be seen, so nobody who reads the script knows that they are there. In a string they are written as escapes.",
		Wrong: "let x = \"a\x07b\"\n",
		Right: "let x = \"a\\u0007b\"\n",
	},
	{
		Code: "WF1003", Title: "bytes that are no UTF-8 text",
		Why:   "A script is UTF-8 text. The file was probably saved in an older encoding, or is no text at all.",
		Wrong: "let x = \"caf\xe9\"\n",
		Right: "let x = \"café\"\n",
	},
	{
		Code: "WF1004", Title: "a character that changes the direction of the text",
		Why:   "Such characters let a script look other than what it does, in comments and strings too. In a string write an escape.",
		Wrong: "let x = \"a\u202eb\"\n",
		Right: "let x = \"a\\u202Eb\"\n",
	},
	{
		Code: "WF1005", Title: "digits that make no number",
		Why:   "Numbers are written in decimal, without leading zeros; `_` may stand between two digits.",
		Wrong: "let x = 0x1F\n",
		Right: "let x = 31\n",
	},
	{
		Code: "WF1006", Title: "a duration with a wrong unit",
		Why:   "A duration is whole numbers with the units d, h, m, s, ms, us, ns, each at most once, the larger first.",
		Wrong: "perform Timer.sleep(10sec)\n",
		Right: "perform Timer.sleep(10s)\n",
	},
	{
		Code: "WF1007", Title: "a duration with a fraction",
		Why:   "Durations are exact; a fraction of a unit is written in smaller units.",
		Wrong: "perform Timer.sleep(1.5h)\n",
		Right: "perform Timer.sleep(1h30m)\n",
	},
	{
		Code: "WF1008", Title: "a number that does not fit its type",
		Why:   "An Int has 64 bits. A number with a point is a Decimal and can be as large as you like.",
		Wrong: "let x = 9223372036854775808\n",
		Right: "let x = 9223372036854775808.0\n",
	},
	{
		Code: "WF1009", Title: "an unknown escape in a string",
		Why:   "After a backslash only certain characters have a meaning. A backslash itself is written twice; in a \"\"\" string it stands for itself.",
		Wrong: "let path = \"C:\\dir\"\n",
		Right: "let path = \"C:\\\\dir\"\n",
	},
	{
		Code: "WF1010", Title: "a string that is not closed",
		Why:   "A string ends on the line on which it begins, with the interpolations in it. Text of several lines stands between \"\"\".",
		Wrong: "let x = \"abc\nlet y = 2\n",
		Right: "let x = \"abc\"\nlet y = 2\n",
	},
	{
		Code: "WF1011", Title: "a \"\"\" string that is not closed",
		Why:   "Everything up to the next \"\"\" belongs to such a string. The rest of the file is checked as if it ended with its first line.",
		Wrong: "let x = \"\"\"abc\nlet y = 2\n",
		Right: "let x = \"\"\"abc\"\"\"\nlet y = 2\n",
	},
	{
		Code: "WF1012", Title: "a comment that is not closed",
		Why:   "Everything up to the next `*/` belongs to the comment. Comments do not nest.",
		Wrong: "let x = 1 /* one\nlet y = 2\n",
		Right: "let x = 1 /* one */\nlet y = 2\n",
	},
	{
		Code: "WF1013", Title: "strings nested too deep",
		Why:   "Strings may stand in the interpolations of strings, up to fifty in one another.",
		Wrong: "let x = " + repeat("\"${", 60) + "1" + repeat("}\"", 60) + "\n",
		Right: "let inner = \"${1}\"\nlet x = \"${inner}\"\n",
	},
	{
		Code: "WF1014", Title: "a file that is too large",
		Why: "Files of more than one megabyte are not read. A script of that size is data: keep that outside, or split the script with `import`.",
	},
	{
		Code: "WF1015", Title: "`#` as a comment",
		Why:   "Comments begin with `//`, or stand between `/*` and `*/`.",
		Wrong: "let x = 1 # one\n",
		Right: "let x = 1 // one\n",
	},
	{
		Code: "WF1016", Title: "`&` as an operator",
		Why:   "\"And\" is written `&&`. There are no operators on bits.",
		Wrong: "let x = a & b\n",
		Right: "let x = a && b\n",
	},
	{
		Code: "WF1017", Title: "a string in quotes of another kind",
		Why:   "Strings stand in straight double quotes. Word processors turn them into curly ones.",
		Wrong: "let x = 'abc'\n",
		Right: "let x = \"abc\"\n",
	},
	{
		Code: "WF1018", Title: "an interpolation that is not closed",
		Why:   "In a \"\"\" string `${` begins an expression, which ends with `}`. The two characters themselves are written \\${.",
		Wrong: "let x = \"\"\"\n  a ${b\n  c\n  \"\"\"\n",
		Right: "let x = \"\"\"\n  a ${b}\n  c\n  \"\"\"\n",
	},
	{
		Code: "WF1019", Title: "a name that is too long",
		Why:   "A name has at most 256 bytes. Instances and what they keep are stored under names.",
		Wrong: "let " + repeat("x", 300) + " = 1\n",
		Right: "let x = 1\n",
	},
	{
		Code: "WF1020", Title: "a number with its unit as a word of its own",
		Why:   "A duration is one word of digits and units: `10s`, `5m`, `1h30m`. A number alone has no unit: `retry 3`.",
		Wrong: "perform Timer.sleep(10 seconds)\n",
		Right: "perform Timer.sleep(10s)\n",
	},
}

// repeat is text n times.
func repeat(text string, n int) string {
	out := make([]byte, 0, n*len(text))
	for range n {
		out = append(out, text...)
	}
	return string(out)
}

package stdlib

import "github.com/wf-lang/wf/lang/program"

// files is the module File.
func files() []*program.Builtin {
	path, text, encoding := param("path", stringType()), param("text", stringType()), named("encoding", stringType())
	entries := typ("[{ name: String, kind: String, size: Int }]", program.ListType, anyType())
	return []*program.Builtin{
		{Module: "File", Name: "read", Params: params(path, encoding), Effect: program.Performs, Result: stringType(),
			Doc: "Gives the text of a file; with `encoding: \"base64\"` its bytes in Base64.", Example: `perform File.read("orders.csv")`},
		{Module: "File", Name: "write", Params: params(path, text, encoding), Effect: program.Performs, Result: unitType(),
			Doc: "Writes a file as a whole, or not at all.", Example: `perform File.write("report.txt", "all is well") == ()`},
		{Module: "File", Name: "append", Params: params(path, text, encoding), Effect: program.Performs, Result: unitType(),
			Doc: "Adds to the end of a file. After a crash in that instant it may be added twice.", Example: `perform File.append("log.txt", "one line\n") == ()`},
		{Module: "File", Name: "exists", Params: params(path), Effect: program.Performs, Result: boolType(),
			Doc: "Says whether there is a file or folder.", Example: `perform File.exists("orders.csv")`},
		{Module: "File", Name: "list", Params: params(path), Effect: program.Performs, Result: entries,
			Doc: "Lists a folder by name: records `{ name, kind, size }`, whose kind is `file`, `folder` or `other`.", Example: `perform File.list("inbox")`},
		{Module: "File", Name: "delete", Params: params(path), Effect: program.Performs, Result: boolType(),
			Doc: "Removes a file, or an empty folder, and says whether there was one.", Example: `perform File.delete("report.txt")`},
	}
}

// environment is the module Env.
func environment() []*program.Builtin {
	return []*program.Builtin{
		{Module: "Env", Name: "get", Params: params(param("name", stringType())), Effect: program.Performs,
			Result: typ("String?", program.OptionalType, stringType()),
			Doc:    "Gives a variable of the environment, nil if it is not set.", Example: `perform Env.get("LANG") ?? "C"`},
	}
}

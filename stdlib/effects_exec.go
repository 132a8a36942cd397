package stdlib

import "github.com/wf-lang/wf/lang/program"

// exec is the module Exec.
func exec() []*program.Builtin {
	return []*program.Builtin{
		{Module: "Exec", Name: "run", Effect: program.Performs,
			Params: params(param("program", stringType()), optional("args", typ("[Any]", program.ListType, anyType())),
				named("stdin", anyType()), named("env", anyType()), named("expect", anyType()), named("timeout", durationType()), named("dir", stringType()), named("encoding", stringType())),
			Result:  typ("{ code: Int, out: String, err: String }", program.RecordType),
			Doc:     "Runs a program, without a shell, and gives `{ code, out, err }`. A code other than 0 that `expect:` does not name is an error `exec_<code>`. With `encoding: \"base64\"` `out` is the Base64 of what it wrote.",
			Example: `perform Exec.run("git", ["rev-parse", "HEAD"]).out`},
	}
}

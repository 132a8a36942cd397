package diag

// formCodes explains what the parser says about forms that begin with a word,
// about patterns, types and names.
var formCodes = []Entry{
	{
		Code: "WF1123", Title: "`else` without braces",
		Why:   "There are two forms: `if c { … } else { … }` and `if c then … else …`; they do not mix.",
		Wrong: "if a { 1 } else 2\n",
		Right: "if a then 1 else 2\n",
	},
	{
		Code: "WF1124", Title: "an arm without `=>`",
		Why:   "An arm of `match` or `select` is a pattern, `=>` and what is done.",
		Wrong: "match x {\n    1 -> a\n    _ => b\n}\n",
		Right: "match x {\n    1 => a\n    _ => b\n}\n",
	},
	{
		Code: "WF1125", Title: "a wrong arm of a `select`",
		Why:   "A `select` waits for signals, for a time to pass or for a moment: its arms begin with `signal`, `after` or `at`.",
		Wrong: "select {\n    approve(a) => a\n}\n",
		Right: "select {\n    signal approve(a) => a\n}\n",
	},
	{
		Code: "WF1126", Title: "`ask` or `signal` without a message",
		Why:   "Behind the instance stands the name of a command, query or signal with its arguments. An instance that is computed stands in parentheses.",
		Wrong: "ask wallet\n",
		Right: "ask wallet.balance()\n",
	},
	{
		Code: "WF1127", Title: "constructs nested too deep",
		Why:   "At most 250 constructs may stand in one another.",
		Wrong: "let x = " + repeat("(", 260) + "1" + repeat(")", 260) + "\n",
		Right: "let x = (1)\n",
	},
	{
		Code: "WF1128", Title: "too many operators in a row",
		Why:   "At most 500 operators, calls or fields may stand in one chain. A list and a function over it say the same.",
		Wrong: "let x = 1" + repeat("+1", 510) + "\n",
		Right: "let x = 1..511 |> List.sum\n",
	},
	{
		Code: "WF1129", Title: "a pattern is missing",
		Why:   "Patterns are literals, names, variants, tuples, lists and records. A string in a pattern has no interpolation; compare it in a guard.",
		Wrong: "let + = 1\n",
		Right: "let x = 1\n",
	},
	{
		Code: "WF1130", Title: "a type is missing",
		Why:   "Behind a colon or `->` a type must stand.",
		Wrong: "fn f(a: ) { a }\n",
		Right: "fn f(a: Int) { a }\n",
	},
	{
		Code: "WF1131", Title: "a type with parameters",
		Why:   "Lists are written `[T]`, maps `{String: T}`, values that may be nil `T?`. Other types have no parameters.",
		Wrong: "type Lines = List<String>\n",
		Right: "type Lines = [String]\n",
	},
	{
		Code: "WF1132", Title: "a name is missing",
		Why:   "At this place a name must stand.",
		Wrong: "emit \"Done\"\n",
		Right: "emit Done()\n",
	},
	{
		Code: "WF1133", Title: "a reserved word as a name",
		Why:   "The words of the language cannot name variables, parameters, functions and types. Fields, steps, commands, named arguments and signals may be called anything.",
		Wrong: "let match = 1\n",
		Right: "let found = 1\n",
	},
	{
		Code: "WF1134", Title: "a named function inside a block",
		Why:   "Functions with a name stand at top level or in a workflow. In a block give a function without a name to a variable.",
		Wrong: "fn f() {\n    let g = fn h(x) { x }\n    g(1)\n}\n",
		Right: "fn f() {\n    let g = fn(x) { x }\n    g(1)\n}\n",
	},
	{
		Code: "WF1135", Title: "a default value of a parameter",
		Why:   "Parameters have no default values. Make the type optional and use `??` in the body.",
		Wrong: "fn f(a: Int = 1) { a }\n",
		Right: "fn f(a: Int?) { a ?? 1 }\n",
	},
	{
		Code: "WF1136", Title: "a command, query or signal without its arguments",
		Why:   "What is sent to an instance is written like a call, with parentheses also when there is nothing to give.",
		Wrong: "ask wallet.balance\n",
		Right: "ask wallet.balance()\n",
	},
	{
		Code: "WF1137", Title: "a function or handler without parameters in parentheses",
		Why:   "Functions, commands and queries have their parameters in parentheses, also when there are none.",
		Wrong: "workflow W {\n    step a { 1 }\n    query status { 2 }\n}\n",
		Right: "workflow W {\n    step a { 1 }\n    query status() { 2 }\n}\n",
	},
	{
		Code: "WF1138", Title: "fields in braces behind the name of a type, variant or event",
		Why:   "A record has its fields in braces and no name. The fields of variants and events stand in parentheses.",
		Wrong: "workflow W {\n    step a { emit Paid { id: 1 } }\n}\n",
		Right: "workflow W {\n    step a { emit Paid(id: 1) }\n}\n",
	},
	{
		Code: "WF1139", Title: "the code of a `reject` behind its text",
		Why:   "`reject` has one of eight codes, if any, and then the text.",
		Wrong: "workflow W {\n    step a { pause }\n    command c() in a { reject \"too late\" conflict }\n}\n",
		Right: "workflow W {\n    step a { pause }\n    command c() in a { reject conflict \"too late\" }\n}\n",
	},
	{
		Code: "WF1140", Title: "`fail` or `throw` with a word and a text",
		Why:   "`fail` and `throw` take one value: a text, or a record with a code and a message. Only `reject` has a word for its code.",
		Wrong: "workflow W {\n    step a { fail declined \"no money\" }\n}\n",
		Right: "workflow W {\n    step a { fail { code: \"declined\", message: \"no money\" } }\n}\n",
	},
	{
		Code: "WF1141", Title: "`finally` behind a `try`",
		Why:   "`catch` gets every error that can be caught and goes on behind the `try`, so what is to be done in any case is written there. A workflow has a `finally`, at its end.",
		Wrong: "try {\n    perform IO.print(1)\n} catch e {\n    perform IO.print(e.code)\n} finally {\n    perform IO.print(3)\n}\n",
		Right: "try {\n    perform IO.print(1)\n} catch e {\n    perform IO.print(e.code)\n}\nperform IO.print(3)\n",
	},
	{
		Code: "WF1142", Title: "a name and its type without a colon",
		Why:   "A type stands behind a colon, in parameters, fields and names alike.",
		Wrong: "fn double(n Int) = n * 2\n",
		Right: "fn double(n: Int) = n * 2\n",
	},
	{
		Code: "WF1143", Title: "types joined by a symbol",
		Why:   "`T?` is T or nil. Variants are declared with a name, and the type of a function begins with `fn`.",
		Wrong: "fn size(x: String | nil) = x?.length\n",
		Right: "fn size(x: String?) = x?.length\n",
	},
	{
		Code: "WF1144", Title: "other words around the target of a `goto`",
		Why:   "`goto` takes the name of a step, with the input of the step in parentheses if it has one.",
		Wrong: "workflow W {\n    step a { goto step b }\n    step b { end }\n}\n",
		Right: "workflow W {\n    step a { goto b }\n    step b { end }\n}\n",
	},
}

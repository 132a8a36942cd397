package diag

// expressionCodes explains what the parser says about expressions.
var expressionCodes = []Entry{
	{
		Code: "WF1101", Title: "something else was expected",
		Why:   "At this place only certain symbols or words may stand; the message names them.",
		Wrong: "for x of xs { f(x) }\n",
		Right: "for x in xs { f(x) }\n",
	},
	{
		Code: "WF1102", Title: "a value is missing",
		Why:   "Behind an operator, `=`, and words such as `throw` a value must stand.",
		Wrong: "let x = 1 +\n",
		Right: "let x = 1 + 2\n",
	},
	{
		Code: "WF1103", Title: "two values in a row",
		Why:   "Between two values on one line stands an operator or a comma. Often the first is a word with a typing mistake, or a word of another language.",
		Wrong: "emitt Done()\n",
		Right: "emit Done()\n",
	},
	{
		Code: "WF1104", Title: "a workflow started without `spawn`",
		Why:   "`Transfer(\"id\")` is the handle of an instance; a new instance comes from `spawn Transfer { … }`.",
		Wrong: "let t = Transfer { amount: 30 }\n",
		Right: "let t = spawn Transfer { amount: 30 }\n",
	},
	{
		Code: "WF1105", Title: "`spawn` without fields",
		Why:   "The fields of a new instance stand in braces, also when there are none.",
		Wrong: "let t = spawn Transfer\n",
		Right: "let t = spawn Transfer {}\n",
	},
	{
		Code: "WF1106", Title: "`=` where `==` is meant",
		Why:   "`=` assigns and has no value, so it cannot be a condition.",
		Wrong: "if a = 1 { f() }\n",
		Right: "if a == 1 { f() }\n",
	},
	{
		Code: "WF1107", Title: "`==` where `=` is meant",
		Why:   "A `let` gives a name its value with `=`.",
		Wrong: "let x == 1\n",
		Right: "let x = 1\n",
	},
	{
		Code: "WF1108", Title: "`=` where `:` is meant",
		Why:   "Fields of records and named arguments have a colon.",
		Wrong: "f(max = 3)\n",
		Right: "f(max: 3)\n",
	},
	{
		Code: "WF1109", Title: "an assignment to what is no place",
		Why:   "A value can be assigned to a variable, to a field of `self`, and to fields and elements of those.",
		Wrong: "f(x) = 3\n",
		Right: "x = f(3)\n",
	},
	{
		Code: "WF1110", Title: "two assignments in one statement",
		Why:   "An assignment has no value, so it cannot be assigned on.",
		Wrong: "a = b = 1\n",
		Right: "a = 1\nb = 1\n",
	},
	{
		Code: "WF1111", Title: "a comma is missing",
		Why:   "Arguments, parameters and elements are split by commas, on several lines too.",
		Wrong: "f(a b)\n",
		Right: "f(a, b)\n",
	},
	{
		Code: "WF1112", Title: "a comma between statements",
		Why:   "Braces without names in them are a block, whose statements are split by new lines or `;`.",
		Wrong: "let x = { a, b }\n",
		Right: "let x = { a: a, b: b }\n",
	},
	{
		Code: "WF1113", Title: "a field without a value",
		Why:   "In a record every field has its value behind a colon; only patterns leave it out.",
		Wrong: "let x = { a: 1, b }\n",
		Right: "let x = { a: 1, b: b }\n",
	},
	{
		Code: "WF1114", Title: "a record where a block is expected",
		Why:   "Behind a head such as `if c` or `fn f()` the braces hold statements. To give a record as the value, put it into the block, or use `then` or `=`.",
		Wrong: "fn f() { a: 1 }\n",
		Right: "fn f() = { a: 1 }\n",
	},
	{
		Code: "WF1115", Title: "comparisons in a chain",
		Why:   "`a < b < c` would compare a Bool with c. Ranges have two ends.",
		Wrong: "let x = a < b < c\n",
		Right: "let x = a < b && b < c\n",
	},
	{
		Code: "WF1116", Title: "`??` beside arithmetic, `!` beside `|>`",
		Why:   "Nobody can see whether `a + b ?? 0` means `(a + b) ?? 0` or `a + (b ?? 0)`, so parentheses are required. `!xs |> List.contains(x)` looks as if it negated the answer, but `!` would come first; so there they are required too.",
		Wrong: "let x = 1 + n ?? 0\n",
		Right: "let x = 1 + (n ?? 0)\n",
	},
	{
		Code: "WF1117", Title: "a `let` without `in`",
		Why:   "Inside an expression a `let` holds for what stands behind its `in`. Without `in` it is a statement of a block or of the program.",
		Wrong: "(let x = 1, x)\n",
		Right: "let x = 1 in (x, x)\n",
	},
	{
		Code: "WF1118", Title: "a numbered field",
		Why:   "The elements of lists and tuples stand in brackets, counted from 0. A pattern takes all of them apart at once.",
		Wrong: "let a = t.0\n",
		Right: "let a = t[0]\n",
	},
	{
		Code: "WF1119", Title: "`=>` outside of an arm",
		Why:   "`=>` stands in the arms of `match` and `select` and in `mock`. A function is written with `fn`.",
		Wrong: "let f = x => x + 1\n",
		Right: "let f = fn(x) = x + 1\n",
	},
	{
		Code: "WF1120", Title: "`?` as an operator",
		Why:   "A choice between two values is written `if … then … else …`.",
		Wrong: "let x = a ? 1 : 2\n",
		Right: "let x = if a then 1 else 2\n",
	},
	{
		Code: "WF1121", Title: "`:` behind a statement",
		Why:   "A colon stands in records, arguments and behind a new name before its type.",
		Wrong: "x := 1\n",
		Right: "let x = 1\n",
	},
	{
		Code: "WF1122", Title: "a word of another language",
		Why:   "The message says how the same is written here.",
		Wrong: "const x = 1\n",
		Right: "let x = 1\n",
	},
}

package diag

// bracketCodes explains what is said about brackets.
var bracketCodes = []Entry{
	{
		Code: "WF1201", Title: "a `}` is missing",
		Why:   "The brace that is not closed is the one the label points to. Where braces do not balance, the indentation decides which one is blamed.",
		Wrong: "workflow W {\n    step a {\n        f()\n    step b { g() }\n}\n",
		Right: "workflow W {\n    step a {\n        f()\n    }\n    step b { g() }\n}\n",
	},
	{
		Code: "WF1202", Title: "a `{` is missing",
		Why:   "Behind a head such as `if c`, `step s` or `match x` stands a body in braces.",
		Wrong: "if a\n    f()\n}\n",
		Right: "if a {\n    f()\n}\n",
	},
	{
		Code: "WF1203", Title: "a `}` too many",
		Why:   "No `{` is open at this place.",
		Wrong: "fn f() { 1 }\n}\n",
		Right: "fn f() { 1 }\n",
	},
	{
		Code: "WF1204", Title: "a `}` closes a workflow too early",
		Why:   "A member such as a step stands outside of a workflow, behind one that has ended: a `}` above it is too many, or a `{` is missing there. (In a script that is indented the brace itself is found, WF1203.)",
		Wrong: "workflow W {\nstep a { 1 } }\nstep b { 2 }\n}\n",
		Right: "workflow W {\nstep a { 1 }\nstep b { 2 }\n}\n",
	},
	{
		Code: "WF1205", Title: "a `)` or `]` is missing",
		Why:   "The bracket that is not closed is the one the label points to.",
		Wrong: "let x = f(1, 2\nlet y = 3\n",
		Right: "let x = f(1, 2)\nlet y = 3\n",
	},
	{
		Code: "WF1206", Title: "a `)` or `]` too many",
		Why:   "No such bracket is open at this place.",
		Wrong: "let x = f(1))\n",
		Right: "let x = f(1)\n",
	},
}

// declarationCodes explains what is said about declarations and members.
var declarationCodes = []Entry{
	{
		Code: "WF1301", Title: "a misspelt word of a declaration",
		Why:   "Declarations and members begin with certain words; this one is close to one of them and is read as that.",
		Wrong: "workflow W {\n    stpe a { 1 }\n}\n",
		Right: "workflow W {\n    step a { 1 }\n}\n",
	},
	{
		Code: "WF1302", Title: "no member of a workflow",
		Why:   "In the body of a workflow, entity or agent stand members: state, steps, commands and the like. Statements stand inside of them.",
		Wrong: "workflow W {\n    self.x = 1\n    step a { 1 }\n}\n",
		Right: "workflow W {\n    step a { self.x = 1 }\n}\n",
	},
	{
		Code: "WF1303", Title: "a member outside of a workflow",
		Why:   "Steps, commands, queries and state belong to a workflow, entity or agent.",
		Wrong: "step a { 1 }\n",
		Right: "workflow W { step a { 1 } }\n",
	},
	{
		Code: "WF1304", Title: "a clause in the wrong place",
		Why:   "The clauses of a step stand between its name and its body.",
		Wrong: "workflow W {\n    step a { f() } retry 3\n}\n",
		Right: "workflow W {\n    step a retry 3 { f() }\n}\n",
	},
	{
		Code: "WF1305", Title: "an unknown clause",
		Why:   "Between the name of a step and its body stand only the clauses timeout, retry, backoff, when and else.",
		Wrong: "workflow W {\n    step a retries 3 { f() }\n}\n",
		Right: "workflow W {\n    step a retry 3 { f() }\n}\n",
	},
	{
		Code: "WF1306", Title: "two members on one line",
		Why:   "Members and declarations stand on lines of their own, or are split by `;`. Only behind a `}` the next one may follow directly.",
		Wrong: "workflow W {\n    state x = 1 state y = 2\n}\n",
		Right: "workflow W {\n    state x = 1\n    state y = 2\n}\n",
	},
	{
		Code: "WF1307", Title: "a workflow without its word",
		Why:   "A declaration with members begins with `workflow`, `entity` or `agent`.",
		Wrong: "Order {\n    state x = 1\n    step a { 1 }\n}\n",
		Right: "workflow Order {\n    state x = 1\n    step a { 1 }\n}\n",
	},
	{
		Code: "WF1308", Title: "payload of a signal without a name",
		Why:   "What a signal carries is declared like a parameter: a name that says what it is, and a type.",
		Wrong: "workflow Order {\n    signal approve(String)\n    step a { perform Signal.wait(\"approve\") }\n}\n",
		Right: "workflow Order {\n    signal approve(by: String)\n    step a { perform Signal.wait(\"approve\") }\n}\n",
	},
	{
		Code: "WF1309", Title: "signal with a body",
		Why:   "A signal is kept until a step waits for it, so the declaration only says what it carries. A command has a body, which runs when it is called, and a result.",
		Wrong: "workflow Order {\n    state by = \"\"\n    signal approve(by: String) { self.by = by }\n    step a { 1 }\n}\n",
		Right: "workflow Order {\n    state by = \"\"\n    signal approve(by: String)\n    step a { self.by = perform Signal.wait(\"approve\") }\n}\n",
	},
	{
		Code: "WF1310", Title: "`else` of a step without the name of a step",
		Why:   "In a head `else` names the step that runs when no attempt is left. What is to be done then stands in that step.",
		Wrong: "workflow W {\n    step a else goto b { throw \"no\" }\n    step z { end }\n    step b { end }\n}\n",
		Right: "workflow W {\n    step a else b { throw \"no\" }\n    step z { end }\n    step b { end }\n}\n",
	},
	{
		Code: "WF1311", Title: "a member inside of a body",
		Why:   "Steps, `parallel` blocks and handlers are members of the workflow. A body holds statements only: what is to run side by side or later is an item of its own beside the step.",
		Wrong: "workflow W {\n    step a {\n        parallel { step b { 1 } step c { 2 } }\n    }\n}\n",
		Right: "workflow W {\n    step a { 0 }\n    parallel { step b { 1 } step c { 2 } }\n}\n",
	},
}

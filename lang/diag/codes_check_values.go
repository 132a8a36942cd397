package diag

var valueCodes = []Entry{
	{
		Code:  "WF2701",
		Title: "match that leaves out a case",
		Why:   "A match on the variants of a type has an arm for each of them, or `_` for the rest; so has a match on a Bool for true and false, and one on an optional type for nil. Arms with an `if` do not count. When a type gets another variant, this shows where to think about it.",
		Wrong: `type Choice = Approved | Rejected | Expired
fn text(c) = match c {
    Approved => "yes"
    Rejected => "no"
}
perform IO.print(text(Approved), text(Rejected), text(Expired))
`,
		Right: `type Choice = Approved | Rejected | Expired
fn text(c) = match c {
    Approved => "yes"
    Rejected => "no"
    Expired => "late"
}
perform IO.print(text(Approved), text(Rejected), text(Expired))
`,
	},
	{
		Code:  "WF2702",
		Title: "field given twice",
		Why:   "A record, a record pattern and a declaration name each field once.",
		Wrong: `perform IO.print({ a: 1, a: 2 })
`,
		Right: `perform IO.print({ a: 1, b: 2 })
`,
	},
	{
		Code:  "WF2703",
		Title: "number out of range",
		Why:   "An Int has 64 bits, and its smallest number has no positive counterpart. Larger whole numbers can be written as Decimals, with a point; those have an end too, after some thousand digits.",
		Wrong: `perform IO.print(-(-9223372036854775808))
`,
		Right: `perform IO.print(-(-9223372036854775808.0))
`,
	},
	{
		Code:  "WF2704",
		Title: "condition that is no Bool",
		Why:   "Only true and false decide. Numbers, texts, lists and nil are compared explicitly.",
		Wrong: `if 1 { perform IO.print("yes") }
`,
		Right: `if 1 != 0 { perform IO.print("yes") }
`,
	},
	{
		Code:  "WF2705",
		Title: "operator between values that do not fit",
		Why:   "Int widens to Decimal and Float; between other kinds a value is converted explicitly. Values get into a text with `${…}`.",
		Wrong: `perform IO.print("total: " + 3)
`,
		Right: `perform IO.print("total: ${3}")
`,
	},
	{
		Code:  "WF2706",
		Title: "operator on a value that does not fit",
		Why:   "`-` works with numbers and durations, `!` with a Bool.",
		Wrong: `perform IO.print(-"3")
`,
		Right: `perform IO.print(-3)
`,
	},
	{
		Code:  "WF2707",
		Title: "unknown variant",
		Why:   "In a pattern a name with an upper-case letter is a variant. `Some`, `None`, `Ok` and `Err` are always there, others are declared with `type`.",
		Wrong: `let r = match Some(1) {
    Sone(x) => x
    _ => 0
}
perform IO.print(r)
`,
		Right: `let r = match Some(1) {
    Some(x) => x
    _ => 0
}
perform IO.print(r)
`,
	},
	{
		Code:  "WF2708",
		Title: "variant taken apart into the wrong number of fields",
		Why:   "A pattern names all fields of a variant in order, or some by name, or ends with `...`.",
		Wrong: `type Choice = Rejected(by: String, reason: String) | Expired
fn text(c) = match c {
    Rejected(r) => r
    Expired => "late"
}
perform IO.print(text(Expired), text(Rejected("a", "b")))
`,
		Right: `type Choice = Rejected(by: String, reason: String) | Expired
fn text(c) = match c {
    Rejected(reason: r) => r
    Expired => "late"
}
perform IO.print(text(Expired), text(Rejected("a", "b")))
`,
	},
	{
		Code:  "WF2709",
		Title: "alternatives that bind different names",
		Why:   "What follows uses the names whichever alternative matched, so all of them bind the same.",
		Wrong: `let r = match (1, 2) {
    (0, x) | (y, 0) => 1
    _ => 0
}
perform IO.print(r)
`,
		Right: `let r = match (1, 2) {
    (0, x) | (x, 0) => x
    _ => 0
}
perform IO.print(r)
`,
	},
}

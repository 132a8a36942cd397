package diag

// testCodes explain what the checker says about `test` blocks (WF30xx).
var testCodes = []Entry{
	{
		Code:  "WF3001",
		Title: "two tests of one name",
		Why:   "A test is known by its name: it stands in reports, and `wf test --run` chooses by it. Two tests of a file have different names.",
		Wrong: `test "it adds" { expect 1 + 1 == 2 }
test "it adds" { expect 2 + 2 == 4 }
`,
		Right: `test "it adds small numbers" { expect 1 + 1 == 2 }
test "it adds larger ones" { expect 20 + 20 == 40 }
`,
	},
	{
		Code:  "WF3002",
		Title: "mock of what does not leave the engine",
		Why:   "A mock stands for the world outside. The clock, timers, signals, chance and output are the engine's own: in a test they are there without a mock, and the same in every run.",
		Wrong: `test "the day has come" {
    mock Time.now() => Time("2031-01-01T00:00:00Z")
}
`,
		Right: `test "the day has come" {
    advance 365d
}
`,
	},
	{
		Code:  "WF3003",
		Title: "mock with too few or too many patterns",
		Why:   "The patterns of a mock stand for the arguments of the call in order. Write `_` for an argument that may be anything, and `...` for all that follow.",
		Wrong: `test "it is posted" {
    mock Http.post() => { status: 201 }
}
`,
		Right: `test "it is posted" {
    mock Http.post(...) => { status: 201 }
}
`,
	},
	{
		Code:  "WF3004",
		Title: "mock that does more than compute",
		Why:   "The answer of a mock is computed in the middle of a call. It can throw, and use what is around it, but it cannot ask, signal, spawn or perform anything.",
		Wrong: `workflow Listener { step hear { perform Signal.wait("called") } }
test "the call comes back" {
    let l = spawn Listener { }
    mock Http.post(...) => { signal l.called() }
}
`,
		Right: `workflow Listener { step hear { perform Signal.wait("called") } }
test "the call comes back" {
    let l = spawn Listener { }
    mock Http.post(...) => { status: 201 }
    signal l.called()
}
`,
	},
	{
		Code:  "WF3005",
		Title: "calls or events of something else",
		Why:   "`calls(Http.post)` lists the calls that were made of one operation, `events(h)` the events of one instance.",
		Wrong: `test "nothing is posted" {
    expect calls("Http.post") == []
}
`,
		Right: `test "nothing is posted" {
    expect calls(Http.post) == []
}
`,
	},
}

package diag

// hintCodes explain what is allowed and seldom meant.
var hintCodes = []Entry{
	{
		Code:  "WF2801",
		Title: "name that is never used",
		Why:   "A name that nothing reads is often misspelt somewhere else. `_` at its beginning says that it is meant.",
		Wrong: `fn f() {
    let x = 3
    4
}
perform IO.print(f())
`,
		Right: `fn f() {
    let _x = 3
    4
}
perform IO.print(f())
`,
	},
	{
		Code:  "WF2802",
		Title: "function that is never used",
		Why:   "Nothing in the program calls or returns the function.",
		Wrong: `fn double(x) = x * 2
perform IO.print(4)
`,
		Right: `fn double(x) = x * 2
perform IO.print(double(2))
`,
	},
	{
		Code:  "WF2803",
		Title: "statement that is never reached",
		Why:   "What stands before it leaves the block in every case.",
		Wrong: `workflow Order {
    step a {
        end
        perform IO.print("late")
    }
}
`,
		Right: `workflow Order {
    step a {
        perform IO.print("in time")
        end
    }
}
`,
	},
	{
		Code:  "WF2804",
		Title: "value that nothing uses",
		Why:   "The line computes something and drops it. Only the last statement of a block gives the block's value.",
		Wrong: `let x = 3
x + 1
perform IO.print(x)
`,
		Right: `let x = 3
perform IO.print(x + 1)
`,
	},
	{
		Code:  "WF2805",
		Title: "change that is not visible while the step waits",
		Why:   "A step is a transaction: what it assigns and emits becomes visible when it ends. A step that first sets a status and then waits shows the old status while it waits.",
		Wrong: `workflow Order {
    step wait {
        self.status = "waiting"
        perform Signal.wait("approved")
    }
    query status() { self.status }
}
`,
		Right: `workflow Order {
    step begin { self.status = "waiting" }
    step wait { perform Signal.wait("approved") }
    query status() { self.status }
}
`,
	},
	{
		Code:  "WF2806",
		Title: "loop that waits for a field which it does not change",
		Why:   "An attempt of a step reads the state as it was when the attempt started. A command that changes the field meanwhile is not seen, so the loop runs on.",
		Wrong: `workflow Order {
    state ready = false
    step wait { while !self.ready { perform Timer.sleep(1s) } }
    command go() in wait { self.ready = true }
}
`,
		Right: `workflow Order {
    step wait { perform Signal.wait("ready") }
}
`,
	},
	{
		Code:  "WF2807",
		Title: "change that a throw takes back",
		Why:   "A step that faults leaves no trace: its assignments and emits are dropped. `fail` is a decision of the workflow, and keeps them.",
		Wrong: `workflow Order {
    step pay {
        emit Declined()
        throw "declined"
    }
}
`,
		Right: `workflow Order {
    step pay {
        emit Declined()
        fail "declined"
    }
}
`,
	},
}

// notYetCodes explain what this version cannot do yet.
var notYetCodes = []Entry{
	{
		Code:  "WF2901",
		Title: "not possible yet",
		Why:   "This version knows the form and checks it, but cannot run it. It refuses the program rather than running half of it.",
		Wrong: `agent Planner { model "m" }
`,
		Right: `workflow Planner { step a { 1 } }
`,
	},
}

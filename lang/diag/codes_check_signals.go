package diag

// signalCodes explain declared signals.
var signalCodes = []Entry{
	{
		Code:  "WF2604",
		Title: "signal with several payloads",
		Why:   "A signal carries one value, which a wait gives as it is and which `wf signal` takes as one argument. Several values go in a record.",
		Wrong: `workflow Game {
    signal move(player: String, at: Int)
    step play {
        let m = perform Signal.wait("move")
        perform IO.print(m)
    }
}
`,
		Right: `workflow Game {
    signal move(m: { player: String, at: Int })
    step play {
        let m = perform Signal.wait("move")
        perform IO.print(m.player, m.at)
    }
}
`,
	},
	{
		Code:  "WF2605",
		Title: "payload that a signal cannot carry",
		Why:   "A signal is kept in the store until a step takes it, and a secret is never written there. Of a function that comes from outside nobody can see what it takes and gives, so it cannot be held against a type.",
		Wrong: `workflow Mail {
    signal login(password: Secret)
    step a { perform Signal.wait("login") }
}
`,
		Right: `workflow Mail {
    signal login(name_of_secret: String)
    step a {
        let name = perform Signal.wait("login")
        perform Http.get("https://mail.example/", headers: { authorization: perform Secret.get(name) })
    }
}
`,
	},
	{
		Code:  "WF2606",
		Title: "signal that its workflow does not declare",
		Why:   "As soon as a workflow declares one signal, it declares all whose names it writes down. A name that is not declared is probably misspelt, and the wait would never end.",
		Wrong: `workflow Order {
    signal approve(by: String)
    step wait {
        select {
            signal approve(by) => by
            signal reject => "rejected"
        }
    }
}
`,
		Right: `workflow Order {
    signal approve(by: String)
    signal reject
    step wait {
        select {
            signal approve(by) => by
            signal reject => "rejected"
        }
    }
}
`,
	},
	{
		Code:  "WF2607",
		Title: "payload taken from a signal that carries none",
		Why:   "The declaration says that the signal carries nothing, and whoever sends something with it is refused.",
		Wrong: `workflow Order {
    signal go
    step wait {
        select { signal go(x) => x }
    }
}
`,
		Right: `workflow Order {
    signal go(x: String)
    step wait {
        select { signal go(x) => x }
    }
}
`,
	},
	{
		Code:  "WF2608",
		Title: "pattern that leaves out what a signal may carry",
		Why:   "The first signal that comes runs its arm, whatever it carries. One that the declaration allows and the pattern does not would be an error of the step.",
		Wrong: `type Answer = Approved(by: String) | Rejected
workflow Order {
    signal answer(a: Answer)
    step wait {
        select { signal answer(Approved(by)) => by }
    }
}
`,
		Right: `type Answer = Approved(by: String) | Rejected
workflow Order {
    signal answer(a: Answer)
    step wait {
        select {
            signal answer(a) => match a {
                Approved(by) => by
                Rejected => "nobody"
            }
        }
    }
}
`,
	},
}

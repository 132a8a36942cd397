package diag

// adviceCodes explain what is allowed and may cost people money.
var adviceCodes = []Entry{
	{
		Code:  "WF2808",
		Title: "call that a retry repeats by luck",
		Why:   "When the step is tried again, its calls are made again. `Http.post` and `Http.patch` without an `Idempotency-Key` of the script's own, and programs run by `Exec`, do the same thing twice unless the other side takes care. With something behind them that can fail this is only a matter of time.",
		Wrong: `workflow Order {
    state url: String
    step pay retry 3 {
        perform Http.post("${self.url}/charges", body: { amount: 12.50 })
        perform Http.get("${self.url}/receipt")
    }
}
`,
		Right: `workflow Order {
    state url: String
    step pay retry 3 {
        perform once Http.post("${self.url}/charges", body: { amount: 12.50 })
        perform Http.get("${self.url}/receipt")
    }
}
`,
	},
	{
		Code:  "WF2809",
		Title: "wait that a retry repeats",
		Why:   "A retry runs the step from its beginning: when the call behind a wait fails, the step waits once more before it calls again. A step of its own for the call keeps the wait done.",
		Wrong: `workflow Reminder {
    state url: String
    step remind retry 3 {
        perform Timer.sleep(2d)
        perform Http.get("${self.url}/remind")
    }
}
`,
		Right: `workflow Reminder {
    state url: String
    step wait { perform Timer.sleep(2d) }
    step remind retry 3 { perform Http.get("${self.url}/remind") }
}
`,
	},
	{
		Code:  "WF2810",
		Title: "loop of calls in a retried step",
		Why:   "When one of the calls fails, the retry makes all of them again, those too that had succeeded. `parallel for` makes a step of each element, and what is done stays done; with `max 1` they run one after the other.",
		Wrong: `workflow Mailing {
    state urls: [String]
    step send retry 3 {
        for url in self.urls { perform Http.get(url) }
    }
}
`,
		Right: `workflow Mailing {
    state urls: [String]
    parallel for url in self.urls max 1 {
        step send retry 3 { perform Http.get(url) }
    }
}
`,
	},
	{
		Code:  "WF2811",
		Title: "limit of a `select` that starts anew",
		Why:   "`after` counts from the start of the step. An arm that goes back to the step starts it again, so that a signal that keeps coming puts the limit off for ever. An instant, with `at`, stays where it is.",
		Wrong: `workflow Cart {
    state items: Int = 0
    step collect {
        select {
            signal add => { self.items += 1; goto collect }
            after 2h => end self.items
        }
    }
}
`,
		Right: `workflow Cart {
    state items: Int = 0
    state deadline: Time?
    step begin { self.deadline = perform Time.now() + 2h }
    step collect {
        select {
            signal add => { self.items += 1; goto collect }
            at self.deadline ?? Time("2030-01-01T00:00:00Z") => end self.items
        }
    }
}
`,
	},
	{
		Code:  "WF2812",
		Title: "choice that goes on into the other choice",
		Why:   "Steps run in the order of the text unless they say otherwise. Of two steps between which another one chooses with `goto`, the first goes on into the second when it is done.",
		Wrong: `workflow Order {
    state total: Int = 0
    step decide { if self.total > 100 { goto ship } else { goto refuse } }
    step ship { emit Shipped() }
    step refuse { emit Refused() }
}
`,
		Right: `workflow Order {
    state total: Int = 0
    step decide { if self.total > 100 { goto ship } else { goto refuse } }
    step ship { emit Shipped(); end }
    step refuse { emit Refused() }
}
`,
	},
	{
		Code:  "WF2813",
		Title: "wait that is longer than the limit of the workflow",
		Why:   "The limit of a workflow counts while it waits, so it is cut before this wait is over.",
		Wrong: `workflow Order {
    timeout 1h
    step wait { pause for 2h }
    step ship { emit Shipped() }
}
`,
		Right: `workflow Order {
    timeout 1d
    step wait { pause for 2h }
    step ship { emit Shipped() }
}
`,
	},
	{
		Code:  "WF2814",
		Title: "step with a longer limit than its workflow",
		Why:   "The limit of the workflow is a ceiling on all its steps together; it comes first.",
		Wrong: `workflow Order {
    timeout 10s
    step ship timeout 1m { emit Shipped() }
}
`,
		Right: `workflow Order {
    timeout 10m
    step ship timeout 1m { emit Shipped() }
}
`,
	},
	{
		Code:  "WF2815",
		Title: "round of steps without end",
		Why:   "These steps go to each other for ever without waiting for anything, so the workflow never rests: every round is written to the store.",
		Wrong: `workflow Watch {
    state n: Int = 0
    step look { self.n += 1; goto look }
}
`,
		Right: `workflow Watch {
    state n: Int = 0
    step look { self.n += 1; pause for 1m then look }
}
`,
	},
	{
		Code:  "WF2816",
		Title: "compensation of a step that runs again and again",
		Why:   "What started is undone, visit by visit: a step that `goto` has run ten times is undone ten times.",
		Wrong: `workflow Poll {
    state n: Int = 0
    step look {
        perform Timer.sleep(1m)
        self.n += 1
        if self.n < 10 { goto look }
    } compensate { emit Undone() }
}
`,
		Right: `workflow Poll {
    state n: Int = 0
    compensate { emit Undone() }
    step look {
        perform Timer.sleep(1m)
        self.n += 1
        if self.n < 10 { goto look }
    }
}
`,
	},
	{
		Code:  "WF2817",
		Title: "`fail` behind a failover that undoes by hand",
		Why:   "`fail` runs the compensations of all steps that have started. When the failover step has undone the same things itself, they are undone twice.",
		Wrong: `workflow Trip {
    state url: String
    step book { perform Http.put("${self.url}/book") } compensate { perform Http.delete("${self.url}/book") }
    step pay else undo { perform Http.put("${self.url}/pay"); end }
    step undo {
        perform Http.delete("${self.url}/book")
        fail "not paid"
    }
}
`,
		Right: `workflow Trip {
    state url: String
    step book { perform Http.put("${self.url}/book") } compensate { perform Http.delete("${self.url}/book") }
    step pay { perform Http.put("${self.url}/pay"); end }
}
`,
	},
	{
		Code:  "WF2818",
		Title: "instances without names, spawned in a loop",
		Why:   "Instances without a name are new ones every time the program is run. With names those that exist are found again, so that a second run does nothing twice.",
		Wrong: `workflow Order { step a { emit Done() } }
for _i in 1..3 { spawn Order {} }
`,
		Right: `workflow Order { step a { emit Done() } }
for i in 1..3 { spawn Order {} as "order-${i}" }
`,
	},
	{
		Code:  "WF2819",
		Title: "declared signal that nothing waits for",
		Why:   "No step of the workflow waits for the signal, so it would be refused when it is sent.",
		Wrong: `workflow Order {
    signal go
    signal stop
    step wait { perform Signal.wait("go") }
}
`,
		Right: `workflow Order {
    signal go
    signal stop
    step wait {
        select {
            signal go => "gone"
            signal stop => "stopped"
        }
    }
}
`,
	},
	{
		Code:  "WF2820",
		Title: "retry of a step that only calls once",
		Why:   "What `perform once` calls is called once in all attempts of a visit: a retry gets the answer that there was, or `outcome_unknown` if there was none. A step in which nothing else can end differently fails again in the same way, only later.",
		Wrong: `workflow Order {
    state url: String
    step pay retry 3 backoff 1m { perform once Http.post("${self.url}/charges", body: { amount: 12.50 }) }
}
`,
		Right: `workflow Order {
    state url: String
    step pay else ask { perform once Http.post("${self.url}/charges", body: { amount: 12.50 }); end }
    step ask { perform Http.get("${self.url}/charges") }
}
`,
	},
	{
		Code:  "WF2821",
		Title: "clause about retries of a step that has none",
		Why:   "`backoff` says how long to wait between attempts, `when` after which errors to try again. How often says `retry`, and if nothing is said, never.",
		Wrong: `workflow Order {
    step pay backoff 1s..60s { perform Http.put("https://bank.example/charges/1") }
}
await spawn Order {} as "order-1"
`,
		Right: `workflow Order {
    step pay retry 5 backoff 1s..60s { perform Http.put("https://bank.example/charges/1") }
}
await spawn Order {} as "order-1"
`,
	},
}

package diag

var stepCodes = []Entry{
	{
		Code:  "WF2301",
		Title: "unknown step",
		Why:   "`goto`, `else`, `then` and the `in` of a command name steps of the same workflow.",
		Wrong: `workflow Order {
    step a { goto shp }
    step ship { 1 }
}
`,
		Right: `workflow Order {
    step a { goto ship }
    step ship { 1 }
}
`,
	},
	{
		Code:  "WF2302",
		Title: "target inside a block",
		Why:   "A step inside a `parallel` block runs with its block. Only items of the workflow's own body can be gone to.",
		Wrong: `workflow Order {
    step a { goto hotel }
    parallel { step flight { 1 } step hotel { 2 } }
}
`,
		Right: `workflow Order {
    step a { goto book }
    step book { 0 }
    parallel { step flight { 1 } step hotel { 2 } }
}
`,
	},
	{
		Code:  "WF2303",
		Title: "step gone to without its input",
		Why:   "The step has a parameter, so whoever goes there gives it a value.",
		Wrong: `workflow Order {
    step a { goto pay }
    step pay(amount) { perform IO.print(amount) }
}
`,
		Right: `workflow Order {
    step a { goto pay(30) }
    step pay(amount) { perform IO.print(amount) }
}
`,
	},
	{
		Code:  "WF2304",
		Title: "input for a step that takes none",
		Why:   "The step has no parameter, so the value would be lost.",
		Wrong: `workflow Order {
    step a { goto pay(30) }
    step pay { perform IO.print("paid") }
}
`,
		Right: `workflow Order {
    step a { goto pay(30) }
    step pay(amount) { perform IO.print("paid", amount) }
}
`,
	},
	{
		Code:  "WF2305",
		Title: "more than one input",
		Why:   "A step has one input, the value that is journaled with the transition. Several values go in a record or tuple.",
		Wrong: `workflow Order {
    step a { goto pay(30, "EUR") }
    step pay(price) { perform IO.print(price) }
}
`,
		Right: `workflow Order {
    step a { goto pay((30, "EUR")) }
    step pay(price) { perform IO.print(price) }
}
`,
	},
	{
		Code:  "WF2306",
		Title: "first item with a parameter",
		Why:   "The first item runs as soon as the workflow is spawned; no item before it gives a value.",
		Wrong: `workflow Order {
    step pay(amount) { perform IO.print(amount) }
}
`,
		Right: `workflow Order {
    state amount: Int
    step pay { perform IO.print(self.amount) }
}
`,
	},
	{
		Code:  "WF2307",
		Title: "step with several parameters",
		Why:   "A step takes the value of the item before it, or the one that `goto` gives: a single one.",
		Wrong: `workflow Order {
    step a { (1, 2) }
    step b(x, y) { x + y }
}
`,
		Right: `workflow Order {
    step a { (1, 2) }
    step b(pair) {
        let (x, y) = pair
        x + y
    }
}
`,
	},
	{
		Code:  "WF2308",
		Title: "failover step with a parameter",
		Why:   "A step that is reached by a failure gets no value. What it needs is what the workflow has recorded: it reads `self` and `self.failure`.",
		Wrong: `workflow Order {
    step pay else undo { perform Timer.sleep(1s)
        end }
    step undo(amount) { perform IO.print(amount) }
}
`,
		Right: `workflow Order {
    step pay else undo { perform Timer.sleep(1s)
        end }
    step undo { perform IO.print(self.failure) }
}
`,
	},
	{
		Code:  "WF2309",
		Title: "failover step that is also reached without a failure",
		Why:   "Items run in the order of the text. When the item before the failover step completes, the failover step would run although nothing failed.",
		Wrong: `workflow Order {
    step pay else undo { perform Timer.sleep(1s) }
    step undo { perform IO.print("undone") }
}
`,
		Right: `workflow Order {
    step pay else undo {
        perform Timer.sleep(1s)
        end
    }
    step undo { perform IO.print("undone") }
}
`,
	},
	{
		Code:  "WF2310",
		Title: "workflow that begins with a failover step",
		Why:   "The first item always runs, so it cannot be one that is for failures.",
		Wrong: `workflow Order {
    step undo { end }
    step pay else undo { perform Timer.sleep(1s) }
}
`,
		Right: `workflow Order {
    step pay else undo {
        perform Timer.sleep(1s)
        end
    }
    step undo { end }
}
`,
	},
	{
		Code:  "WF2311",
		Title: "failovers that go round",
		Why:   "If every step of a circle fails, the workflow would go round for ever.",
		Wrong: `workflow Order {
    step begin { goto a }
    step a else b { end }
    step b else a { end }
}
`,
		Right: `workflow Order {
    step begin { goto a }
    step a else b { end }
    step b { end }
}
`,
	},
	{
		Code:  "WF2312",
		Title: "`else` inside a block",
		Why:   "A branch has no position in the workflow that a failure could move. The block as a whole can have an `else`.",
		Wrong: `workflow Trip {
    parallel {
        step flight else undo { 1 }
        step hotel { 2 }
    }
    step finish { end }
    step undo { end }
}
`,
		Right: `workflow Trip {
    parallel else undo {
        step flight { 1 }
        step hotel { 2 }
    }
    step finish { end }
    step undo { end }
}
`,
	},
	{
		Code:  "WF2313",
		Title: "clause given twice",
		Why:   "Each clause stands at most once.",
		Wrong: `workflow Order {
    step pay retry 1 retry 2 { 1 }
}
`,
		Right: `workflow Order {
    step pay retry 2 { 1 }
}
`,
	},
	{
		Code:  "WF2314",
		Title: "clause where it has no meaning",
		Why:   "A `parallel` block takes only `else`: its steps have timeouts and retries of their own. A compensation and `finally` have no failover: what fails there is recorded, and the rest goes on.",
		Wrong: `workflow Trip {
    parallel retry 2 {
        step flight { 1 }
        step hotel { 2 }
    }
}
`,
		Right: `workflow Trip {
    parallel {
        step flight retry 2 { 1 }
        step hotel retry 2 { 2 }
    }
}
`,
	},
	{
		Code:  "WF2315",
		Title: "ending inside a function or query",
		Why:   "`goto`, `pause`, `end`, `fail` and what ends a command are decisions of a step or command. In a function nobody who reads the step would see them.",
		Wrong: `fn check(x) { if x < 0 { fail "negative" } }
workflow Order { step a { check(3) } }
`,
		Right: `fn check(x) { if x < 0 { throw "negative" } }
workflow Order { step a { check(3) } }
`,
	},
	{
		Code:  "WF2316",
		Title: "ending that is not possible here",
		Why:   "A branch of a block cannot move the workflow while its siblings run; it completes or fails. A compensation and `finally` run after the ending is decided, and `init` before the first step.",
		Wrong: `workflow Trip {
    parallel {
        step flight { end }
        step hotel { 2 }
    }
}
`,
		Right: `workflow Trip {
    parallel {
        step flight { 1 }
        step hotel { 2 }
    }
    step finish { end }
}
`,
	},
	{
		Code:  "WF2317",
		Title: "`reply`, `reject` or `delete` outside of a command",
		Why:   "Only a command has a caller who gets an answer, and only a command removes the instance. `init` may `reject` a spawn.",
		Wrong: `workflow Order {
    step a { reject "no" }
}
`,
		Right: `workflow Order {
    step a { fail "no" }
}
`,
	},
	{
		Code:  "WF2318",
		Title: "movement where there are no steps",
		Why:   "The program's own statements are a single step, and an entity has none, so there is nothing to go to or to pause at.",
		Wrong: `entity Wallet {
    state balance = 0
    command close() { end }
}
`,
		Right: `entity Wallet {
    state balance = 0
    command close() { delete }
}
`,
	},
	{
		Code:  "WF2319",
		Title: "`in` for something without steps",
		Why:   "`in` limits a command to steps of its workflow. An entity has none.",
		Wrong: `entity Wallet {
    state balance = 0
    command add(n) in open { self.balance += n }
}
`,
		Right: `entity Wallet {
    state balance = 0
    command add(n) { self.balance += n }
}
`,
	},
	{
		Code:  "WF2320",
		Title: "`return` where there is nothing to return from",
		Why:   "An initial value and a clause are plain expressions. `return` leaves a function, step or handler.",
		Wrong: `workflow Order {
    state total = if true { return 1 } else { 2 }
    step a { self.total }
}
`,
		Right: `workflow Order {
    state total = if true { 1 } else { 2 }
    step a { self.total }
}
`,
	},
	{
		Code:  "WF2321",
		Title: "`break` or `continue` outside of a loop",
		Why:   "They act on the innermost `for` or `while` of the same body. A function inside a loop is a body of its own.",
		Wrong: `fn first(xs) {
    if xs.length > 0 { break }
    xs
}
perform IO.print(first([1]))
`,
		Right: `fn first(xs) {
    for x in xs { return x }
    nil
}
perform IO.print(first([1]))
`,
	},
	{
		Code:  "WF2322",
		Title: "`compensate` that belongs to no step",
		Why:   "A step or block has one `compensate`, directly after its `}`. The workflow's own stands before the first item and runs last.",
		Wrong: `workflow Order {
    step a { 1 } compensate { perform IO.print("a") }
    compensate { perform IO.print("order") }
    step b { 2 }
}
`,
		Right: `workflow Order {
    compensate { perform IO.print("order") }
    step a { 1 } compensate { perform IO.print("a") }
    step b { 2 }
}
`,
	},
	{
		Code:  "WF2323",
		Title: "step or block that never runs",
		Why:   "The items of a workflow run one after the other. Behind one that always ends, goes elsewhere or fails, an item runs only if a `goto`, a `then` or an `else` names it.",
		Wrong: `workflow Order {
    step pay { end "paid" }
    step ship { emit Shipped() }
}
await spawn Order {} as "order-1"
`,
		Right: `workflow Order {
    step pay { emit Paid() }
    step ship { emit Shipped() }
}
await spawn Order {} as "order-1"
`,
	},
	{
		Code:  "WF2324",
		Title: "number or time of a clause that cannot be",
		Why:   "A timeout is longer than nothing, a step is tried again 0 times or more, a backoff grows, and a block waits for no more branches than it has.",
		Wrong: `workflow Order {
    step pay retry 3 backoff 60s..1s { throw "no" }
}
await spawn Order {} as "order-1"
`,
		Right: `workflow Order {
    step pay retry 3 backoff 1s..60s { throw "no" }
}
await spawn Order {} as "order-1"
`,
	},
}

var ruleCodes = []Entry{
	{
		Code:  "WF2401",
		Title: "two branches assign the same field",
		Why:   "Branches run side by side, so it would be chance whose value stays.",
		Wrong: `workflow Trip {
    parallel {
        step flight { self.price = 100 }
        step hotel { self.price = 80 }
    }
}
`,
		Right: `workflow Trip {
    parallel {
        step flight { self.flight_price = 100 }
        step hotel { self.hotel_price = 80 }
    }
}
`,
	},
	{
		Code:  "WF2402",
		Title: "assignment to the state in a `parallel for`",
		Why:   "All branches run the same body, so they would assign the same field. The block's value is the list of the branches' values.",
		Wrong: `workflow Order {
    state items = [1, 2]
    state done = 0
    parallel for item in self.items {
        step reserve { self.done = item }
    }
}
`,
		Right: `workflow Order {
    state items = [1, 2]
    state done = []
    parallel for item in self.items {
        step reserve { item * 2 }
    }
    step collect(values) { self.done = values }
}
`,
	},
	{
		Code:  "WF2403",
		Title: "`settle` together with `first`",
		Why:   "`settle` waits for all branches and never fails, `first n` is done with n of them and can fail.",
		Wrong: `workflow Search {
    parallel settle first 1 {
        step a { 1 }
        step b { 2 }
    }
}
`,
		Right: `workflow Search {
    parallel first 1 {
        step a { 1 }
        step b { 2 }
    }
}
`,
	},
	{
		Code:  "WF2404",
		Title: "block directly inside a block",
		Why:   "A block's value is a record of its branches' values by name, and a block has no name of its own. A branch gives it one.",
		Wrong: `workflow Trip {
    parallel {
        parallel { step a { 1 } step b { 2 } }
        step c { 3 }
    }
}
`,
		Right: `workflow Trip {
    parallel {
        branch ab { parallel { step a { 1 } step b { 2 } } }
        step c { 3 }
    }
}
`,
	},
	{
		Code:  "WF2405",
		Title: "two branches wait for the same signal",
		Why:   "One signal wakes one of them, always the first in the text. That is seldom meant.",
		Wrong: `workflow Review {
    parallel {
        step legal { perform Signal.wait("ok") }
        step sales { perform Signal.wait("ok") }
    }
}
`,
		Right: `workflow Review {
    parallel {
        step legal { perform Signal.wait("legal-ok") }
        step sales { perform Signal.wait("sales-ok") }
    }
}
`,
	},
	{
		Code:  "WF2406",
		Title: "compensation reads what its failed step cannot have assigned",
		Why:   "The step that failed is compensated too, because its work may be half done outside. Its assignments were never applied, so a field that only this step assigns is nil then. The compensation has to ask: `err.completed` says whether the step completed.",
		Wrong: `workflow Order {
    step pay { self.receipt = perform Uuid.new() }
    compensate { perform IO.print("refund ${self.receipt}") }
}
`,
		Right: `workflow Order {
    step pay { self.receipt = perform Uuid.new() }
    compensate(err) {
        if err.completed { perform IO.print("refund ${self.receipt}") }
    }
}
`,
	},
	{
		Code:  "WF2501",
		Title: "effect where it is not allowed",
		Why:   "A query only reads. A command answers at once, so of the world it may have clock, ids and chance only. Initial values and clauses are computed without any effect.",
		Wrong: `workflow Order {
    state total = 0
    step a { pause }
    query total() { self.total = 3 }
}
`,
		Right: `workflow Order {
    state total = 0
    step a { pause }
    query total() { self.total }
}
`,
	},
	{
		Code:  "WF2502",
		Title: "call of a function whose effects are not allowed",
		Why:   "What a function may do is found through all that it calls. Here it is called from where that is not allowed: from a query, a command, an initial value, a clause, or from the program's own statements if it needs `self`.",
		Wrong: `fn notify() { perform IO.print("hello") }
workflow Order {
    step a { pause }
    query status() { notify() }
}
`,
		Right: `fn notify() { perform IO.print("hello") }
workflow Order {
    step a { notify() }
    query status() { "ok" }
}
`,
	},
	{
		Code:  "WF2503",
		Title: "function with effects given to one that only computes",
		Why:   "How often and in which order such a function calls what it is given is its own affair, so no effect may depend on it. A loop says what happens.",
		Wrong: `let done = [1, 2] |> List.map(fn(x) { perform IO.print(x) })
perform IO.print(done)
`,
		Right: `for x in [1, 2] { perform IO.print(x) }
`,
	},
	{
		Code:  "WF2504",
		Title: "assignment to a variable outside of a function",
		Why:   "A function without a name takes a copy of the variables that it uses, when it is made. An assignment would change the copy and be lost.",
		Wrong: `var sum = 0
let add = fn(x) { sum += x }
add(3)
perform IO.print(sum)
`,
		Right: `var sum = 0
for x in [1, 2] { sum += x }
perform IO.print(sum)
`,
	},
	{
		Code:  "WF2505",
		Title: "assignment to something that is not a variable",
		Why:   "Names made by `let`, parameters and names bound by patterns keep their value. `var` declares a variable.",
		Wrong: `let sum = 0
for x in [1, 2] { sum += x }
perform IO.print(sum)
`,
		Right: `var sum = 0
for x in [1, 2] { sum += x }
perform IO.print(sum)
`,
	},
	{
		Code:  "WF2506",
		Title: "left side that cannot be assigned",
		Why:   "An assignment changes a variable, a field of the state, or a place inside of one of them.",
		Wrong: `fn total() = 3
total = 4
perform IO.print(total())
`,
		Right: `var total = 3
total = 4
perform IO.print(total)
`,
	},
	{
		Code:  "WF2507",
		Title: "function that the program gives back and that does more than a query may",
		Why:   "A function that is the program's value, alone or in a list, tuple or record, becomes a query of what the program spawned. A query reads: it assigns nothing, emits nothing and calls nobody.",
		Wrong: `workflow Order {
    state paid = false
    step a { pause }
}
fn pay() { self.paid = true }
spawn Order {} as "o-1"
pay
`,
		Right: `workflow Order {
    state paid = false
    step a { pause }
    command pay() in a { self.paid = true }
}
fn paid() { self.paid }
spawn Order {} as "o-1"
paid
`,
	},
	{
		Code:  "WF2508",
		Title: "call of a function that came out of data and may do what is not allowed",
		Why:   "A function's name may be kept in a field or sent along. Whoever calls it then cannot know which one it is, so the call counts as one of every function that the program uses as a value and that takes as many arguments.",
		Wrong: `fn double(n) = n * 2
fn shout(n) { perform IO.print(n) }
workflow Order {
    state rule = double
    step a { self.rule = shout
        pause }
    query price(n) { self.rule(n) }
}
`,
		Right: `fn double(n) = n * 2
fn shout(n) { perform IO.print(n) }
workflow Order {
    state rule = "double"
    step a { shout(1)
        pause }
    query price(n) { match self.rule { "double" => double(n), _ => n } }
}
`,
	},
	{
		Code:  "WF2601",
		Title: "handler with a name that the runtime keeps",
		Why:   "Every instance answers the query `lifecycle`, and names that begin with `wf_` are for later ones.",
		Wrong: `workflow Order {
    step a { 1 }
    query lifecycle() { "mine" }
}
`,
		Right: `workflow Order {
    step a { 1 }
    query status() { "mine" }
}
`,
	},
	{
		Code:  "WF2602",
		Title: "step that would overwrite what a command has changed",
		Why:   "A step applies its assignments when it ends. A command that runs while the step waits would be acknowledged and then overwritten, if it assigns the same field and lets the step go on.",
		Wrong: `workflow Order {
    state note = ""
    step a {
        perform Timer.sleep(1h)
        self.note = "shipped"
    }
    command remark(text) { self.note = text }
}
`,
		Right: `workflow Order {
    state note = ""
    state remark = ""
    step a {
        perform Timer.sleep(1h)
        self.note = "shipped"
    }
    command remark(text) { self.remark = text }
}
`,
	},
	{
		Code:  "WF2603",
		Title: "command that moves the workflow from anywhere",
		Why:   "Without `in` and without a `reject` the command is accepted at every step, also a second time, and cuts whatever runs.",
		Wrong: `workflow Order {
    step idle { pause }
    step pay { 1 }
    command start() { goto pay }
}
`,
		Right: `workflow Order {
    step idle { pause }
    step pay { 1 }
    command start() in idle { goto pay }
}
`,
	},
}

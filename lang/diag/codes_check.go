package diag

import "slices"

// checkCodes explains what the checker says (WF2xxx, WF3xxx). A script of several
// files has a line `-- name.wf --` before each file but the first.
var checkCodes = slices.Concat(
	nameCodes, stateCodes, callCodes, stepCodes, ruleCodes, signalCodes, valueCodes, typeCodes, hintCodes, adviceCodes, notYetCodes,
	testCodes,
)

var nameCodes = []Entry{
	{
		Code:  "WF2001",
		Title: "unknown name",
		Why:   "The name is no variable in sight, no function, no variant and no workflow. Check the spelling; a field of the state is written `self.name`.",
		Wrong: `let total = 3
perform IO.print(totla)
`,
		Right: `let total = 3
perform IO.print(total)
`,
	},
	{
		Code:  "WF2002",
		Title: "name declared twice at top level",
		Why:   "Workflows, entities, agents and variants share one space of names, types share one with workflows, and functions and events have one each. All files of a program share them.",
		Wrong: `workflow Order { step a { 1 } }
workflow Order { step b { 2 } }
`,
		Right: `workflow Order { step a { 1 } }
workflow Invoice { step b { 2 } }
`,
	},
	{
		Code:  "WF2003",
		Title: "member declared twice",
		Why:   "The fields, steps and functions of a workflow have different names each, and so have its commands and queries together: they are called by name from outside. Steps inside blocks count.",
		Wrong: `workflow Order {
    step pay { 1 }
    step pay { 2 }
}
`,
		Right: `workflow Order {
    step pay { 1 }
    step ship { 2 }
}
`,
	},
	{
		Code:  "WF2004",
		Title: "variable declared twice in one block",
		Why:   "A second declaration of the same name in the same block is nearly always meant as an assignment. An inner block may use the name again.",
		Wrong: `let x = 1
let x = 2
perform IO.print(x)
`,
		Right: `var x = 1
x = 2
perform IO.print(x)
`,
	},
	{
		Code:  "WF2005",
		Title: "name bound twice in a pattern",
		Why:   "A name in a pattern binds one part of the value. To ask whether two parts are equal, bind both and compare them in a guard.",
		Wrong: `let r = match (1, 1) {
    (a, a) => a
    _ => 0
}
perform IO.print(r)
`,
		Right: `let r = match (1, 1) {
    (a, b) if a == b => a
    _ => 0
}
perform IO.print(r)
`,
	},
	{
		Code:  "WF2006",
		Title: "unknown type",
		Why:   "A type is one of `Any`, `Bool`, `Int`, `Decimal`, `Float`, `String`, `Duration`, `Time`, a declared type, or the name of a workflow or entity, which is the type of its handles.",
		Wrong: `fn double(x: Integer) = x * 2
perform IO.print(double(2))
`,
		Right: `fn double(x: Int) = x * 2
perform IO.print(double(2))
`,
	},
	{
		Code:  "WF2007",
		Title: "unknown workflow",
		Why:   "`spawn` needs the name of a workflow that the program, or a file it imports, declares.",
		Wrong: `workflow Transfer { step a { 1 } }
spawn Tranfser {} as "t-1"
`,
		Right: `workflow Transfer { step a { 1 } }
spawn Transfer {} as "t-1"
`,
	},
	{
		Code:  "WF2008",
		Title: "variable of the program's statements used in a function",
		Why:   "The top-level statements are a workflow of their own, and their variables are its locals. Other workflows and functions run elsewhere and at other times, so what they need is passed to them. Only constants are seen everywhere: a `let` with a plain name, whose value consists of literals, of operators on them, and of other constants.",
		Wrong: `let limit = perform Random.int(1, 9)
fn over(n) = n > limit
perform IO.print(over(4), limit)
`,
		Right: `let limit = 3
fn over(n) = n > limit
perform IO.print(over(4), limit)
`,
	},
	{
		Code:  "WF2009",
		Title: "name begins with the wrong case",
		Why:   "Types, workflows, entities, agents, events and variants begin with an upper-case letter, all other names do not: that is how a pattern tells a variant from a name that it binds.",
		Wrong: `workflow order { step a { 1 } }
`,
		Right: `workflow Order { step a { 1 } }
`,
	},
	{
		Code:  "WF2010",
		Title: "workflow or entity used as a value",
		Why:   "The name of a workflow stands for all of its instances. One instance is `W(\"its id\")`, a new one `spawn W { … }`.",
		Wrong: `entity Wallet { state balance = 0
    query balance() { self.balance } }
let w = Wallet
ask w.balance()
`,
		Right: `entity Wallet { state balance = 0
    query balance() { self.balance } }
let w = Wallet("alice")
ask w.balance()
`,
	},
	{
		Code:  "WF2011",
		Title: "module used as a value",
		Why:   "A module only holds functions. Name one of them.",
		Wrong: `let l = List
perform IO.print(l)
`,
		Right: `let l = List.reverse
perform IO.print(l([1, 2]))
`,
	},
	{
		Code:  "WF2012",
		Title: "type that is only another name for itself",
		Why:   "A chain of plain names has to end in a type that says what its values are.",
		Wrong: `type A = B
type B = A
`,
		Right: `type A = B
type B = { sku: String }
`,
	},
	{
		Code:  "WF2013",
		Title: "statement in an imported file",
		Why:   "An imported file adds declarations. Only the file that is run has statements, so importing a file never does anything by itself.",
		Wrong: `perform IO.print(tax(10))
-- lib.wf --
fn tax(x) = x / 5
perform IO.print("loaded")
`,
		Right: `perform IO.print(tax(10))
-- lib.wf --
fn tax(x) = x / 5
`,
	},
	{
		Code:  "WF2014",
		Title: "member where it does not belong",
		Why:   "An entity has no position, so it has state, commands, queries and functions, but no steps, timeouts or compensations. Branches belong into `parallel` blocks.",
		Wrong: `entity Wallet {
    state balance = 0
    step pay { 1 }
}
`,
		Right: `workflow Wallet {
    state balance = 0
    step pay { 1 }
}
`,
	},
	{
		Code:  "WF2015",
		Title: "member that a workflow has only once",
		Why:   "`timeout`, `init`, `finally` and the workflow's own `compensate` are one for the whole workflow.",
		Wrong: `workflow Order {
    timeout 5m
    timeout 1h
    step a { 1 }
}
`,
		Right: `workflow Order {
    timeout 1h
    step a { 1 }
}
`,
	},
	{
		Code:  "WF2016",
		Title: "item after `finally`",
		Why:   "`finally` runs after every ending of the workflow, so it stands at the end of the body.",
		Wrong: `workflow Order {
    finally { perform IO.print("over") }
    step a { 1 }
}
`,
		Right: `workflow Order {
    step a { 1 }
    finally { perform IO.print("over") }
}
`,
	},
	{
		Code:  "WF2017",
		Title: "pattern of a parameter that does not fit every value",
		Why:   "A parameter may be a pattern that takes its value apart, as `(key, value)` or `{ name, qty }`. There is no other arm, so it has to fit whatever comes: tuples, records, names and `_` in any depth, and variants of a type that has only one. What may be something else is for `match`.",
		Wrong: `type Choice = Yes(by: String) | No(why: String)
fn who(Yes(by)) = by
perform IO.print(who(Yes("ann")))
`,
		Right: `type Choice = Yes(by: String) | No(why: String)
fn who(c: Choice) = match c { Yes(by) => by, No(_) => "nobody" }
perform IO.print(who(Yes("ann")))
`,
	},
	{
		Code:  "WF2018",
		Title: "parameter of a message without a name",
		Why:   "Commands and queries are called from outside, where arguments may be given by name and help shows the names. So their parameters have names; take the value apart in the body. What a declared signal carries has a name too; the arm that takes it may have a pattern.",
		Wrong: `entity Stock {
    state pieces = 0
    command put((sku, qty): (String, Int)) { self.pieces += qty; reply sku }
}
`,
		Right: `entity Stock {
    state pieces = 0
    command put(item: (String, Int)) { let (sku, qty) = item; self.pieces += qty; reply sku }
}
`,
	},
}

var stateCodes = []Entry{
	{
		Code:  "WF2101",
		Title: "unknown field of the state",
		Why:   "Once a workflow declares any state, it declares all of it: a misspelt field would otherwise be a new one.",
		Wrong: `workflow Order {
    state total = 0
    step add { self.totl = 3 }
}
`,
		Right: `workflow Order {
    state total = 0
    step add { self.total = 3 }
}
`,
	},
	{
		Code:  "WF2102",
		Title: "field that nothing ever assigns",
		Why:   "A workflow without `state` lines has the fields that its bodies assign or that a `spawn` gives. One that is only read would always be nil.",
		Wrong: `workflow Order {
    step a { self.total = 3 }
    step b { perform IO.print(self.totl) }
}
`,
		Right: `workflow Order {
    step a { self.total = 3 }
    step b { perform IO.print(self.total) }
}
`,
	},
	{
		Code:  "WF2103",
		Title: "function reads a field that no workflow has",
		Why:   "A top-level function that reads `self` is a query function: it runs on an instance of some workflow of the program, so at least one must have the field.",
		Wrong: `workflow Counter { step bump { self.count = 1 } }
fn progress() { self.cuont }
let c = spawn Counter {} in { progress }
`,
		Right: `workflow Counter { step bump { self.count = 1 } }
fn progress() { self.count }
let c = spawn Counter {} in { progress }
`,
	},
	{
		Code:  "WF2104",
		Title: "assignment to a part of self that the runtime keeps",
		Why:   "`self.id`, `self.handle`, `self.step`, `self.step_index` and `self.failure` say where the instance stands. A step moves the workflow with `goto`. Only `self.step_index = self.step_index + 1` may be written in a step: it says what happens anyway and changes nothing.",
		Wrong: `workflow Order {
    step a { self.step_index = 5 }
    step b { 1 }
}
`,
		Right: `workflow Order {
    step a { goto b }
    step b { 1 }
}
`,
	},
	{
		Code:  "WF2105",
		Title: "field with a name that the runtime keeps",
		Why:   "`id`, `handle`, `step`, `step_index` and `failure` are parts of `self` in every instance.",
		Wrong: `workflow Order {
    state id: String
    step a { 1 }
}
`,
		Right: `workflow Order {
    state order_id: String
    step a { 1 }
}
`,
	},
	{
		Code:  "WF2106",
		Title: "`self` where there is no instance",
		Why:   "`self` is the state of the instance whose step, handler or function runs. The program's own statements have none, and an initial value is computed before there is one.",
		Wrong: `workflow Order {
    state a = 1
    state b = self.a
    step s { 1 }
}
`,
		Right: `workflow Order {
    state a = 1
    state b = 0
    step s { self.b = self.a }
}
`,
	},
	{
		Code:  "WF2107",
		Title: "field missing at spawn",
		Why:   "A declared field without an initial value has to be given when an instance is made, unless `init` computes it: assigns it in a statement of its own, before anything reads it.",
		Wrong: `workflow Transfer {
    state amount: Int
    step a { perform IO.print(self.amount) }
}
spawn Transfer {} as "t-1"
`,
		Right: `workflow Transfer {
    state amount: Int
    step a { perform IO.print(self.amount) }
}
spawn Transfer { amount: 30 } as "t-1"
`,
	},
	{
		Code:  "WF2108",
		Title: "unknown field at spawn",
		Why:   "`spawn` gives fields that the workflow declares.",
		Wrong: `workflow Transfer {
    state amount = 0
    step a { perform IO.print(self.amount) }
}
spawn Transfer { amuont: 30 } as "t-1"
`,
		Right: `workflow Transfer {
    state amount = 0
    step a { perform IO.print(self.amount) }
}
spawn Transfer { amount: 30 } as "t-1"
`,
	},
	{
		Code:  "WF2109",
		Title: "field of an entity without an initial value",
		Why:   "An entity comes into being with its first command. Nobody spawns it, so nobody could give the field.",
		Wrong: `entity Wallet {
    state balance: Int
    query balance() { self.balance }
}
`,
		Right: `entity Wallet {
    state balance: Int = 0
    query balance() { self.balance }
}
`,
	},
	{
		Code:  "WF2110",
		Title: "spawn of something that is no workflow",
		Why:   "Entities and agents are there when they are needed: `Wallet(\"alice\")` is a handle, and the first command makes the instance.",
		Wrong: `entity Wallet {
    state balance = 0
    query balance() { self.balance }
}
let w = spawn Wallet {}
ask w.balance()
`,
		Right: `entity Wallet {
    state balance = 0
    query balance() { self.balance }
}
let w = Wallet("alice")
ask w.balance()
`,
	},
	{
		Code:  "WF2111",
		Title: "part of self that cannot be given at spawn",
		Why:   "`id`, `handle`, `step`, `step_index` and `failure` are kept by the runtime. An instance is named with `as`.",
		Wrong: `workflow Order { step a { 1 } }
spawn Order { id: "o-1" }
`,
		Right: `workflow Order { step a { 1 } }
spawn Order {} as "o-1"
`,
	},
	{
		Code:  "WF2112",
		Title: "call of a function that reads a field of another workflow",
		Why:   "A function that belongs to no workflow runs on the instance that calls it. This workflow has not the field that the function names.",
		Wrong: `workflow A { step s { self.count = 1 } }
workflow B { step s { perform IO.print(progress()) } }
fn progress() { self.count }
`,
		Right: `workflow A { step s { self.count = 1 } }
workflow B { step s { perform IO.print(progress(2)) } }
fn progress(count) { count }
`,
	},
	{
		Code:  "WF2113",
		Title: "type where a field gets its first value",
		Why:   "Behind `=` stands the value that the field begins with, behind `:` its type. A field with a type and without a value must be given by whoever spawns the workflow.",
		Wrong: `workflow Order {
    state amount = Int
    step pay { emit Paid(self.amount) }
}
spawn Order { amount: 30 } as "order-1"
`,
		Right: `workflow Order {
    state amount: Int
    step pay { emit Paid(self.amount) }
}
spawn Order { amount: 30 } as "order-1"
`,
	},
}

var callCodes = []Entry{
	{
		Code:  "WF2201",
		Title: "too many arguments",
		Why:   "A call gives as many arguments as the declaration has parameters. Some parameters of built-ins are given by name only.",
		Wrong: `fn add(a, b) = a + b
perform IO.print(add(1, 2, 3))
`,
		Right: `fn add(a, b) = a + b
perform IO.print(add(1, 2))
`,
	},
	{
		Code:  "WF2202",
		Title: "arguments missing",
		Why:   "All parameters of a function are required; so are those of events and variants. Only built-ins have optional ones.",
		Wrong: `event Paid(id: String, amount: Int)
workflow Order { step a { emit Paid("o-1") } }
`,
		Right: `event Paid(id: String, amount: Int)
workflow Order { step a { emit Paid("o-1", 30) } }
`,
	},
	{
		Code:  "WF2203",
		Title: "unknown parameter name",
		Why:   "A named argument uses the name of a parameter as it is declared.",
		Wrong: `fn area(width, height) = width * height
perform IO.print(area(2, hieght: 3))
`,
		Right: `fn area(width, height) = width * height
perform IO.print(area(2, height: 3))
`,
	},
	{
		Code:  "WF2204",
		Title: "argument given twice",
		Why:   "A parameter gets its argument by position or by name, once.",
		Wrong: `fn area(width, height) = width * height
perform IO.print(area(2, width: 3))
`,
		Right: `fn area(width, height) = width * height
perform IO.print(area(2, height: 3))
`,
	},
	{
		Code:  "WF2205",
		Title: "named argument to a function that is a value",
		Why:   "Which function a variable holds is known only when it runs, so its parameters have no names for the caller.",
		Wrong: `let add = fn(a, b) = a + b
perform IO.print(add(1, b: 2))
`,
		Right: `let add = fn(a, b) = a + b
perform IO.print(add(1, 2))
`,
	},
	{
		Code:  "WF2206",
		Title: "call of something that is no function",
		Why:   "Only functions can be called. A list or text before a parenthesis is usually a comma that is missing.",
		Wrong: `let x = [1, 2](0)
perform IO.print(x)
`,
		Right: `let x = [1, 2][0]
perform IO.print(x)
`,
	},
	{
		Code:  "WF2207",
		Title: "unknown module",
		Why:   "The module is not part of the library. Check the spelling.",
		Wrong: `perform Tmier.sleep(1s)
`,
		Right: `perform Timer.sleep(1s)
`,
	},
	{
		Code:  "WF2208",
		Title: "unknown function of a module",
		Why:   "The module has no function, or no effect, of this name.",
		Wrong: `perform Timer.slep(1s)
`,
		Right: `perform Timer.sleep(1s)
`,
	},
	{
		Code:  "WF2209",
		Title: "effect called without `perform`",
		Why:   "`perform` is the only door to the world. It shows in the text where an answer is journaled and where the step can stop and go on.",
		Wrong: `Timer.sleep(1s)
`,
		Right: `perform Timer.sleep(1s)
`,
	},
	{
		Code:  "WF2210",
		Title: "`perform` of a plain function",
		Why:   "A function without effect is called like one of the program's own; nothing of it is journaled.",
		Wrong: `let s = perform String.upper("a")
perform IO.print(s)
`,
		Right: `let s = String.upper("a")
perform IO.print(s)
`,
	},
	{
		Code:  "WF2211",
		Title: "unknown command or query",
		Why:   "The workflow or entity has no handler of this name.",
		Wrong: `entity Wallet {
    state balance = 0
    query balance() { self.balance }
}
ask Wallet("a").balanec()
`,
		Right: `entity Wallet {
    state balance = 0
    query balance() { self.balance }
}
ask Wallet("a").balance()
`,
	},
	{
		Code:  "WF2212",
		Title: "signal that nothing waits for",
		Why:   "No step of the workflow waits for a signal of this name, so it would be refused when it is sent.",
		Wrong: `workflow Order { step a { perform Signal.wait("approved") } }
let o = spawn Order {} as "o-1"
signal o.aproved()
`,
		Right: `workflow Order { step a { perform Signal.wait("approved") } }
let o = spawn Order {} as "o-1"
signal o.approved()
`,
	},
	{
		Code:  "WF2213",
		Title: "event that is nearly a declared one",
		Why:   "Events need no declaration, but this name is so near to a declared one that it is probably misspelt, and its arguments go unchecked.",
		Wrong: `event OrderPlaced(id: String)
workflow Order { step a { emit OrderPlacd("o-1") } }
`,
		Right: `event OrderPlaced(id: String)
workflow Order { step a { emit OrderPlaced("o-1") } }
`,
	},
}

package diag

// typeCodes explain what is said about the types of values.
var typeCodes = []Entry{
	{
		Code:  "WF2710",
		Title: "value that does not fit the declared type",
		Why:   "A name or field with a written type holds only values of it. Int widens to Decimal and Float; everything else is converted explicitly. A record may have more fields than its type names.",
		Wrong: `let total: Int = "three"
perform IO.print(total)
`,
		Right: `let total: Int = 3
perform IO.print(total)
`,
	},
	{
		Code:  "WF2711",
		Title: "argument that does not fit the parameter",
		Why:   "The types of a function's, command's, event's or variant's parameters are held against what is given, as far as both are known.",
		Wrong: `fn double(x: Int) -> Int { x * 2 }
perform IO.print(double("2"))
`,
		Right: `fn double(x: Int) -> Int { x * 2 }
perform IO.print(double(2))
`,
	},
	{
		Code:  "WF2712",
		Title: "result that does not fit the declared type",
		Why:   "What a function, command or query gives, by its last value, `return` or `reply`, is of the type that is written behind its parameters.",
		Wrong: `fn name(id: Int) -> String { id }
perform IO.print(name(7))
`,
		Right: `fn name(id: Int) -> String { "order ${id}" }
perform IO.print(name(7))
`,
	},
	{
		Code:  "WF2713",
		Title: "input that does not fit the step",
		Why:   "`goto` hands a value to a step; it is of the type that the step declares for its parameter.",
		Wrong: `workflow Order {
    step price { goto pay("12.50") }
    step pay(amount: Decimal) { emit Paid(amount) }
}
`,
		Right: `workflow Order {
    step price { goto pay(12.50) }
    step pay(amount: Decimal) { emit Paid(amount) }
}
`,
	},
	{
		Code:  "WF2714",
		Title: "step that takes something else than the item before it gives",
		Why:   "In the order of the text a step with a parameter gets the value of the item before it: the last value of a step, a record of the branches' values of a block.",
		Wrong: `workflow Order {
    step price { "12.50" }
    step pay(amount: Decimal) { emit Paid(amount) }
}
`,
		Right: `workflow Order {
    step price { 12.50 }
    step pay(amount: Decimal) { emit Paid(amount) }
}
`,
	},
	{
		Code:  "WF2715",
		Title: "record without a field that its type has",
		Why:   "A record may have more fields than its type names, but it has those. Only a field of an optional type may be left out.",
		Wrong: `type Item = { sku: String, qty: Int, note: String? }
let item: Item = { sku: "tea" }
perform IO.print(item)
`,
		Right: `type Item = { sku: String, qty: Int, note: String? }
let item: Item = { sku: "tea", qty: 2 }
perform IO.print(item)
`,
	},
	{
		Code:  "WF2716",
		Title: "use of a value that may be nil",
		Why:   "A value of an optional type, `T?`, is used as a T only where it is certain not to be nil: behind `!= nil`, in an arm of a `match`, or with `??`. Taking it apart is such a use: a pattern of a `let`, a `for` or a parameter has to fit whatever comes, and nil has no parts.",
		Wrong: `fn label(note: String?) = "note: " + note
perform IO.print(label(nil))
`,
		Right: `fn label(note: String?) = "note: " + (note ?? "none")
perform IO.print(label(nil))
`,
	},
	{
		Code:  "WF2717",
		Title: "value that may be nil where one is needed",
		Why:   "What is declared as a T takes no T?: ask first, with `!= nil` or `match`, or say with `??` what it is otherwise.",
		Wrong: `fn shout(text: String) = String.upper(text)
fn label(note: String?) = shout(note)
perform IO.print(label("a"))
`,
		Right: `fn shout(text: String) = String.upper(text)
fn label(note: String?) = if note != nil then shout(note) else ""
perform IO.print(label("a"))
`,
	},
	{
		Code:  "WF2718",
		Title: "unknown field of a record",
		Why:   "The fields of this record are known: from its type, or because it was made here. Reading one that it does not have is a fault. A field that may be missing is read with an index: `r[\"name\"]` is nil then.",
		Wrong: `type Item = { sku: String, price: Decimal }
fn total(item: Item, n: Int) = item.prize * n
perform IO.print(total({ sku: "tea", price: 2.50 }, 2))
`,
		Right: `type Item = { sku: String, price: Decimal }
fn total(item: Item, n: Int) = item.price * n
perform IO.print(total({ sku: "tea", price: 2.50 }, 2))
`,
	},
	{
		Code:  "WF2719",
		Title: "field of a value that has none",
		Why:   "Records and variants have fields, lists, texts and records a `length`. What an instance knows is asked: `ask h.status()`.",
		Wrong: `let n = 12
perform IO.print(n.length)
`,
		Right: `let n = "12"
perform IO.print(n.length)
`,
	},
	{
		Code:  "WF2720",
		Title: "index into a value that has none",
		Why:   "Lists and tuples have elements by number, records fields by name. Other values are taken apart by functions, such as those of `String`.",
		Wrong: `let n = 12
perform IO.print(n[0])
`,
		Right: `let n = [1, 2]
perform IO.print(n[0])
`,
	},
	{
		Code:  "WF2721",
		Title: "index of the wrong type",
		Why:   "A list is indexed by an Int, from 0, a record by a String.",
		Wrong: `let items = ["tea", "milk"]
perform IO.print(items["0"])
`,
		Right: `let items = ["tea", "milk"]
perform IO.print(items[0])
`,
	},
	{
		Code:  "WF2722",
		Title: "loop over a value that has no elements",
		Why:   "`for` goes over a list, over a record in pairs of name and value, or over a range of Ints.",
		Wrong: `for i in 3 { perform IO.print(i) }
`,
		Right: `for i in 1..3 { perform IO.print(i) }
`,
	},
	{
		Code:  "WF2723",
		Title: "pattern that never fits",
		Why:   "The value is known to be of another type than the pattern looks for, so this arm can never run.",
		Wrong: `fn text(n: Int) = match n {
    "1" => "one"
    _ => "many"
}
perform IO.print(text(1))
`,
		Right: `fn text(n: Int) = match n {
    1 => "one"
    _ => "many"
}
perform IO.print(text(1))
`,
	},
	{
		Code:  "WF2724",
		Title: "field in a pattern that is nearly one of the record's",
		Why:   "A record pattern fits only records with its fields. A record may have others than its type names, but a name as near as this is more likely a slip.",
		Wrong: `type Card = { number: String, holder: String }
fn who(card: Card) = match card {
    { hodler } => hodler
    _ => "nobody"
}
perform IO.print(who({ number: "1", holder: "Ann" }))
`,
		Right: `type Card = { number: String, holder: String }
fn who(card: Card) = match card {
    { holder } => holder
    _ => "nobody"
}
perform IO.print(who({ number: "1", holder: "Ann" }))
`,
	},
	{
		Code:  "WF2725",
		Title: "comparison that always comes out the same",
		Why:   "Values of different types are never equal, but for numbers. Convert one side, or compare with a value of the same type.",
		Wrong: `fn first(id: String) = id == 1
perform IO.print(first("1"))
`,
		Right: `fn first(id: String) = id == "1"
perform IO.print(first("1"))
`,
	},
	{
		Code:  "WF2726",
		Title: "message to something that is no instance",
		Why:   "`ask`, `await` and `signal` need the handle of an instance: from `spawn`, from `self.handle`, or from the name of a workflow or entity with an id.",
		Wrong: `workflow Order { step a { 1 } }
let order = "order-1"
await order
spawn Order {} as "order-1"
`,
		Right: `workflow Order { step a { 1 } }
let order = Order("order-1")
await order
spawn Order {} as "order-1"
`,
	},
	{
		Code:  "WF2727",
		Title: "function where only data can be kept",
		Why:   "State, events, signals, messages, replies, inputs of steps and results are kept in the store, and a function that is made on the spot is no data: it would not survive a restart. The name of a top-level function is data.",
		Wrong: `workflow W {
    state rule = nil
    step a { self.rule = fn(x) = x * 2 }
}
`,
		Right: `fn double(x) = x * 2
workflow W {
    state rule = nil
    step a { self.rule = double }
}
`,
	},
	{
		Code:  "WF2728",
		Title: "clause with a value of the wrong type",
		Why:   "Times to wait are Durations with a unit, instants are Times, and the number of retries is an Int.",
		Wrong: `workflow W {
    step a timeout 30 { 1 }
}
`,
		Right: `workflow W {
    step a timeout 30s { 1 }
}
`,
	},
	{
		Code:  "WF2729",
		Title: "function value called with the wrong number of arguments",
		Why:   "How many parameters this function has is known, and the call gives it more or fewer.",
		Wrong: `let add = fn(a, b) = a + b
perform IO.print(add(1))
`,
		Right: `let add = fn(a, b) = a + b
perform IO.print(add(1, 2))
`,
	},
	{
		Code:  "WF2730",
		Title: "`if` without `else` where a value is needed",
		Why:   "An `if` without `else` is nil when its condition is false.",
		Wrong: `fn size(n: Int) -> String {
    if n > 10 { "large" }
}
perform IO.print(size(3))
`,
		Right: `fn size(n: Int) -> String {
    if n > 10 { "large" } else { "small" }
}
perform IO.print(size(3))
`,
	},
	{
		Code:  "WF2731",
		Title: "secret that would be written down",
		Why:   "A secret is for calls to services only: its text is put in when the call is made. State, events, messages, results, errors and what is printed are kept in the store and shown; there is no text of a secret for them.",
		Wrong: `workflow Sync {
    state token = ""
    step login { self.token = perform Secret.get("api_token") }
}
`,
		Right: `workflow Sync {
    state url: String
    step login {
        let token = perform Secret.get("api_token")
        perform Http.get(self.url, headers: { authorization: Secret.bearer(token) })
    }
}
`,
	},
	{
		Code:  "WF2732",
		Title: "secret made into text",
		Why:   "No text has a secret in it: texts are kept, shown and compared. Secrets are put together by the functions of the module `Secret`, and what comes of that is a secret again.",
		Wrong: `let token = perform Secret.get("api_token")
perform Http.get("https://example.com", headers: { authorization: "Bearer ${token}" })
`,
		Right: `let token = perform Secret.get("api_token")
perform Http.get("https://example.com", headers: { authorization: Secret.bearer(token) })
`,
	},
	{
		Code:  "WF2733",
		Title: "arm that never runs",
		Why:   "A `match` takes the first arm that fits. Behind a name, `_` or a more general pattern nothing is left for a special one.",
		Wrong: `fn words(n) = match n {
    _ => "many"
    1 => "one"
}
perform IO.print(words(1))
`,
		Right: `fn words(n) = match n {
    1 => "one"
    _ => "many"
}
perform IO.print(words(1))
`,
	},
}

package stdlib_test

import "testing"

const shop = `
/// What was ordered.
type Order = { id: String, items: [Item], note: String?, ttl: Duration, state: State }
type Item = { sku: String, price: Decimal, weight: Float? }
type State = Open | Sent(by: String, at: Time) | Odd(Int, String)
type Tree = { value: Int, left: Tree?, right: Tree? }
type Pair = (String, Float)
type Stock = {String: Int}
workflow W { step a { 1 } }
`

// Types stand for their schemas, and values become what the types say.
func TestTypesAreSchemas(t *testing.T) {
	const item = `{ title: "Item", type: "object", properties: { sku: { type: "string" }, price: { type: "number", format: "decimal" }, weight: { type: ["number", "null"], format: "float" } }, required: ["sku", "price"] }`
	cases := []struct{ expr, want string }{
		{`Schema.of(Item)`, item},
		{`Schema.of([Item])`, `{ type: "array", items: ` + item + ` }`},
		{`let s = Item in s.title`, `"Item"`},
		{`Schema.of(Pair)`, `{ title: "Pair", type: "array", format: "tuple", prefixItems: [{ type: "string" }, { type: "number", format: "float" }], minItems: 2, maxItems: 2 }`},
		{`Schema.of(Stock)`, `{ title: "Stock", type: "object", additionalProperties: { type: "integer" } }`},
		{`Schema.of({String: [Int]})`, `{ type: "object", additionalProperties: { type: "array", items: { type: "integer" } } }`},
		{`Schema.of(W)`, `{ type: "string", format: "workflow", title: "W", description: "the id of a workflow" }`},
		{`Schema.of(Tree)["$defs"]["Tree"].required`, `["value"]`},
		{`Schema.of(Tree)["$ref"]`, `"#/$defs/Tree"`},
		{`Schema.of(Order).description`, `"What was ordered."`},
		{`Schema.check(Json.parse("{\"value\": 1, \"left\": {\"value\": 2}}"), Tree)`, `{ value: 1, left: { value: 2, left: nil, right: nil }, right: nil }`},
		{`Schema.check({ id: "o", items: [{ sku: "a", price: 3 }], ttl: "PT1H", state: { type: "Sent", by: "ann", at: "2030-01-01T00:00:00Z" } }, Order)`,
			`{ id: "o", items: [{ sku: "a", price: Decimal(3), weight: nil }], ttl: 1h, state: Sent(by: "ann", at: Time("2030-01-01T00:00:00Z")), note: nil }`},
		{`Schema.check({ type: "Odd", values: [1, "x"] }, State)`, `Odd(1, "x")`},
		{`Schema.check({ type: "Open" }, State)`, `Open`},
		{`Schema.check(Sent("ann", Time("2030-01-01T00:00:00Z")), State)`, `Sent(by: "ann", at: Time("2030-01-01T00:00:00Z"))`},
		{`Schema.check({ type: "Gone" }, State)`, `schema: $.type: expected one of "Open", "Sent", "Odd", found "Gone"`},
		{`Schema.check(["a", 1], Pair)`, `("a", 1e0)`},
		{`Schema.check("w-1", W)`, `W("w-1")`},
		{`Schema.check(any(1), { type: "integer" }) + 1`, `2`},
		{`Schema.check({ a: "x" }, {String: Int})`, `schema: $.a: expected Int, found String "x"`},
		{`Schema.problem(1, { type: "text" })`, `schema: the schema is no use: "text" is no type of JSON Schema`},
		{`match Schema.check({ type: "Open" }, State) { Open => 1, Sent(b, a) => 2, Odd(n, s) => 3 }`, `1`},
		{`[Open, Sent("x", Time("2030-01-01T00:00:00Z")), Odd(1, "y")] |> List.map(fn(s) = Schema.check(Json.parse(Json.encode(s)), State) == s)`, `[true, true, true]`},
	}
	for _, c := range cases {
		if got := eval(t, shop+c.expr); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

// What a checked value is, the checker knows.
func TestCheckedValuesHaveTypes(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{`let o = Schema.check(any(1), Order)
o.idd`, "idd"},
		{`let x: String = Schema.check(any(1), [Int])`, "[Int]"},
		{`let x: Int = Schema.check(any(1), { a: Int }).a + "x"`, "Int and String"},
		{`match Schema.check(any(1), State) { Open => 1 }`, "Sent"},
		{`Schema.check(any(1), Ordr)`, "Ordr"},
		{`Schema.check(any(1), [Ordr])`, "Ordr"},
		{`let s = State.Open`, "State"},
	} {
		if got := mistakes(t, shop+"fn any(x: Any) -> Any { x }\n"+c.expr); !contains(got, c.want) {
			t.Errorf("%s: %q is not among\n%s", c.expr, c.want, got)
		}
	}
}

package checker_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// world answers every request with a text of it, and keeps them.
type world struct{ seen []string }

func (w *world) Do(r interp.Request) (value.Value, error) {
	text := r.Kind.String()
	if r.Op != nil {
		text += " " + r.Op.FullName()
	}
	if r.Name != "" {
		text += " " + r.Name
	}
	if r.HasID {
		text += " as " + r.ID
	}
	if r.Target.Type != "" {
		text += " to " + r.Target.StoreID()
	}
	for i, a := range r.Args {
		text += " "
		if r.ArgNames != nil && r.ArgNames[i] != "" {
			text += r.ArgNames[i] + ": "
		}
		text += a.String()
	}
	w.seen = append(w.seen, text)
	switch r.Kind {
	case interp.Spawn:
		return value.NewHandle(value.Handle{Type: r.Name, ID: "w-1"}), nil
	case interp.Select:
		return value.Tuple(value.Int(0), value.String("payload")), nil
	}
	return value.String("answer"), nil
}

// runMain evaluates the program's own statements.
func runMain(t *testing.T, text string) (string, *world) {
	t.Helper()
	p := accept(t, text)
	w := &world{}
	out, err := interp.Run(w, interp.Call{Fn: p.Main.Items[0].Step.Body, Program: p})
	var f *interp.Fault
	switch {
	case errors.As(err, &f):
		return "fault " + f.Code + ": " + f.Message, w
	case err != nil:
		t.Fatalf("%v\n%s", err, text)
	}
	return out.Result.String(), w
}

// TestValues evaluates scripts: what names, slots and sugar became shows in
// the result.
func TestValues(t *testing.T) {
	cases := []struct{ script, want string }{
		{``, `()`},
		{`1 + 2 * 3`, `7`},
		{`-9223372036854775808`, `-9223372036854775808`},
		{`-(3)`, `-3`},
		{`let x = 1; let y = x + 1; x * 10 + y`, `12`},
		{`let x = 1 in x + 1`, `2`},
		{`let x = 1 in { let x = x + 1
 x }`, `2`},
		{`let a = 1; let r = { a }; r`, `1`},
		{`var x = 1; x += 2; x -= 1; x`, `2`},
		{`var r = { a: [1, 2], b: 0 }; r.a[1] = 5; r["b"] += 1; r`, `{ a: [1, 5], b: 1 }`},
		{`fn add(a, b) = a - b
add(b: 1, a: 5)`, `4`},
		{`fn fac(n) = if n <= 1 then 1 else n * fac(n - 1)
fac(5)`, `120`},
		{`fn even(n) = if n == 0 then true else odd(n - 1)
fn odd(n) = if n == 0 then false else even(n - 1)
even(10)`, `true`},
		{`fn sub(a, b) = a - b
5 |> sub(3)`, `2`},
		{`fn neg(a) = -a
5 |> neg`, `-5`},
		{`3 |> fn(x) = x + 1`, `4`},
		{`[1, 2, 3] |> List.map(fn(x) = x * 2) |> List.filter(fn(x) = x > 2) |> List.sum`, `10`},
		{`["a ", " b"] |> List.map(String.trim)`, `["a", "b"]`},
		{`[1, 2] |> List.map(Some)`, `[Some(1), Some(2)]`},
		{`fn twice(f, x) = f(f(x))
let n = 10
let k = 2
twice(fn(x) = x * k + n, 1)`, `34`},
		{`let a = 1; let b = 2; let f = fn(x) = fn(y) = a + b * x + y
f(10)(100)`, `121`},
		{`let f = fn(x) { var s = x
 for i in [1, 2] { let t = s + i
 s = t }
 s }
f(4)`, `7`},
		{`let (a, [b, ...c], { k, z: [d] }) = (1, [2, 3, 4], { k: 5, z: [6] }); [a, b, c, k, d]`, `[1, 2, [3, 4], 5, 6]`},
		{`match (1, 2) { (0, x) | (x, 2) => x, _ => 9 }`, `1`},
		{`type C = A(x: Int, y: Int) | B
match A(y: 2, x: 1) { A(y: q) => q, B => 0 }`, `2`},
		{`type C = A(x: Int, y: Int) | B
match A(1, 2) { A(p, ...) => p, B => 0 }`, `1`},
		{`match Some(Some(3)) { Some(None) => 1, Some(Some(x)) if x > 2 => x, _ => 2 }`, `3`},
		{`match 5 { 1 | 2 => "low", n if n > 3 => "high ${n}", _ => "mid" }`, `"high 5"`},
		{`var n = 0; while true { n += 1
 if n == 3 { continue }
 if n > 4 { break } }
n`, `5`},
		{`var s = ""; for (k, v) in { a: 1, b: 2 } { s = s + "${k}${v}" }; s`, `"a1b2"`},
		{`try { throw { code: "x", message: "m" } } catch e { e.code }`, `"x"`},
		{`let f = fn() { try { throw "m" } catch e { return e.message } }
f()`, `"m"`},
		{`nil ?? 3`, `3`},
		{`let r = { a: 1 }; r?.a`, `1`},
		{`{ "a b": 1, [String(2)]: 3, ...{ z: 4 } }`, `{ "a b": 1, "2": 3, z: 4 }`},
		{`Int("4") + Int(2.9)`, `6`},
		{`"a" |> String`, `"a"`},
		{`(1, "x", ())`, `(1, "x", ())`},
		{`Math.max(1, 5, 3)`, `5`},
		{`String.join(["a", "b"])`, `"ab"`},
	}
	for _, c := range cases {
		if got, _ := runMain(t, c.script); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
		}
	}
}

// TestRequests shows what reaches the world.
func TestRequests(t *testing.T) {
	cases := []struct{ script, want string }{
		{`perform IO.print("a", 1)`, `perform IO.print "a" 1`},
		{`perform Signal.wait("x", timeout: 2h)`, `perform Signal.wait "x" 2h`},
		{`perform Signal.wait("x")`, `perform Signal.wait "x" nil`},
		{`workflow W { state a: Int
 step s { self.a } }
spawn W { a: 1 } as "x-${1}"`, `spawn W as x-1 { a: 1 }`},
		{`entity E { state n = 0
 command add(x, y) { self.n += x - y } }
ask E("k").add(1, y: 2)`, `ask add to E/k 1 y: 2`},
		{`workflow W { step s { perform Signal.wait("go") } }
signal W("w-9").go({ by: "me" })`, `signal go to w-9 { by: "me" }`},
		{`workflow W { step s { 1 } }
spawn W {} in { 2 }`, `spawn W {}`},
		{`workflow W { step s { 1 } }
let w = spawn W {} in { await w for 5m }`, "spawn W {}; await to w-1"},
	}
	for _, c := range cases {
		_, w := runMain(t, c.script)
		if got := strings.Join(w.seen, "; "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.script, got, c.want)
		}
	}
}

func TestQueryFunctionIsReturned(t *testing.T) {
	if got, _ := runMain(t, overview[5]); got != "progress" && !strings.Contains(got, "progress") {
		t.Errorf("got %s", got)
	}
}

const transfer = `
workflow Transfer {
    timeout 60s
    default timeout 10s retry 2 else undo

    state from: String
    state amount: Int
    state status: String = "not-started"

    step idle { pause }
    command start() in idle {
        if self.amount <= 0 { reject "transfer amount must be greater than zero" }
        self.status = "started"
        goto withdraw(self.amount) reply "started"
    }
    query status() -> String { self.status }
    step withdraw(amount: Int) {
        ask Wallet(self.from).withdraw(amount)
        self.status = "withdrawn"
        goto deposit(amount)
    }
    step deposit(amount: Int) retry 1 timeout none else undo {
        ask Wallet(self.from).deposit(amount)
        self.status = "completed"
        end
    }
    step undo {
        ask Wallet(self.from).deposit(self.amount)
        self.status = "compensated"
        end
    } compensate(err) { perform IO.print(err) }
    finally (outcome) { perform IO.print(outcome) }
}
entity Wallet {
    state balance = 0
    command withdraw(n: Int) { self.balance -= n }
    command deposit(n: Int) { self.balance += n }
}
let t = spawn Transfer { from: "alice", amount: 30 } as "t-1" in {
    ask t.start()
    await t
    ask t.status()
}
`

func TestWorkflow(t *testing.T) {
	p := accept(t, transfer)
	w := p.Actor("Transfer")
	if w.Timeout == nil || w.Finally == nil || !w.Finally.HasErr || len(w.Items) != 4 {
		t.Fatalf("%+v", w)
	}
	withdraw, deposit, undo := w.Items[1].Step, w.Items[2].Step, w.Items[3].Step
	if withdraw.Else != 3 || deposit.Else != 3 || undo.Else != -1 {
		t.Errorf("else: %d %d %d", withdraw.Else, deposit.Else, undo.Else)
	}
	if withdraw.Policy.Timeout == nil || withdraw.Policy.NoTimeout || withdraw.Policy.Retry == nil {
		t.Errorf("defaults are not merged: %+v", withdraw.Policy)
	}
	if deposit.Policy.Timeout != nil || !deposit.Policy.NoTimeout || deposit.Policy.Retry == withdraw.Policy.Retry {
		t.Errorf("the step's own clauses are lost: %+v", deposit.Policy)
	}
	if got := withdraw.Body.Params; len(got) != 1 || got[0].Type.Base != program.IntType {
		t.Errorf("params: %+v", got)
	}
	if c := w.Command("start"); len(c.In) != 1 || c.In[0] != "idle" || c.Body.Effects != program.ReadsSelf|program.WritesSelf|program.Transitions {
		t.Errorf("%+v %b", c, c.Body.Effects)
	}
	if q := w.Query("status"); q.Result.Base != program.StringType || q.Body.Effects != program.ReadsSelf {
		t.Errorf("%+v", q)
	}
	if w.Fields[0].Init != nil || w.Fields[2].Init == nil || w.Fields[0].Type.Base != program.StringType {
		t.Errorf("%+v", w.Fields)
	}
	if p.Main.Name != "main" || !p.Main.Items[0].Step.Policy.NoTimeout || p.Actor("Wallet") == nil || !p.Actor("Wallet").Entity {
		t.Error("main or Wallet")
	}
	if len(p.Hash) != 32 || p.Hash == accept(t, transfer+"\n").Hash {
		t.Errorf("hash %s", p.Hash)
	}
}

func TestCommandRuns(t *testing.T) {
	p := accept(t, transfer)
	w := p.Actor("Transfer")
	self := &interp.Self{Workflow: w, Fields: []value.Value{value.String("alice"), value.Int(30), value.String("not-started")}}
	out, err := interp.Run(&world{}, interp.Call{Fn: w.Command("start").Body, Self: self, Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if e := out.Ending; e.Kind != interp.Goto || e.Item != 1 || e.Input.String() != "30" || e.Reply.String() != `"started"` {
		t.Errorf("%+v", e)
	}
	if len(out.Writes) != 1 || out.Writes[0].Field != 2 || out.Writes[0].Value.String() != `"started"` {
		t.Errorf("%+v", out.Writes)
	}
}

// TestParallelFor shows in which order a step in nested blocks gets what it
// sees: elements, outermost first, then its own parameter; a compensation the
// error before them.
func TestParallelFor(t *testing.T) {
	p := accept(t, `workflow W {
    state orders = []
    parallel settle for order in self.orders max 3 {
        step begin { order }
        parallel for { sku } in order.items {
            step take { sku }
            step pack(taken) { "${order} ${sku} ${taken}" } compensate(err) { perform IO.print(err, order, sku, taken) }
        }
    }
}`)
	outer := p.Actor("W").Items[0].Parallel
	if !outer.For || outer.Mode != program.Settle || outer.Max == nil || len(outer.Branches) != 1 || len(outer.Branches[0].Items) != 2 {
		t.Fatalf("%+v", outer)
	}
	inner := outer.Branches[0].Items[1].Parallel
	if len(inner.In.Params) != 1 || len(inner.Branches[0].Items) != 2 {
		t.Fatalf("%+v", inner)
	}
	pack := inner.Branches[0].Items[1].Step
	args := []value.Value{value.String("o"), value.NewRecord([]string{"sku"}, []value.Value{value.String("s")}), value.String("t")}
	out, err := interp.Run(&world{}, interp.Call{Fn: pack.Body, Args: args, Self: &interp.Self{Workflow: p.Actor("W"), Fields: make([]value.Value, 1)}})
	if err != nil || out.Result.String() != `"o s t"` {
		t.Errorf("%v %v", out.Result, err)
	}
	w := &world{}
	args = append([]value.Value{value.Int(0)}, args...)
	if _, err = interp.Run(w, interp.Call{Fn: pack.Compensate.Body, Args: args, Self: &interp.Self{Workflow: p.Actor("W"), Fields: make([]value.Value, 1)}}); err != nil {
		t.Fatal(err)
	}
	if w.seen[0] != `perform IO.print 0 "o" "s" "t"` {
		t.Error(w.seen)
	}
}

func TestEffectsAndSignals(t *testing.T) {
	p := accept(t, `fn stamp() { perform Time.now() }
fn waitFor(name) { perform Signal.wait(name) }
fn log(x) { say(x) }
fn say(x) { perform IO.print(x, stamp()) }
workflow W {
    step a { log(1) }
    step b { perform Signal.wait("x") }
    step c { (fn() = 3)() }
    step d { select { signal go => 1
        after 3s => self.z = 1 } }
}
workflow V { step a { waitFor("y") } }
`)
	w := p.Actor("W")
	for i, want := range []program.Effects{
		program.Performs | program.ReadsClock,
		program.Performs | program.Waits,
		0,
		program.Waits | program.WritesSelf,
	} {
		if got := w.Items[i].Step.Body.Effects; got != want {
			t.Errorf("step %d: %b, want %b", i, got, want)
		}
	}
	if strings.Join(w.Signals, " ") != "x go" || w.AnySignal {
		t.Errorf("%v %v", w.Signals, w.AnySignal)
	}
	if v := p.Actor("V"); len(v.Signals) > 0 || !v.AnySignal {
		t.Errorf("%+v", v)
	}
}

func TestImportedFiles(t *testing.T) {
	p := accept(t, "import \"lib1.wf\"\nadd(1, 2)\n", "fn add(a, b) = a + b\nfn other() = 1\nworkflow W { step a { 1 } }\n")
	if p.Func("add") == nil || p.Actor("W") == nil {
		t.Error("declarations of the second file are missing")
	}
}

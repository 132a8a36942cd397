package console_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/console"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

const script = `
workflow Order {
    state sku: String
    state approved: Bool = false
    step hold { perform Timer.sleep(2h) }
    step wait { let by = perform Signal.wait("approve", timeout: 24h); self.approved = by == "boss"; self.sku }
    query isApproved() { self.approved }
    command rush(hours: Int, why: String) { if hours < 1 { reject "too soon: ${why}" }; reply hours * 2 }
}
workflow Bad { step a { throw { code: "broken", message: "it is broken" } } }
entity Wallet {
    state balance: Int = 0
    command deposit(n: Int) { self.balance = self.balance + n; reply self.balance }
    query total() { self.balance }
}
fn double(x: Int) = x * 2
`

// builtins are the real ones and a call to the world.
func builtins() []*program.Builtin {
	what := []program.BuiltinParam{{Name: "what"}}
	return append(stdlib.Table(), &program.Builtin{Module: "World", Name: "call", Effect: program.Performs, Params: what})
}

// virtual is a clock that moves when it is told to.
type virtual struct{ now int64 }

func (c *virtual) Now() int64 { return c.now }

// world answers calls, which take an hour each.
type world struct{ calls []engine.Call }

func (w *world) Call(ctx context.Context, c engine.Call) (value.Value, error) {
	w.calls = append(w.calls, c)
	if name, _ := c.Args[0].AsString(); name == "bad" {
		return value.Nil, errors.New("no such variable")
	}
	return value.String("got it"), nil
}

func (w *world) Delay(engine.Call) time.Duration { return time.Hour }

// room is a console with a program behind it.
type room struct {
	t     *testing.T
	c     *console.Console
	tree  *ast.File
	world world
	out   bytes.Buffer
}

func newRoom(t *testing.T, cfg engine.Config) *room {
	m := &room{t: t}
	set := &source.Set{}
	f := source.NewFile("script.wf", script)
	m.tree, _ = parser.Parse(f, set.Add(f))
	prog, ds := engine.Compile(set, builtins())
	require.NotNil(t, prog, "%v", ds)
	cfg.Store, cfg.Builtins, cfg.Seed, cfg.Caller = persist.NewMemory(), builtins(), func() uint64 { return 7 }, &m.world
	e, err := engine.Open(t.Context(), cfg)
	require.NoError(t, err)
	m.c = &console.Console{Engine: e, Program: prog, Builtins: builtins(), Caller: &m.world, Output: &m.out, Seed: cfg.Seed}
	return m
}

// stepped is a room whose engine is stepped under a virtual clock.
func stepped(t *testing.T) *room {
	clock := &virtual{time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()}
	m := newRoom(t, engine.Config{Clock: clock, Serial: true})
	m.c.Wait = console.Stepping(m.c.Engine, func(to int64) { clock.now = to }, func() error {
		return &interp.Fault{Code: "stuck", Message: "nothing can move", Index: -1}
	})
	require.NoError(t, m.c.Engine.Adopt(t.Context(), m.c.Program))
	t.Cleanup(func() { require.NoError(t, m.c.Engine.Close()) })
	return m
}

// eval evaluates statements before the script's declarations.
func (m *room) eval(ctx context.Context, text string) (value.Value, error) {
	m.t.Helper()
	set := &source.Set{}
	set.Add(m.c.Program.Files.Files[0])
	f := source.NewFile("line", text)
	tree, said := parser.Parse(f, set.Add(f))
	require.Empty(m.t, said)
	s, said := checker.CheckOutside([]*ast.File{tree, m.tree}, set, checker.Options{Builtins: builtins()}, nil)
	require.NotNil(m.t, s, "%v", said)
	v, err := m.c.Run(ctx, s.Func, nil)
	if err != nil {
		return v, err
	}
	v, _ = s.Unpack(v, nil)
	return v, nil
}

func (m *room) gives(text, want string) {
	m.t.Helper()
	v, err := m.eval(m.t.Context(), text)
	require.NoError(m.t, err, text)
	require.Equal(m.t, want, v.String(), text)
}

func (m *room) faults(text, code, message string) {
	m.t.Helper()
	_, err := m.eval(m.t.Context(), text)
	var f *interp.Fault
	require.ErrorAs(m.t, err, &f, text)
	require.Equal(m.t, code, f.Code, f.Message)
	require.Contains(m.t, f.Message, message)
	require.EqualValues(m.t, 1, f.Span.File, "its place is in the line")
}

// What a body asks for goes to real instances, which are there for the next one.
func TestTalk(t *testing.T) {
	m := stepped(t)
	m.gives(`spawn Order { sku: "a" }`, `Order("Order-1")`)
	m.gives(`spawn Order { sku: "b" } as "mine"`, `Order("mine")`)
	m.gives(`spawn Order { sku: "b" } as "mine"`, `Order("mine")`)
	m.faults(`spawn Order { sku: "c" } as "mine"`, "conflict", "exists with other fields")
	m.faults(`spawn Order { sku: "c" } as ""`, "bad_request", "an id has 1 to 256 bytes")
	m.gives(`ask Order("mine").isApproved()`, "false")
	m.gives(`ask Order("mine").rush(3, why: "x")`, "6")
	m.gives(`ask Order("mine").rush(why: "x", hours: 4)`, "8")
	m.faults(`ask Order("mine").rush(0, "hurry")`, "bad_request", "too soon: hurry")
	m.faults(`ask Order("nobody").isApproved()`, "not_found", "nobody")
	m.gives(`try { ask Order("mine").rush(0, "hurry") } catch e { e.code }`, `"bad_request"`)
	m.gives(`perform Workflow.query(Order("mine"), "isApproved")`, "false")
	m.faults(`perform Workflow.query(3, "isApproved")`, "bad_argument", "needs a handle")
	m.gives(`for o in perform Workflow.list("Order") { perform IO.print(o.id, o.status) }`, "()")
	require.Equal(t, "Order-1 running\nmine running\n", m.out.String())
	var logged []engine.Logged
	m.c.Log = func(l engine.Logged) { logged = append(logged, l) }
	m.gives(`perform Log.warn("careful", { n: 1 })`, "()")
	require.Equal(t, []engine.Logged{{Time: m.c.Engine.Now(), Level: "warn", Text: "careful n=1"}}, logged)
	m.gives(`signal Order("mine").approve("boss")`, "()")
	m.faults(`perform Workflow.signal(Order("mine"), "aprove", "boss")`, "not_found", `did you mean "approve"?`)
	m.gives(`perform Workflow.cancel(Order("Order-1"))`, "()")
	m.faults(`await Order("Order-1")`, "cancelled", "Order-1 was cancelled")
}

// An entity of an adopted program is there without having been made, and a
// query makes none.
func TestEntities(t *testing.T) {
	m := stepped(t)
	m.gives(`ask Wallet("a").total()`, "0")
	m.gives(`perform Workflow.list()`, "[]")
	m.gives(`ask Wallet("a").deposit(5); ask Wallet("a").deposit(6)`, "11")
	m.gives(`ask Wallet("a").total()`, "11")
}

// A wait moves the clock as far as it must, not further, and ends when nothing
// is left that could move.
func TestSteppedTime(t *testing.T) {
	m := stepped(t)
	m.gives(`String(perform Time.now())`, `"2030-01-01T00:00:00Z"`)
	m.gives(`let o = spawn Order { sku: "a" }; perform Timer.sleep(90m); String(perform Time.now())`, `"2030-01-01T01:30:00Z"`)
	m.faults(`await Order("Order-1") for 10m`, "timeout", "Order-1 has not ended in time")
	m.gives(`String(perform Time.now())`, `"2030-01-01T01:40:00Z"`)
	m.gives(`signal Order("Order-1").approve("boss"); (await Order("Order-1"), ask Order("Order-1").isApproved(), String(perform Time.now()))`,
		`("a", true, "2030-01-01T02:00:00Z")`)
	m.gives(`perform Timer.until(Time("2030-01-02T00:00:00Z")); String(perform Time.now())`, `"2030-01-02T00:00:00Z"`)
	m.faults(`await spawn Bad {}`, "broken", "it is broken")
	m.faults(`await spawn Order { sku: "b" }`, "timeout", "")
	m.faults(`perform Timer.sleep(-1s)`, "bad_argument", "negative")
	m.faults(`await Wallet("a")`, "not_found", "")
	m.gives(`ask Wallet("a").deposit(5)`, "5")
	m.faults(`await Wallet("a")`, "stuck", "nothing can move")
}

// Calls to the world take the time that they take, are not repeated, and their
// errors can be caught.
func TestCalls(t *testing.T) {
	m := stepped(t)
	m.gives(`(perform World.call("x"), String(perform Time.now()))`, `("got it", "2030-01-01T01:00:00Z")`)
	m.faults(`perform World.call("bad")`, "error", "no such variable")
	m.gives(`try { perform World.call("bad") } catch e { e.message }`, `"no such variable"`)
	require.Len(t, m.world.calls, 3)
	require.NotEqual(t, m.world.calls[0].Key, m.world.calls[1].Key)
	m.gives(`let a = perform Uuid.new(); let b = perform Uuid.new(); (a == b, a.length)`, "(false, 36)")
	m.gives(`let n = perform Random.int(1, 3); n >= 1 && n <= 3`, "true")
	m.faults(`perform Random.int(3, 1)`, "bad_range", "")
}

// There is no inbox outside of an instance.
func TestNoInbox(t *testing.T) {
	m := stepped(t)
	m.faults(`perform Signal.wait("x")`, "no_self", "put it into a step of a workflow")
	m.faults(`perform Signal.clear("x")`, "no_self", "")
	m.faults("select { signal x(p) => p\n after 1h => 2 }", "no_self", "")
	m.faults(`fail { code: "done", message: "that is all" }`, "done", "that is all")
	m.gives(`[1, 2] |> List.map(double)`, "[2, 4]")
}

// A context that is done ends an evaluation wherever it is, and what was sent
// before stands.
func TestCancel(t *testing.T) {
	m := stepped(t)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	m.c.Output = writer(func(string) { cancel(why) })
	_, err := m.eval(ctx, `spawn Order { sku: "a" } as "kept"; try { perform IO.print("now"); while true {} } catch e { 1 }`)
	require.ErrorIs(t, err, why)
	m.gives(`ask Order("kept").isApproved()`, "false")
	_, err = m.eval(ctx, `perform Time.now()`)
	require.ErrorIs(t, err, why)
}

type writer func(string)

func (w writer) Write(p []byte) (int, error) { w(string(p)); return len(p), nil }

// Over an engine that drives itself a wait ends when the instance does, and when
// the context does.
func TestBell(t *testing.T) {
	defer goleak.VerifyNone(t)
	var bell *console.Bell
	var once sync.Once
	m := newRoom(t, engine.Config{Clock: engine.SystemClock(), Trace: func(engine.Trace) { bell.Ring() }})
	e := m.c.Engine
	bell = console.NewBell(e.Now)
	m.c.Wait = bell.Wait
	m.c.Caller = nil
	_, err := e.Recover(t.Context())
	require.NoError(t, err)
	require.NoError(t, e.Drive(t.Context(), engine.UntilIdle, func(ctx context.Context) error {
		m.faults(`await spawn Bad {}`, "broken", "it is broken")
		m.faults(`perform World.call("x")`, "unavailable", "World.call")
		m.gives(`perform Timer.sleep(2ms); 1`, "1")
		m.gives(`spawn Order { sku: "a" } as "o"`, `Order("o")`)
		m.faults(`await Order("o") for 5ms`, "timeout", "")
		ctx, cancel := context.WithCancel(ctx)
		m.c.Wait = func(ctx context.Context, until int64) error {
			once.Do(cancel)
			return bell.Wait(ctx, until)
		}
		_, err := m.eval(ctx, `await Order("o")`)
		require.ErrorIs(t, err, context.Canceled)
		return e.Terminate(t.Context(), "o")
	}))
	require.NoError(t, e.Close())
}

// Example evaluates a line over an engine in memory under a virtual clock.
func Example() {
	ctx := context.Background()
	clock := &virtual{}
	e, _ := engine.Open(ctx, engine.Config{Store: persist.NewMemory(), Builtins: builtins(), Clock: clock, Serial: true, Seed: func() uint64 { return 1 }})
	defer e.Close()

	set := &source.Set{}
	f := source.NewFile("line", "let started = perform Time.now()\nperform Timer.sleep(1h)\nperform Time.now() - started")
	tree, _ := parser.Parse(f, set.Add(f))
	line, _ := checker.CheckOutside([]*ast.File{tree}, set, checker.Options{Builtins: builtins()}, nil)

	c := console.Console{Engine: e, Program: line.Program, Seed: func() uint64 { return 1 }}
	c.Wait = console.Stepping(e, func(to int64) { clock.now = to }, func() error { return errors.New("nothing moves") })
	result, _ := c.Run(ctx, line.Func, nil)
	v, values := line.Unpack(result, nil)
	fmt.Println(v, strings.Count(fmt.Sprint(values), "1970"), line.Names[0].Name, line.Type)
	// Output: 1h 1 started Duration
}

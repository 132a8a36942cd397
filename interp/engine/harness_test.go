package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// virtual is a clock that moves when it is told to.
type virtual struct{ now int64 }

func (c *virtual) Now() int64 { return c.now }

func newVirtual() *virtual {
	return &virtual{time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()}
}

// world is the faulty test caller: it counts calls and answers as it is told.
type world struct {
	calls  []string // "op arg key"
	answer func(n int, c engine.Call) (value.Value, error)
	delay  func(n int, c engine.Call) time.Duration // virtual time that the n-th call takes
}

func (w *world) Delay(c engine.Call) time.Duration {
	if w.delay == nil {
		return 0
	}
	return w.delay(len(w.calls)+1, c)
}

func (w *world) Call(_ context.Context, c engine.Call) (value.Value, error) {
	w.calls = append(w.calls, fmt.Sprintf("%s %s %s", c.Op.FullName(), c.Args[0].Text(), c.Key))
	if w.answer == nil {
		return value.String("ok"), nil
	}
	return w.answer(len(w.calls), c)
}

// builtins are the real ones, a call to the world, and a bug.
func builtins() []*program.Builtin {
	what := []program.BuiltinParam{{Name: "what"}}
	return append(stdlib.Table(), &program.Builtin{Module: "World", Name: "call", Effect: program.Performs, Params: what},
		&program.Builtin{Module: "World", Name: "bug", Params: what, Fn: bug})
}

// bug panics as a bug of ours would.
func bug(_ program.Caller, args []value.Value) (value.Value, error) {
	var none *value.Record
	return value.Int(int64(none.Len())), nil
}

func compile(t testing.TB, text string) *program.Program {
	t.Helper()
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", text))
	prog, ds := engine.Compile(set, builtins())
	for _, d := range ds {
		t.Logf("%v %s %s", set.Position(d.Span), d.Code, d.Message)
	}
	require.NotNil(t, prog, "the program does not pass the checks")
	return prog
}

// A disk keeps what a store has committed, whatever becomes of the process.
type disk interface {
	Open() (persist.Store, error)
	Crash()
}

// memoryDisk is a disk in memory.
type memoryDisk struct{ *persist.Disk }

func (d memoryDisk) Open() (persist.Store, error) { return d.Disk.Open() }

func newDisk() disk { return memoryDisk{persist.NewDiskAs("test", time.Unix(0, 0))} }

// machine is a serial engine over a disk that survives it, with a virtual clock.
type machine struct {
	t       testing.TB
	text    string
	start   int64 // of the clock
	disk    disk
	clock   *virtual
	world   *world
	prog    *program.Program
	out     bytes.Buffer
	traces  []string
	plan    func(n int, batches []persist.Batch) persist.Fault
	picker  engine.Picker
	limits  interp.Limits
	store   *persist.Faulty
	e       *engine.Engine
	commits int // of engines before
	main    string
	crashes int
	seed    uint64 // added to that of new instances
	room    func(bool)
}

func newMachine(t testing.TB, text string) *machine {
	return &machine{t: t, text: text, start: newVirtual().now, disk: newDisk(), clock: newVirtual(), world: &world{}, prog: compile(t, text)}
}

// open starts an engine over the disk and lets it take up what is there.
func (m *machine) open() { require.NoError(m.t, m.tryOpen()) }

// tryOpen gives the error of a crash while the engine took up what was there.
func (m *machine) tryOpen() error {
	mem, err := m.disk.Open()
	require.NoError(m.t, err)
	before := m.commits
	m.store = persist.NewFaulty(mem, func(n int, bs []persist.Batch) persist.Fault {
		if m.plan == nil {
			return persist.NoFault
		}
		return m.plan(before+n, bs)
	})
	m.e, err = engine.Open(context.Background(), engine.Config{Store: m.store, Builtins: builtins(), Clock: m.clock,
		Seed: func() uint64 { return 42 + m.seed }, Caller: m.world, Output: &m.out, Serial: true, Picker: m.picker, Limits: m.limits,
		Room: m.room, TraceWords: true, Trace: func(tr engine.Trace) { m.traces = append(m.traces, tr.Instance+" "+tr.Text) }})
	require.NoError(m.t, err)
	run, err := m.e.FindMain(context.Background(), m.prog)
	require.NoError(m.t, err)
	m.main = run.ID
	e := m.e
	m.t.Cleanup(func() { e.Close() })
	_, err = m.e.Recover(context.Background())
	return err
}

// crash drops the engine as a dying process would.
func (m *machine) crash() {
	m.commits += m.store.Commits()
	m.crashes++
	m.store.Crash()
	if err := m.e.Close(); err != nil { // nothing is written any more; coroutines are unwound
		require.ErrorIs(m.t, err, persist.ErrCrash)
	}
	m.disk.Crash()
}

// begin opens and starts the program, unless its run is there.
func (m *machine) begin() error {
	if err := m.tryOpen(); err != nil {
		return err
	}
	if m.main != "" { // the run is there
		return nil
	}
	_, err := m.e.RunMain(context.Background(), m.prog)
	return err
}

// run steps the engine until nothing moves, the clock included. A crash that the
// plan asks for is followed by a new engine.
func (m *machine) run() {
	if m.e == nil {
		if err := m.begin(); err != nil {
			m.restart(err)
		}
	}
	for steps := 0; ; steps++ {
		require.Less(m.t, steps, 1_000_000, "the engine does not come to rest")
		if m.e.Step() {
			continue
		}
		if err := m.e.Err(); err != nil {
			m.restart(err)
			continue
		}
		at, ok := m.e.NextTimer()
		if !ok {
			return
		}
		m.clock.now = max(m.clock.now, at)
	}
}

func (m *machine) restart(err error) {
	require.ErrorIs(m.t, err, persist.ErrCrash)
	m.crash()
	if err := m.begin(); err != nil {
		m.restart(err)
	}
}

// advance moves the clock, timer by timer.
func (m *machine) advance(d time.Duration) {
	until := m.clock.now + int64(d)
	m.settle()
	for {
		at, ok := m.e.NextTimer()
		if !ok || at > until {
			break
		}
		m.clock.now = max(at, m.clock.now)
		m.settle()
	}
	m.clock.now = until
	m.settle()
}

// settle steps until nothing moves without the clock.
func (m *machine) settle() {
	for m.e.Step() {
	}
	require.NoError(m.t, m.e.Err())
}

func (m *machine) show(id string) engine.Summary {
	s, err := m.e.Show(context.Background(), id)
	require.NoError(m.t, err)
	return s
}

func (m *machine) events(id string) []string {
	var out []string
	require.NoError(m.t, m.e.Events(context.Background(), id, 1, func(e *engine.EventRecord) bool {
		out = append(out, e.String())
		return true
	}))
	return out
}

func (m *machine) history(id string) []*engine.Record {
	var out []*engine.Record
	require.NoError(m.t, m.e.History(context.Background(), id, func(r *engine.Record) bool {
		out = append(out, r)
		return true
	}))
	return out
}

func (m *machine) query(id, name string, args ...value.Value) value.Value {
	v, err := m.e.Query(context.Background(), id, name, args)
	require.NoError(m.t, err)
	return v
}

func (m *machine) signal(id, name string, payload value.Value) {
	require.NoError(m.t, m.e.Signal(context.Background(), id, name, payload, ""))
	m.settle()
}

// transcript is what a run comes to, for comparison: output, events and prints
// per instance and branch, and final states. Order between instances is not
// part of it.
func (m *machine) transcript() string {
	var all []string
	require.NoError(m.t, m.e.List(context.Background(), persist.Filter{}, func(s engine.Summary, err error) bool {
		require.NoError(m.t, err)
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s %s step %d %s", s.ID, s.Workflow, s.Status, s.StepIndex, s.Step)
		if s.Failure != nil {
			fmt.Fprintf(&b, " failure %s %q in %s at %s", s.Failure.Code, s.Failure.Message, s.Failure.Step, s.Failure.Place)
		}
		fmt.Fprintf(&b, " undo %s %v result %s\n", s.Undo.Status, s.Undo.Failed, s.Result)
		for _, f := range s.Fields {
			fmt.Fprintf(&b, "  %s = %s\n", f.Name, f.Value)
		}
		for _, e := range m.events(s.ID) {
			fmt.Fprintf(&b, "  %s\n", e)
		}
		for _, r := range m.history(s.ID) {
			switch {
			case r.Print:
				fmt.Fprintf(&b, "  [%s] prints %q\n", r.Path, r.Value.Text())
			case r.Kind == engine.RecCompleted:
				fmt.Fprintf(&b, "  [%q] %s %s %s\n", r.Path, r.What, r.Step, r.Value)
			}
		}
		all = append(all, b.String())
		return true
	}))
	slices.Sort(all)
	return strings.Join(all, "")
}

var errBroken = errors.New("connection refused")

package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// virtual is a clock that moves when it is told to.
type virtual struct{ now int64 }

func (c *virtual) Now() int64 { return c.now }

// begun is the instant at which every virtual clock begins.
var begun = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func newVirtual() *virtual { return &virtual{begun.UnixNano()} }

// since is how long after the beginning an instant lies.
func since(at int64) time.Duration { return time.Unix(0, at).Sub(begun) }

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

// answers makes the world answer by what is asked.
func (w *world) answers(f func(what string, n int) (value.Value, error)) {
	w.answer = func(n int, c engine.Call) (value.Value, error) { return f(c.Args[0].Text(), n) }
}

// takes makes every call take the time.
func (w *world) takes(d time.Duration) {
	w.delay = func(int, engine.Call) time.Duration { return d }
}

var errBroken = errors.New("connection refused")

// fault is an error answer of the world with a code.
func fault(code, message string) error { return &interp.Fault{Code: code, Message: message, Index: -1} }

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

// compileText compiles a text that may be refused.
func compileText(name, text string) (*program.Program, diag.List, *source.Set) {
	set := &source.Set{}
	set.Add(source.NewFile(name, text))
	prog, ds := engine.Compile(set, builtins())
	return prog, ds, set
}

func compile(t testing.TB, text string) *program.Program { return compileAs(t, "test.wf", text) }

func compileAs(t testing.TB, name, text string) *program.Program {
	t.Helper()
	prog, ds, set := compileText(name, text)
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

// dice is a picker that decides by a seed.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) Pick(n int) int { return d.IntN(n) }

// machine is a serial engine over a disk that survives it, with a virtual clock.
type machine struct {
	t       testing.TB
	text    string
	disk    disk
	clock   *virtual
	world   *world
	prog    *program.Program
	out     bytes.Buffer
	traces  []string
	plan    persist.Plan
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
	return &machine{t: t, text: text, disk: newDisk(), clock: newVirtual(), world: &world{}, prog: compile(t, text)}
}

// open starts an engine over the disk and lets it take up what is there.
func (m *machine) open() { require.NoError(m.t, m.tryOpen()) }

// tryOpen gives the error of a crash while the engine took up what was there.
func (m *machine) tryOpen() error {
	m.mount()
	run, err := m.e.FindMain(context.Background(), m.prog)
	require.NoError(m.t, err)
	m.main = run.ID
	_, err = m.e.Recover(context.Background())
	return err
}

// mount starts an engine over the disk that has taken up nothing yet.
func (m *machine) mount() {
	mem, err := m.disk.Open()
	require.NoError(m.t, err)
	before := m.commits
	m.store = persist.NewFaulty(mem, func(n int, bs []persist.Batch) persist.Fault {
		if m.plan == nil {
			return persist.NoFault
		}
		return m.plan(before+n, bs)
	})
	e, err := engine.Open(context.Background(), engine.Config{Store: m.store, Builtins: builtins(), Clock: m.clock,
		Seed: func() uint64 { return 42 + m.seed }, Caller: m.world, Output: &m.out, Serial: true, Picker: m.picker, Limits: m.limits,
		Room: m.room, TraceWords: true, Trace: func(tr engine.Trace) { m.traces = append(m.traces, tr.Instance+" "+tr.Text) }})
	require.NoError(m.t, err)
	m.e = e
	m.t.Cleanup(func() { e.Close() })
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

// reopen is a crash while nothing moves, and a new engine that has taken up
// what is there and come to rest.
func (m *machine) reopen() {
	m.crash()
	m.open()
	m.settle()
}

// under has the machine's next engine run another program over the same disk.
func (m *machine) under(name, text string) { m.prog = compileAs(m.t, name, text) }

// leaves starts an engine with the machine's program over the disk, and gives
// the mains that it leaves alone.
func (m *machine) leaves() []engine.Summary {
	m.open()
	run, err := m.e.FindMain(m.t.Context(), m.prog)
	require.NoError(m.t, err)
	return run.LeftAlone
}

// openWithout starts an engine that was given no program.
func (m *machine) openWithout() {
	m.mount()
	_, err := m.e.LeaveMains(m.t.Context(), "")
	require.NoError(m.t, err)
	_, err = m.e.Recover(m.t.Context())
	require.NoError(m.t, err)
	m.settle()
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

// start runs the program as far as it goes without the clock.
func (m *machine) start() {
	require.NoError(m.t, m.begin())
	m.settle()
}

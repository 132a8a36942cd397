package tests

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A mock answers calls of one operation.
type mock struct {
	op      string
	once    bool
	after   time.Duration
	matcher value.Value
	at      source.Span
	hits    int // calls that it has answered
}

// A callID names a call: the same one made again after a crash has the same.
type callID struct {
	instance, key string
	attempt       int
}

// made is a call that was made.
type made struct {
	call    engine.Call
	mock    *mock       // nil: none is for it
	respond value.Value // gives the answer
	began   int64       // when it was made first, in Unix nanoseconds
	times   int         // how often it was made: a crash makes it again
}

// A world is the world outside of one run of a test: mocks, and a list of calls.
// It outlives the engines that die in the run, as the real one does.
type world struct {
	trial *trial
	stage *call.Stage
	mocks []*mock
	calls []*made
	byID  map[callID]*made
	// stray is the first call that no mock is for, broken what went wrong in the
	// choice of a mock.
	stray  *engine.Call
	broken error
}

func newWorld(t *trial) *world {
	return &world{trial: t, stage: call.NewStage(stageClock{t}), byID: map[callID]*made{}}
}

// stageClock is the clock of a trial.
type stageClock struct{ trial *trial }

// Now gives the virtual time in Unix nanoseconds.
func (c stageClock) Now() int64 { return c.trial.lab.Now() }

// Delay is how long a call takes: what its mock says, or its `timeout:`. The time
// of a call that a crash has made again is that of the first one, so that a run
// with a crash can come to the same.
func (w *world) Delay(c engine.Call) time.Duration {
	if m := w.find(c); m.mock != nil {
		gone := time.Duration(w.trial.lab.Now() - m.began)
		return max(0, w.stage.Takes(c, m.mock.after)-gone)
	}
	return 0
}

// Call answers a call by the mock that is for it.
func (w *world) Call(_ context.Context, c engine.Call) (value.Value, error) {
	m := w.find(c)
	m.times++
	if m.mock == nil {
		if v, err, known := w.stage.Knows(c); known {
			return v, err
		}
		if w.stray == nil {
			w.stray = &m.call
		}
		return value.Nil, &interp.Fault{Code: "denied", Message: c.Op.FullName() + " has no mock in this test", Index: -1}
	}
	if err := w.stage.Late(c, m.mock.after); err != nil {
		return value.Nil, err
	}
	v, err := w.trial.apply(m.respond)
	if err != nil {
		return value.Nil, err
	}
	v, err = w.stage.Answer(c, v)
	var wrong *call.Unusable
	if errors.As(err, &wrong) && w.broken == nil {
		w.broken = &interp.Fault{Code: "bad_argument", Message: wrong.Message, Span: m.mock.at, Index: -1}
	}
	return v, err
}

// find gives a call that was made already, or notes a new one and chooses its
// mock.
func (w *world) find(c engine.Call) *made {
	id := callID{c.Instance, c.Key, c.Attempt}
	if m := w.byID[id]; m != nil {
		return m
	}
	m := &made{call: c, began: w.trial.lab.Now()}
	m.mock, m.respond = w.choose(c)
	if m.mock != nil {
		m.mock.hits++
	}
	w.calls = append(w.calls, m)
	w.byID[id] = m
	return m
}

// choose finds the mock for a call: first those that answer once, as they were
// declared, then the others, the last declared first.
func (w *world) choose(c engine.Call) (*mock, value.Value) {
	args := w.arguments(c)
	for _, m := range w.mocks {
		if m.once && m.hits == 0 {
			if f, ok := w.matches(m, c, args); ok {
				return m, f
			}
		}
	}
	for i := len(w.mocks) - 1; i >= 0; i-- {
		if m := w.mocks[i]; !m.once {
			if f, ok := w.matches(m, c, args); ok {
				return m, f
			}
		}
	}
	return nil, value.Nil
}

func (w *world) matches(m *mock, c engine.Call, args []value.Value) (value.Value, bool) {
	if m.op != c.Op.FullName() {
		return value.Nil, false
	}
	f, err := w.trial.apply(m.matcher, args...)
	if err != nil && w.broken == nil {
		w.broken = err
	}
	return f, err == nil && !f.IsNil()
}

// arguments are those of a call as the function of a mock takes them.
func (w *world) arguments(c engine.Call) []value.Value {
	n := len(c.Op.Params)
	args := append([]value.Value(nil), c.Args[:min(n, len(c.Args))]...)
	if c.Op.Rest {
		args = append(args, value.List(c.Args[len(args):]...))
	}
	return args
}

// record is a call as `calls` lists it: what it was given, by parameter.
func (m *made) record() value.Value {
	var keys []string
	var vals []value.Value
	for i, p := range m.call.Op.Params {
		if i < len(m.call.Args) && !m.call.Args[i].IsNil() {
			keys, vals = append(keys, p.Name), append(vals, m.call.Args[i])
		}
	}
	if n := len(m.call.Op.Params); m.call.Op.Rest && len(m.call.Args) > n {
		keys, vals = append(keys, "rest"), append(vals, value.List(m.call.Args[n:]...))
	}
	return value.NewRecord(keys, vals)
}

// trouble is the failure that the world has in store for the test, nil if there
// is none.
func (w *world) trouble() error {
	switch {
	case w.broken != nil:
		return w.trial.fault(w.broken)
	case w.stray != nil:
		return &failError{w.unmocked(w.stray)}
	}
	return nil
}

// unmocked is the failure by a call that no mock is for.
func (w *world) unmocked(c *engine.Call) *Fail {
	who := "the test"
	if c.Instance != "" {
		who = c.Instance
	}
	f := &Fail{Place: w.trial.place(c.At), Message: fmt.Sprintf("%s calls %s, and there is no mock for it; write\n    %s", who, c.Op.FullName(), mockLine(c.Op))}
	for i, p := range c.Op.Params {
		if i < len(c.Args) && !c.Args[i].IsNil() {
			f.Parts = append(f.Parts, Part{p.Name, c.Args[i].Short(shown)})
		}
	}
	for _, m := range w.mocks {
		if m.op == c.Op.FullName() {
			f.Message = fmt.Sprintf("%s calls %s in a way that none of its mocks is for; change one, or write\n    %s", who, c.Op.FullName(), mockLine(c.Op))
		}
	}
	return f
}

// mockLine is a mock of an operation that a script may begin with.
func mockLine(op *program.Builtin) string {
	answer := map[string]string{"Http": "{ status: 200, json: { ok: true } }", "Exec": `{ code: 0, out: "" }`, "LLM": `"an answer"`}[op.Module]
	if answer == "" {
		answer = `"an answer"`
	}
	return fmt.Sprintf("mock %s(...) => %s", op.FullName(), answer)
}

// notes tell of mocks that were for no call.
func (w *world) notes() []Note {
	var out []Note
	for _, m := range w.mocks {
		if m.hits == 0 {
			out = append(out, Note{w.trial.place(m.at), "this mock of " + m.op + " was never used"})
		}
	}
	return out
}

// errNoWorld is what a mock gets that asks for something.
var errNoWorld = errors.New("a mock only computes")

// nowhere is the host of mocks: there is nothing.
type nowhere struct{}

// Do refuses every request.
func (nowhere) Do(r interp.Request) (value.Value, error) {
	return value.Nil, &interp.Fault{Code: "denied", Message: errNoWorld.Error(), Span: r.Span, Index: -1}
}

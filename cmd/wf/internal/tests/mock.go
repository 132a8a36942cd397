package tests

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wf-lang/wf/interp"
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
	from    int // calls that were made before it was declared
	last    int // the number of the last call that it has answered, from 1
	// behind are the mocks that were declared before and would have answered
	// the same calls; hides is the first of those that answered in its place.
	behind []*mock
	hides  *mock
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
				w.noteHidden(m, w.mocks[:i], c, args)
				return m, f
			}
		}
	}
	return nil, value.Nil
}

// noteHidden notes which of the mocks before the chosen one would have answered a
// call too.
func (w *world) noteHidden(chosen *mock, before []*mock, c engine.Call, args []value.Value) {
	for _, m := range before {
		if m.once || slices.Contains(chosen.behind, m) {
			continue
		}
		if _, ok, err := w.fits(m, c, args); ok && err == nil {
			chosen.behind = append(chosen.behind, m)
			if m.hides == nil {
				m.hides = chosen
			}
		}
	}
}

func (w *world) matches(m *mock, c engine.Call, args []value.Value) (value.Value, bool) {
	f, ok, err := w.fits(m, c, args)
	if err != nil && w.broken == nil {
		w.broken = err
	}
	return f, ok
}

// fits reports whether a mock is for a call, and gives the function that answers.
func (w *world) fits(m *mock, c engine.Call, args []value.Value) (f value.Value, ok bool, err error) {
	if m.op != c.Op.FullName() {
		return value.Nil, false, nil
	}
	f, err = w.trial.apply(m.matcher, args...)
	return f, err == nil && !f.IsNil(), err
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
	args := w.arguments(*c)
	for _, m := range w.mocks {
		if _, fits, err := w.fits(m, *c, args); fits && err == nil { // it was its turn once only
			f.Message = fmt.Sprintf("%s calls %s once more than its mocks answer: the `mock once` in line %d has answered; write\n    %s",
				who, c.Op.FullName(), w.line(m), mockLine(c.Op))
			return f
		}
		if m.op == c.Op.FullName() {
			f.Message = fmt.Sprintf("%s calls %s in a way that none of its mocks is for; change one, or write\n    %s", who, c.Op.FullName(), mockLine(c.Op))
		}
	}
	return f
}

func (w *world) line(m *mock) int { return w.trial.place(m.at).Line }

// mockLine is a mock of an operation that a script may begin with.
func mockLine(op *program.Builtin) string {
	answer := map[string]string{"Http": "{ status: 200, json: { ok: true } }", "Exec": `{ code: 0, out: "" }`, "LLM": `"an answer"`}[op.Module]
	if answer == "" {
		answer = `"an answer"`
	}
	return fmt.Sprintf("mock %s(...) => %s", op.FullName(), answer)
}

// notes tell of mocks that answered no call, and, if the test has failed, of those
// that have taken all calls of an earlier one since they were declared: that may be
// why. One that takes some of its calls is what mocks for a special case do.
func (w *world) notes(failed bool) []Note {
	var out []Note
	for _, m := range w.mocks {
		switch {
		case m.hits == 0 && m.hides != nil:
			out = append(out, Note{w.trial.place(m.at), fmt.Sprintf("this mock of %s was never used: the one in line %d, which is declared later, answers its calls", m.op, w.line(m.hides))})
		case m.hits == 0:
			out = append(out, Note{w.trial.place(m.at), "this mock of " + m.op + " was never used"})
		}
		for _, behind := range m.behind {
			if failed && behind.hits > 0 && behind.last <= m.from {
				out = append(out, Note{w.trial.place(m.at), fmt.Sprintf("this mock of %s, which is declared later, has answered all calls since that the one in line %d is for", m.op, w.line(behind))})
			}
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

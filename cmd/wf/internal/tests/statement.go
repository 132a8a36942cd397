package tests

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// statement answers the operations that only tests have.
func (t *trial) statement(r *interp.Request) (value.Value, error) {
	switch r.Op.Name {
	case program.TestMock:
		return value.Unit, t.mock(r)
	case program.TestCalls:
		return t.calls(r.Args[0].Text()), nil
	case program.TestEvents:
		return t.events(r)
	case program.TestExpect:
		return value.Unit, t.expect(r)
	case program.TestExpectError:
		return value.Unit, t.expectError(r)
	case program.TestAdvance:
		d, ok := r.Args[0].AsDuration()
		if !ok || d < 0 {
			return value.Nil, t.failf(r, "`advance` moves the clock forward by a Duration, not by %s", r.Args[0].Short(shown))
		}
		return value.Unit, t.advance(d)
	case program.TestCrash:
		return value.Unit, t.lab.Crash()
	}
	return value.Nil, fmt.Errorf("there is no statement %q of tests", r.Op.Name)
}

// failf ends the test at a request.
func (t *trial) failf(r *interp.Request, format string, args ...any) error {
	return &failError{&Fail{Place: t.place(r.Span), Message: fmt.Sprintf(format, args...)}}
}

func (t *trial) mock(r *interp.Request) error {
	m := &mock{op: r.Args[0].Text(), matcher: r.Args[3], at: r.Span, from: len(t.world.calls)}
	m.once = value.Equal(r.Args[1], value.Bool(true))
	if !r.Args[2].IsNil() {
		d, ok := r.Args[2].AsDuration()
		if !ok || d < 0 {
			return t.failf(r, "a mock answers after a Duration, not after %s", r.Args[2].Short(shown))
		}
		m.after = d
	}
	t.world.mocks = append(t.world.mocks, m)
	return nil
}

// calls lists the calls made of an operation, each once.
func (t *trial) calls(op string) value.Value {
	var out []value.Value
	for _, m := range t.world.calls {
		if m.call.Op.FullName() == op && m.times > 0 {
			out = append(out, m.record())
		}
	}
	return value.List(out...)
}

// events gives the events of an instance as variants, none of one that there is
// not.
func (t *trial) events(r *interp.Request) (value.Value, error) {
	h, ok := r.Args[0].AsHandle()
	if !ok {
		return value.Nil, t.failf(r, "`events` takes the handle of an instance, not %s", r.Args[0].Short(shown))
	}
	var out []value.Value
	err := t.lab.Engine().Events(t.ctx, h.StoreID(), 1, func(ev *engine.EventRecord) bool {
		out = append(out, value.NewVariant(&value.Variant{Name: ev.Name, Names: ev.Names, Fields: ev.Args}))
		return true
	})
	if errors.Is(err, engine.ErrNotFound) {
		err = nil
	}
	return value.List(out...), err
}

// shown is how many characters of a value a message has.
const shown = 400

func (t *trial) expect(r *interp.Request) error {
	if value.Equal(r.Args[0], value.Bool(true)) {
		return nil
	}
	f := &Fail{Place: t.place(r.Span), Message: oneLine(strings.TrimSpace(t.suite.prog.Files.Text(r.Span)))}
	if _, isBool := r.Args[0].AsBool(); !isBool {
		f.Message += ": only a Bool can be expected, and this is " + r.Args[0].Kind().Article()
	}
	parts, _ := r.Args[2].AsList()
	pairs := make([][]value.Value, len(parts))
	for i, p := range parts {
		pairs[i], _ = p.AsTuple()
		f.Parts = append(f.Parts, Part{oneLine(pairs[i][0].Text()), pairs[i][1].Short(shown)})
	}
	if op := r.Args[1].Text(); op == "==" && len(pairs) == 2 {
		if where := differ(pairs[0][1], pairs[1][1]); where != "" {
			f.Parts = append(f.Parts, Part{"they differ at", where})
		}
	}
	return &failError{f}
}

// oneLine joins the lines of a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (t *trial) expectError(r *interp.Request) error {
	err, _ := r.Args[1].AsRecord()
	want := ""
	if !r.Args[0].IsNil() {
		want = r.Args[0].Text()
	}
	switch {
	case err == nil && want == "":
		return t.failf(r, "an error was expected, and there was none")
	case err == nil:
		return t.failf(r, "an error with the code %q was expected, and there was none", want)
	}
	code, _ := err.Get("code")
	message, _ := err.Get("message")
	if want != "" && code.Text() != want {
		return t.failf(r, "an error with the code %q was expected, and there was one with %q: %s", want, code.Text(), message.Text())
	}
	return nil
}

// blockTest runs a test block, and with Options.Crash every crash of it.
func (s *suite) blockTest(ctx context.Context, test *program.Test) Result {
	r := Result{Name: test.Name, Kind: Block, Status: Passed, Place: placeOf(s.prog.Files, test.Span)}
	watch := startWatch()
	out, err := s.try(ctx, test, nil)
	r.Notes = out.world.notes(err != nil)
	if err == nil && s.Crash {
		err = s.crashes(ctx, test, &out, &r)
	}
	if r.Elapsed = watch(); err != nil {
		r.Status, r.Failure = Failed, failOf(err, r.Place)
		if r.Failure.Place == (Place{}) {
			r.Failure.Place = r.Place
		}
		r.Output = out.output
	}
	return r
}

// startWatch gives how much real time has passed since it was called.
func startWatch() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

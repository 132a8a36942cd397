package tests

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/cmd/wf/internal/lab"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
)

// crashes runs a test block again with a crash before and a crash after every
// single write to the store. Each run has to pass and to come to the same, but
// for what a `perform once` that a crash has left open changes: it was promised
// not to be repeated, so its outcome is unknown.
func (s *suite) crashes(ctx context.Context, test *program.Test, whole *outcome, r *Result) error {
	want := whole.transcript.Canonical()
	for n := 1; n <= whole.writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			out, err := s.try(ctx, test, lab.CrashAt(n, fault))
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case out.unsure:
			case err != nil:
				return crashed(err, n, fault)
			default:
				if diff := golden.Diff(want, out.transcript.Canonical()); diff != "" {
					r.Diff = diff
					return crashed(errors.New("what is in the store at the end is not the same (- without, + with the crash)"), n, fault)
				}
			}
			r.Points++
			r.repeated(out.world)
		}
	}
	return nil
}

// crashed is the failure of a run with a crash.
func crashed(err error, n int, fault persist.Fault) error {
	f := failOf(err, Place{})
	when := "before"
	if fault == persist.CrashAfter {
		when = "after"
	}
	f.Crash = fmt.Sprintf("with a crash %s write %d to the store", when, n)
	return &failError{f}
}

// repeated notes the effects that a crash has had performed twice.
func (r *Result) repeated(w *world) {
	for _, m := range w.calls {
		op := m.call.Op.FullName()
		if m.times < 2 || harmless(op) {
			continue
		}
		at := w.trial.place(m.call.At)
		i := slices.IndexFunc(r.Repeats, func(x Repeat) bool { return x.Operation == op && x.Place == at })
		if i < 0 {
			i = len(r.Repeats)
			r.Repeats = append(r.Repeats, Repeat{Operation: op, Place: at})
		}
		r.Repeats[i].Times++
	}
}

// harmless reports whether an operation only looks, so that it may be repeated.
func harmless(op string) bool {
	return slices.Contains([]string{"Http.get", "File.read", "File.exists", "File.list", "Env.get", "Secret.get"}, op)
}

package tests

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
)

// crashes runs a test block again with a crash before and a crash after every
// single write to the store. Each run has to pass and to come to the same, but
// for what two things change: a `perform once` that a crash has left open was
// promised not to be repeated, so its outcome is unknown; and the timeout of a
// step begins anew, so that it may not cut what it would have cut.
func (s *suite) crashes(ctx context.Context, test *program.Test, whole *outcome, r *Result) error {
	want := whole.transcript.Canonical()
	for n := 1; n <= whole.writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			out, err := s.try(ctx, test, persist.FaultAt(n, fault))
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case out.unsure, out.world.longer(whole.world):
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
		if m.times > 1 && !harmless(op) && !keyed(m.call) {
			r.Repeats = AddRepeats(r.Repeats, Repeat{Operation: op, Place: w.trial.place(m.call.At), Times: 1})
		}
	}
}

// AddRepeats adds repeats to a list that has each place and operation once.
func AddRepeats(all []Repeat, more ...Repeat) []Repeat {
	for _, e := range more {
		i := slices.IndexFunc(all, func(x Repeat) bool { return x.Operation == e.Operation && x.Place == e.Place })
		if i < 0 {
			all = append(all, e)
			continue
		}
		all[i].Times += e.Times
	}
	return all
}

// harmless reports whether an operation only looks, or comes to the same when it
// is repeated, as PUT and DELETE do.
func harmless(op string) bool {
	return slices.Contains([]string{"Http.get", "Http.put", "Http.delete", "File.write", "File.delete", "File.read", "File.exists", "File.list", "Env.get", "Secret.get", "Secret.hmac"}, op)
}

// keyed reports whether the script itself has given a call its key: then it has
// thought of repetitions.
func keyed(c engine.Call) bool {
	for i, p := range c.Op.Params {
		if p.Name != "headers" || i >= len(c.Args) {
			continue
		}
		r, ok := c.Args[i].AsRecord()
		if !ok {
			return false
		}
		for k := range r.Len() {
			if name, _ := r.At(k); strings.EqualFold(name, "Idempotency-Key") {
				return true
			}
		}
	}
	return false
}

package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// rest ends all disturbances and drives everything to its end. Whatever has not
// ended has to have a reason.
func (r *run) rest() {
	r.calm, r.world.calm, r.fault, r.in, r.full = true, true, persist.NoFault, 0, 0
	for range 400 {
		if len(r.wrong) > 0 {
			return
		}
		r.settle()
		if r.nextTimer() {
			continue
		}
		if !r.urge() {
			return
		}
	}
	r.complain("not everything ends")
}

// urge gives everything that waits what it waits for. It reports whether there
// was anything.
func (r *run) urge() bool {
	ctx := context.Background()
	var all []engine.Summary
	err := r.e.List(ctx, persist.Filter{}, func(s engine.Summary, err error) bool {
		if err != nil {
			r.complain("%s cannot be read: %v", s.ID, err)
		}
		all = append(all, s)
		return true
	})
	if err != nil {
		r.complain("list: %v", err)
	}
	some := false
	for _, s := range all {
		switch s.Status {
		case "completed", "failed", "cancelled", "ready":
			continue
		case "paused":
			some = true
			if err := r.e.Resume(ctx, s.ID); err != nil {
				r.complain("resume %s: %v", s.ID, err)
			}
			continue
		}
		if len(s.Waiting) == 0 {
			r.complain("%s is running, at %s, and waits for nothing", s.ID, s.Step)
		}
		for _, w := range s.Waiting {
			some = true
			switch w.Kind {
			case engine.WaitsForSignal:
				r.urgeWaiting(s.ID, w)
			case engine.WaitsForEnd:
				id := strings.TrimPrefix(w.For, "end of ")
				if t, err := r.e.Show(ctx, id); err != nil || t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled" {
					r.complain("%s awaits %s, which is %s %v", s.ID, id, t.Status, err)
				}
			default:
				r.complain("%s waits for %v, and no timer is set", s.ID, w)
			}
		}
	}
	return some
}

// urgeWaiting sends a signal that an instance waits for.
func (r *run) urgeWaiting(id string, w engine.Waiting) {
	now, err := r.e.Show(context.Background(), id)
	if err != nil || len(now.Waiting) == 0 {
		return // a signal that was sent to it just now has moved it
	}
	r.checkMissed(id, w)
	tag := r.tag("urge")
	err = r.e.Signal(context.Background(), id, w.Signals[0], value.String(tag), "")
	var refused *engine.RefusedError
	if err != nil && !errors.As(err, &refused) {
		r.complain("signal %s: %v", id, err)
	}
	if err == nil {
		r.ledger.signals = append(r.ledger.signals, sent{id, w.Signals[0], tag})
	}
}

// checkMissed: no signal that an instance waits for lies in its inbox, unless a
// branch holds it that waits for something else now.
func (r *run) checkMissed(id string, w engine.Waiting) {
	type place struct {
		path, step     string
		visit, attempt uint32
	}
	at := func(rec *engine.Record) place { return place{rec.Path, rec.Step, rec.Visit, rec.Attempt} }
	names := map[uint64]string{} // of the signals in the inbox, by number
	holds := map[place][]uint64{}
	waits := map[string]place{} // by path
	err := r.e.History(context.Background(), id, func(rec *engine.Record) bool {
		switch rec.Kind {
		case engine.RecSignal:
			names[rec.Signal] = rec.Name
		case engine.RecWaiting:
			waits[rec.Path] = at(rec)
		case engine.RecAnswer:
			if rec.Signal != 0 {
				holds[at(rec)] = append(holds[at(rec)], rec.Signal)
			}
		case engine.RecCompleted:
			for _, n := range holds[at(rec)] {
				delete(names, n)
			}
		}
		return true
	})
	if err != nil {
		r.complain("history of %s: %v", id, err)
	}
	for _, p := range waits {
		for _, n := range holds[p] {
			delete(names, n)
		}
	}
	for n, name := range names {
		if slices.Contains(w.Signals, name) {
			r.complain("%s waits for the signal %s, and number %d in its inbox is one", id, name, n)
		}
	}
}

// tag is a new text.
func (r *run) tag(what string) string {
	r.tags++
	return fmt.Sprintf("out|%s|%d", what, r.tags)
}

// outcome says what became of a request.
type outcome int

const (
	accepted outcome = iota
	refused
	unknown
)

// outcomeOf reads the answer to a request.
func (r *run) outcomeOf(err error) outcome {
	var fault *interp.Fault
	var refusal *engine.RefusedError
	switch {
	case err == nil:
		return accepted
	case errors.Is(err, engine.ErrUnknown), lost(err):
		return unknown
	case errors.As(err, &fault), errors.As(err, &refusal), errors.Is(err, persist.ErrFull), errors.Is(err, engine.ErrStopped):
		return refused
	}
	r.complain("an answer that says nothing: %v", err)
	return unknown
}

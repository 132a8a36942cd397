package tests

import (
	"context"
	"fmt"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/persist"
)

// maxPending is how many instances a failure lists.
const maxPending = 10

// pending lists what has not ended, and what it waits for.
func (t *trial) pending() []string {
	var out []string
	more := 0
	err := t.lab.Engine().List(t.ctx, persist.Filter{}, func(s engine.Summary, err error) bool {
		switch {
		case err != nil || s.Status != flow.Running.String() && s.Status != flow.Paused.String():
		case len(out) == maxPending:
			more++
		default:
			out = append(out, standing(s))
		}
		return true
	})
	if err != nil {
		return nil // there is a failure to tell about already
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

func standing(s engine.Summary) string {
	text := s.ID + " is " + s.Status
	if s.Step != "" {
		text += " at " + s.Step
	}
	for i, w := range s.Waiting {
		if i == 0 {
			text += ", waits for "
		} else {
			text += ", "
		}
		text += w.String()
	}
	return text
}

// unsure reports whether some instance has had an outcome that nobody knows.
func unsure(ctx context.Context, e *engine.Engine) (found bool, err error) {
	var bad error
	err = e.List(ctx, persist.Filter{}, func(s engine.Summary, err error) bool {
		if err != nil {
			return true
		}
		bad = e.History(ctx, s.ID, func(r *engine.Record) bool {
			found = found || r.Failure != nil && r.Failure.Code == "outcome_unknown"
			return !found
		})
		return bad == nil && !found
	})
	if err == nil {
		err = bad
	}
	return found, err
}

package sim_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// observe looks at what there is. What was seen once stays, whatever happens.
func (r *run) observe() {
	look := r.readEnds
	switch r.IntN(4) {
	case 0:
		box := "Box/" + pick(r.Rand, boxes)
		look = func() { r.lookLive(box) }
	case 1:
		id, _ := r.someone()
		look = func() {
			if r.look(id, "told"); r.ledger.deleted[id] {
				delete(r.ledger.lists, id)
			}
		}
	case 2:
		look = r.readEvents
	}
	if look(); r.chance(30) {
		r.bury()
		r.open()
		look()
	}
}

// readEvents reads the log on from where it was read last.
func (r *run) readEvents() {
	l := &r.ledger
	err := r.e.Events(context.Background(), "", uint64(len(l.events))+1, func(e *engine.EventRecord) bool {
		if e.Number != uint64(len(l.events))+1 {
			r.complain("behind event %d comes event %d", len(l.events), e.Number)
		}
		l.events = append(l.events, e.Instance+" "+e.String())
		return true
	})
	if err != nil {
		r.complain("read events: %v", err)
	}
}

// readEnds looks who has ended: that stays, and how.
func (r *run) readEnds() {
	err := r.e.List(context.Background(), persist.Filter{}, func(s engine.Summary, err error) bool {
		if err != nil {
			r.complain("%s cannot be read: %v", s.ID, err)
			return true
		}
		if s.Status == "running" || s.Status == "paused" || s.Status == "ready" {
			if was := r.ledger.ended[s.Number]; was != "" {
				r.complain("%s had ended, %s, and is %s now", s.ID, was, s.Status)
			}
			return true
		}
		how := fmt.Sprint(s.Status, " ", s.Result, " ", s.Fields, " ", s.StepIndex)
		if was := r.ledger.ended[s.Number]; was != "" && was != how && !r.ledger.retried[s.ID] {
			r.complain("%s had ended as %s, and has ended as %s now", s.ID, was, how)
		}
		r.ledger.ended[s.Number] = how
		return true
	})
	if err != nil {
		r.complain("list: %v", err)
	}
}

// look queries a list. What was seen once stays.
func (r *run) look(id, query string) []string {
	v, err := r.e.Query(context.Background(), id, query, nil)
	if err != nil {
		if o := r.outcomeOf(err); o == refused && !r.ledger.deleted[id] && len(r.ledger.lists[id]) > 0 {
			r.complain("%s was there and is not any more: %v", id, err)
		}
		return nil
	}
	list := texts(v)
	seen := r.ledger.lists[id]
	if n := min(len(seen), len(list)); !r.ledger.deleted[id] && !slices.Equal(seen[:n], list[:n]) || len(list) < len(seen) && !r.ledger.deleted[id] {
		r.complain("%s had %v, and has %v now", id, seen, list)
	}
	if len(list) > len(seen) {
		r.ledger.lists[id] = list
	}
	return list
}

// lookLive queries a box: it answers by the last commit, no more and no less,
// whatever is on its way to the store.
func (r *run) lookLive(box string) {
	if list := r.look(box, "all"); len(list) != r.known[box] {
		r.complain("%s has %v; by what was committed there are %d", box, list, r.known[box])
	}
}

func texts(v value.Value) []string {
	list, _ := v.AsList()
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = x.Text()
	}
	return out
}

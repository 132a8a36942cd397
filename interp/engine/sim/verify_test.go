package sim_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
)

// A past is all that there is of a run at its end.
type past struct {
	rows    map[string]engine.Summary   // by id
	numbers map[uint64]engine.Summary   // by number
	events  []*engine.EventRecord       // of the whole log
	owners  []uint64                    // number of the instance, by event
	lists   map[string][]string         // of boxes, and of what workflows were told, by id
	history map[string][]*engine.Record // by id
	signals map[string][]string         // tags that were delivered, by id
	born    map[string][]string         // ids by mark
}

// verify holds everything that has happened against what was answered and seen.
func (r *run) verify() {
	if len(r.wrong) > 0 {
		return
	}
	r.readEnds()
	p := r.past()
	r.checkEvents(p)
	r.checkLists(p)
	r.checkSpawns(p)
	byInstance := map[uint64][]*engine.EventRecord{}
	for i, e := range p.events {
		byInstance[p.owners[i]] = append(byInstance[p.owners[i]], e)
	}
	for _, number := range slices.Sorted(maps.Keys(byInstance)) {
		events := byInstance[number]
		w := r.design.workflows[events[0].Workflow]
		if w == nil {
			continue
		}
		r.checkModel(p, number, w, events)
		r.checkTold(p, number, w, events)
		r.checkTogether(events)
	}
	r.checkPrints(p)
	r.world.check(func(format string, args ...any) {
		what := fmt.Sprint(args[0])
		for id := range r.ledger.deleted {
			if strings.Contains(what, id+"|") {
				return // its visits may have happened twice
			}
		}
		r.complain(format, args...)
	})
}

// past reads everything.
func (r *run) past() *past {
	ctx := context.Background()
	p := &past{rows: map[string]engine.Summary{}, numbers: map[uint64]engine.Summary{}, lists: map[string][]string{},
		history: map[string][]*engine.Record{}, signals: map[string][]string{}, born: map[string][]string{}}
	fine := func(err error) {
		if err != nil {
			r.complain("read the store: %v", err)
		}
	}
	fine(r.e.List(ctx, persist.Filter{}, func(s engine.Summary, err error) bool {
		fine(err)
		p.rows[s.ID], p.numbers[s.Number] = s, s
		return true
	}))
	for id, s := range p.rows {
		query := "told"
		if s.Workflow == "Box" {
			query = "all"
		}
		if s.Workflow != "main" {
			p.lists[id] = r.look(id, query)
		}
		fine(r.e.History(ctx, id, func(rec *engine.Record) bool {
			p.history[id] = append(p.history[id], rec)
			if rec.Kind == engine.RecSignal {
				p.signals[id] = append(p.signals[id], rec.Value.Text())
			}
			return true
		}))
	}
	fine(r.e.Events(ctx, "", 1, func(e *engine.EventRecord) bool {
		p.events = append(p.events, e)
		if e.Name == "Born" {
			p.born[e.Args[0].Text()] = append(p.born[e.Args[0].Text()], e.Instance)
		}
		return true
	}))
	for e, err := range r.store.Events(ctx, 1) {
		fine(err)
		p.owners = append(p.owners, e.Instance)
	}
	return p
}

// checkEvents: the log is gapless, and what was seen of it is there.
func (r *run) checkEvents(p *past) {
	for i, e := range p.events {
		if e.Number != uint64(i+1) {
			r.complain("event %d has the number %d", i+1, e.Number)
		}
		// The engine notes the time once a second.
		if i > 0 && e.Time < p.events[i-1].Time-int64(time.Second) {
			r.complain("event %d is from %s before event %d", i+1, time.Duration(p.events[i-1].Time-e.Time), i)
		}
	}
	for i, was := range r.ledger.events {
		if i >= len(p.events) {
			r.complain("event %d was seen, and is not there: %s", i+1, was)
		} else if now := p.events[i].Instance + " " + p.events[i].String(); now != was {
			r.complain("event %d was %s, and is %s", i+1, was, now)
		}
	}
}

// checkLists: what was accepted is in the lists where the answer said, what was
// refused is not, nothing is there twice, and the events tell the same.
func (r *run) checkLists(p *past) {
	emitted := map[string][]string{}
	for _, e := range p.events {
		if e.Name == "Got" || e.Name == "Poked" {
			emitted[e.Instance] = append(emitted[e.Instance], e.Args[0].Text())
		}
	}
	for id, list := range p.lists {
		seen := map[string]bool{}
		for _, tag := range list {
			if seen[tag] && !r.isAgain(tag) {
				r.complain("%s has %s twice: %v", id, tag, list)
			}
			if seen[tag] = true; r.ledger.denied[tag] {
				r.complain("%s has %s, which was refused", id, tag)
			}
		}
		if !r.ledger.deleted[id] && !slices.Equal(list, emitted[id]) {
			r.complain("%s has %v, and its events say %v", id, list, emitted[id])
		}
	}
	for _, c := range slices.Concat(r.ledger.adds, r.ledger.pokes) {
		r.checkClaim(p, c)
	}
	for _, s := range r.ledger.signals {
		if n := count(p.signals[s.id], s.tag); n != 1 && !r.ledger.deleted[s.id] {
			r.complain("the signal %s to %s was accepted, and is in the journal %d times", s.tag, s.id, n)
		}
	}
	for id, tags := range p.signals {
		for _, tag := range tags {
			if count(tags, tag) > 1 && !r.isAgain(tag) {
				r.complain("%s got the signal %s %d times", id, tag, count(tags, tag))
			}
			if r.ledger.denied[tag] {
				r.complain("%s got the signal %s, which was refused", id, tag)
			}
		}
	}
}

// isAgain reports whether a tag may be that of two visits, because an instance of
// its id was deleted and there was another one.
func (r *run) isAgain(tag string) bool {
	id, _, _ := strings.Cut(tag, "|")
	return r.ledger.deleted[id]
}

func count(list []string, s string) (n int) {
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

func (r *run) checkClaim(p *past, c claim) {
	list := p.lists[c.id]
	switch {
	case r.ledger.deleted[c.id] || c.place == 0: // then it may be there, once
	case c.place > int64(len(list)) || list[c.place-1] != c.tag:
		r.complain("%s was to be number %d of %s: %v", c.tag, c.place, c.id, list)
	}
}

// checkSpawns: a spawn that was accepted has made one instance, one that was
// refused none. A retry may spawn again what ended badly.
func (r *run) checkSpawns(p *past) {
	for tag, id := range r.ledger.spawned {
		if ids := p.born[tag]; !slices.Equal(ids, []string{id}) {
			r.complain("the spawn %s was accepted as %s; there are %v", tag, id, ids)
		}
	}
	for tag := range r.ledger.denied {
		if ids := p.born[tag]; len(ids) > 0 {
			r.complain("the spawn %s was refused; there are %v", tag, ids)
		}
	}
	for tag, ids := range p.born {
		for _, id := range ids[:len(ids)-1] {
			if s := p.rows[id]; !r.isAgain(tag) && !r.ledger.deleted[id] && s.Status != "failed" && s.Status != "cancelled" {
				r.complain("%s was spawned more than once: %v", tag, ids)
			}
		}
	}
}

// checkModel: the language allows what an instance has done.
func (r *run) checkModel(p *past, number uint64, w *workflow, events []*engine.EventRecord) {
	id := events[0].Instance
	m := newModel(w, r.ledger.retried[id])
	s, there := p.numbers[number]
	if there {
		m.failed = map[string]bool{}
		for _, rec := range p.history[id] {
			if rec.Kind == engine.RecFailed && !rec.Again && strings.HasPrefix(rec.Path, "~") {
				m.failed[rec.Step] = true
			}
		}
	}
	for i, e := range events {
		h := happening{name: e.Name}
		for _, a := range e.Args {
			h.args = append(h.args, a.Text())
		}
		switch {
		case e.Name == "Tried":
			continue
		case e.Name == "Did":
			h.args[2], h.value = h.args[3], h.args[4]
		}
		if !m.feed(h) {
			r.complain("%s (%s) cannot do this now:\n%s", id, w.name, tail(events[:i+1]))
			return
		}
	}
	if !there {
		return
	}
	var failed []string
	for _, f := range s.Undo.Failed {
		failed = append(failed, f.Step)
	}
	slices.Sort(failed)
	if !m.ended(s.Status, failed) {
		r.complain("%s (%s) cannot have ended as %s, with these compensations failed: %v; ending %q, its events are\n%s", id, w.name, s.Status, failed, s.Ending, tail(events))
	}
}

// tail shows the last events.
func tail(events []*engine.EventRecord) string {
	var b strings.Builder
	for _, e := range events[max(0, len(events)-25):] {
		fmt.Fprintf(&b, "    %s\n", e)
	}
	return b.String()
}

// checkTogether: what a failed attempt has emitted never appears; the events of a
// step stand together.
func (r *run) checkTogether(events []*engine.EventRecord) {
	for i, e := range events {
		if e.Name != "Tried" {
			continue
		}
		if i+1 == len(events) || events[i+1].Number != e.Number+1 || events[i+1].Name != "Tried" && events[i+1].Name != "Did" {
			r.complain("%s of %s is not followed by the other events of its step", e, e.Instance)
		}
	}
}

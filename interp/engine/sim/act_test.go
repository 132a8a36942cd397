package sim_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A ledger has what was answered to requests from outside, and what was seen.
type ledger struct {
	adds    []claim           // tags put into boxes
	pokes   []claim           // tags put into workflows
	signals []sent            // accepted
	denied  map[string]bool   // tags of requests that were refused
	spawned map[string]string // id by mark, of accepted spawns
	deleted map[string]bool   // ids that were, or may have been, deleted
	retried map[string]bool   // ids whose compensations were, or may have been, tried again

	lists  map[string][]string // the longest list seen, by instance
	events []string            // as they were seen, by number
	ended  map[uint64]string   // how an instance has ended, by number
}

// A claim is that a tag is in a list: at a place, or at most once if that is 0.
type claim struct {
	id, tag string
	place   int64
}

type sent struct{ id, name, tag string }

func (l *ledger) init() {
	l.denied, l.deleted, l.retried, l.spawned = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]string{}
	l.lists, l.ended = map[string][]string{}, map[uint64]string{}
}

// request makes a request until it has an answer that says what became of it; one
// without a key is made once. It gives the outcome.
func (r *run) request(key string, do func(ctx context.Context) error) outcome {
	for range 40 {
		err := do(context.Background())
		o := r.outcomeOf(err)
		r.note("  %d %v", o, err)
		r.alive()
		if o != unknown || key == "" {
			return o
		}
		r.nextTimer() // perhaps there is room then
		r.settle()
	}
	r.complain("a request with a key never gets an answer")
	return unknown
}

// act makes a request from outside.
func (r *run) act() {
	id, kind := r.someone()
	tag := r.tag("t")
	key := ""
	if r.chance(60) {
		key = tag
	}
	n := r.IntN(100)
	switch {
	case n < 22:
		most := int64(1000)
		if r.chance(20) {
			most = r.Int64N(10)
		}
		r.add(pick(r.Rand, boxes), tag, key, most)
	case n < 34:
		r.poke(kind, id, tag, key)
	case n < 54:
		for range 1 + r.IntN(3) {
			r.signal(kind, id)
		}
	case n < 60:
		r.spawn(tag, key)
	case n < 78:
		commands := []string{"go", "go", "halt", "halt", "quit", "die"}
		name := pick(r.Rand, commands)
		args := []value.Value{value.String(tag)}
		if name == "go" {
			args = append(args, value.Int(r.Int64N(6)))
		}
		r.note("%s %s %s", name, id, tag)
		r.request(key, func(ctx context.Context) error {
			_, err := r.e.Call(ctx, value.Handle{Type: kind, ID: id}, name, args, key, r.prog)
			return err
		})
	default:
		r.operate(id)
	}
}

// signal sends a signal, most often one that the instance can take.
func (r *run) signal(workflow, id string) {
	name, tag, key := pick(r.Rand, signalNames), r.tag("t"), ""
	if w := r.design.workflows[workflow]; !w.signals[name] && r.chance(90) {
		return
	}
	if r.chance(60) {
		key = tag
	}
	r.note("signal %s %s %s", id, name, tag)
	switch r.request(key, func(ctx context.Context) error { return r.e.Signal(ctx, id, name, value.String(tag), key) }) {
	case accepted:
		r.ledger.signals = append(r.ledger.signals, sent{id, name, tag})
	case refused:
		r.ledger.denied[tag] = true
	}
}

func (r *run) chance(percent int) bool { return r.IntN(100) < percent }

// someone is an instance that there is, or may be.
func (r *run) someone() (id, workflow string) {
	var all []persist.Row
	ended := r.chance(15)
	for row, err := range r.store.List(context.Background(), persist.Filter{}) {
		if err != nil {
			r.complain("list: %v", err)
			break
		}
		if r.design.workflows[row.Workflow] != nil && (ended || row.Status == "running" || row.Status == "paused") {
			all = append(all, row)
		}
	}
	if len(all) == 0 || r.chance(5) {
		id = pick(r.Rand, r.design.ids)
		return id, r.design.known[id]
	}
	s := pick(r.Rand, all)
	return s.ID, s.Workflow
}

func boxHandle(box string) value.Handle { return value.Handle{Type: "Box", ID: box, Entity: true} }

func (r *run) add(box, tag, key string, most int64) {
	r.note("add %s %s", box, tag)
	place := int64(0)
	do := func(ctx context.Context) error {
		v, err := r.e.Call(ctx, boxHandle(box), "add", []value.Value{value.String(tag), value.Int(most)}, key, r.prog)
		if err == nil {
			place, _ = v.AsInt()
		}
		return err
	}
	o := r.request(key, do)
	if o == refused {
		r.ledger.denied[tag] = true
		return
	}
	r.ledger.adds = append(r.ledger.adds, claim{"Box/" + box, tag, place})
	if o != accepted {
		return
	}
	r.mustHave("Box/"+box, "all", tag, place)
	if first := place; key != "" && r.chance(20) {
		if o := r.request(key, do); o != accepted || place != first {
			r.complain("%s was put into %s at %d; asked again under its key the answer was %d %d", tag, box, first, o, place)
		}
	}
}

func (r *run) poke(workflow, id, tag, key string) {
	r.note("poke %s %s", id, tag)
	place := int64(0)
	o := r.request(key, func(ctx context.Context) error {
		v, err := r.e.Call(ctx, value.Handle{Type: workflow, ID: id}, "poke", []value.Value{value.String(tag)}, key, r.prog)
		if err == nil {
			place, _ = v.AsInt()
		}
		return err
	})
	if o == refused {
		r.ledger.denied[tag] = true
		return
	}
	r.ledger.pokes = append(r.ledger.pokes, claim{id, tag, place})
	if o == accepted {
		r.mustHave(id, "told", tag, place)
	}
}

// mustHave asks for a list that a command has just put something into.
func (r *run) mustHave(id, query, tag string, place int64) {
	list := r.look(id, query)
	if place < 1 || place > int64(len(list)) || list[place-1] != tag {
		r.complain("the command said that %s is number %d of %s; a query right after it sees %v", tag, place, id, list)
	}
}

func (r *run) spawn(tag, key string) {
	workflow := fmt.Sprintf("W%d", r.IntN(3))
	id := ""
	if r.chance(50) {
		id = "id-" + tag[strings.LastIndex(tag, "|")+1:]
	}
	fields, _ := value.NewRecord([]string{"mark"}, []value.Value{value.String(tag)}).AsRecord()
	r.note("spawn %s %q %s", workflow, id, tag)
	var got engine.Summary
	switch r.request(key, func(ctx context.Context) (err error) {
		got, err = r.e.Spawn(ctx, r.prog, workflow, id, fields, key)
		return err
	}) {
	case accepted:
		r.ledger.spawned[tag] = got.ID
	case refused:
		r.ledger.denied[tag] = true
	}
}

// wanted is the reason for which instances are parked from outside.
const wanted = "somebody wants it"

// operate does what an operator may do to an instance.
func (r *run) operate(id string) {
	deeds := []struct {
		name   string
		weight int
		do     func(ctx context.Context) error
	}{
		{"resume", 9, func(ctx context.Context) error { return r.e.Resume(ctx, id) }},
		{"cancel", 4, func(ctx context.Context) error { return r.e.Cancel(ctx, id) }},
		{"park", 3, func(ctx context.Context) error { return r.e.Park(ctx, id, wanted) }},
		{"retry", 5, func(ctx context.Context) error { return r.e.Retry(ctx, id) }},
		{"terminate", 2, func(ctx context.Context) error { return r.e.Terminate(ctx, id) }},
		{"delete", 2, func(ctx context.Context) error { return r.e.Delete(ctx, id, r.chance(50)) }},
	}
	n := r.IntN(25)
	for _, d := range deeds {
		if n -= d.weight; n >= 0 {
			continue
		}
		r.note("%s %s", d.name, id)
		was := r.ledger.deleted[id]
		if d.name == "delete" {
			r.ledger.deleted[id] = true // what it prints in the same commit is gone at once
		}
		o := r.request("", d.do)
		if o == refused {
			r.ledger.deleted[id] = was
			return
		}
		switch d.name {
		case "retry":
			r.ledger.retried[id] = true
		case "delete":
			if _, err := r.e.Show(context.Background(), id); o == accepted && r.outcomeOf(err) != refused {
				r.complain("%s was deleted and is there: %v", id, err)
			}
		}
		return
	}
}

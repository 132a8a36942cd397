package sim_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// checkTold: what the steps were told is what has happened.
func (r *run) checkTold(p *past, number uint64, w *workflow, events []*engine.EventRecord) {
	id := events[0].Instance
	used := map[string]bool{}
	var order []string
	for _, e := range events {
		if e.Name != "Did" {
			continue
		}
		entries, _ := e.Args[2].AsList()
		for _, entry := range entries {
			parts, _ := entry.AsTuple()
			if parts[0].Text() == "signal" && parts[2].Text() != "timeout" {
				tag := parts[2].Text()
				if used[tag] {
					r.complain("%s has used the signal %s twice", id, tag)
				}
				used[tag] = true
				order = append(order, tag)
				continue
			}
			r.checkEntry(p, e, parts)
		}
	}
	s, there := p.numbers[number]
	if !there {
		return
	}
	delivered := p.signals[id]
	for tag := range used {
		if count(delivered, tag) != 1 {
			r.complain("%s has used the signal %s, which it never got", id, tag)
		}
	}
	for _, rec := range p.history[id] {
		if rec.Kind == engine.RecEnded && rec.N != len(delivered)-len(used) {
			r.complain("%s (%s) got %d signals, has used %d, and %d were left", id, s.Status, len(delivered), len(used), rec.N)
		}
	}
	if w.blocks {
		return
	}
	at := map[string]int{} // by name
	names := map[string]string{}
	for _, rec := range p.history[id] {
		if rec.Kind == engine.RecSignal {
			names[rec.Value.Text()] = rec.Name
		}
	}
	for _, tag := range order {
		if i := slices.Index(delivered, tag); i < at[names[tag]] {
			r.complain("%s has used the signal %s behind a later one", id, tag)
		} else {
			at[names[tag]] = i
		}
	}
}

// checkEntry checks one thing that a step was told.
func (r *run) checkEntry(p *past, e *engine.EventRecord, parts []value.Value) {
	text := func(i int) string { return parts[i].Text() }
	bad := func(why string) { r.complain("%s was told %v in %s, and %s", e.Instance, parts, e.Step, why) }
	switch kind := text(0); kind {
	case "slept":
		if text(1) != "true" {
			bad("its timer was early")
		}
	case "call", "tried", "once":
		what, answer := text(1), text(2)
		if kind == "once" {
			what = "once|" + what
		}
		if answer != "unavailable" && answer != "outcome_unknown" && !r.world.answered(what, answer) {
			bad("the world has not said so")
		}
		if answer == "unavailable" && kind == "once" {
			bad("whether that was done is not known")
		}
	case "add":
		r.checkPlace(p.lists["Box/"+text(1)], text(2), parts[3], bad)
	case "saw":
		if list, seen := p.lists["Box/"+text(1)], texts(parts[2]); len(seen) > len(list) || !slices.Equal(seen, list[:len(seen)]) {
			bad(fmt.Sprintf("the box has %v", list))
		}
	case "poke":
		if !r.ledger.deleted[text(1)] {
			r.checkPlace(p.lists[text(1)], text(2), parts[3], bad)
		}
	case "sent":
		want := 0
		if text(3) == "sent" {
			want = 1
		}
		if n := count(p.signals[text(1)], text(2)); n != want && !r.ledger.deleted[text(1)] && !r.isAgain(text(2)) {
			bad(fmt.Sprintf("the signal is there %d times", n))
		}
	case "child":
		if !slices.Contains(p.born[text(1)], text(2)) {
			bad("there is no such child")
		}
	case "ended":
		if got := text(2); got == "timeout" || got == "not_found" || got == "conflict" {
			return // when it was asked
		}
		r.checkEnd(p, text(1), parts[2], bad)
	case "end":
		r.checkEnd(p, text(1), parts[2], bad)
	}
}

// checkPlace: an answer that is a number is the place in the list.
func (r *run) checkPlace(list []string, tag string, answer value.Value, bad func(string)) {
	place, ok := answer.AsInt()
	switch {
	case !ok && slices.Contains(list, tag) && !r.isAgain(tag):
		bad("it is in the list")
	case ok && (place < 1 || place > int64(len(list)) || list[place-1] != tag):
		bad(fmt.Sprintf("the list is %v", list))
	}
}

// checkEnd: what awaiting an instance gave is how it has ended.
func (r *run) checkEnd(p *past, id string, got value.Value, bad func(string)) {
	s, there := p.rows[id]
	if r.ledger.deleted[id] {
		return
	}
	want := s.Status
	switch {
	case !there:
		want = "not_found"
	case s.Status == "completed":
		want = s.Result.Text()
	case s.Status == "failed":
		want = s.Failure.Code
	}
	if got.Text() != want {
		bad("it has ended with " + want)
	}
}

// checkPrints: what is recorded was shown, and what was shown is recorded.
func (r *run) checkPrints(p *past) {
	shown := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(r.out.String(), "\n"), "\n") {
		shown[line] = line != ""
	}
	recorded := map[string]bool{}
	for id, records := range p.history {
		for _, rec := range records {
			if !rec.Print {
				continue
			}
			line := strings.TrimSuffix(rec.Value.Text(), "\n")
			if recorded[line] = true; !shown[line] {
				r.complain("%s has printed %q, and it was never shown", id, line)
			}
		}
	}
	for line := range shown {
		id, _, _ := strings.Cut(strings.TrimPrefix(line, "P "), "|")
		if !recorded[line] && line != "" && !r.ledger.deleted[id] {
			r.complain("%q was shown, and is not recorded", line)
		}
	}
}

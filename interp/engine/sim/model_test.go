package sim_test

import (
	"fmt"
	"slices"
	"strings"
)

// The model says which sequences of events a workflow can have. It shares no
// code with the engine: it knows the design of the workflow, and the language's
// rules of sequence, failover, parallel blocks, pauses, commands and undoing.
// Much of what happens leaves no event (a step that fails, a pause that ends), so
// the model follows all possibilities at once; a sequence is wrong if none is left.

// A row is a visit that would be undone.
type row struct {
	name   string
	done   bool
	value  string // what it was worth: the tag, "nil" if it was left by goto or pause, "?" if that is not followed
	step   string // its name in lists of what has failed
	failed bool   // its compensation has failed for good
}

// life is what an instance does.
type life int

const (
	unborn life = iota
	running
	paused
	undoing
	closing // `finally` is to come, if there is one
	over
)

// A branch is one of a block under way.
type branch struct {
	at     int // step that runs
	phase  byte
	rows   []row
	undoes bool   // it has a row of its own, the first
	value  string // tag of the last step that completed
}

// The phases of a branch.
const (
	branchAhead   = 'a'
	branchRuns    = 'r'
	branchDone    = 'd'
	branchUndoing = 'u'
	branchBad     = 'b'
)

// A state is one possibility.
type state struct {
	life     life
	item     int
	n, moves int
	rows     []row // in the order of starting
	branches []branch
	next     int // paused: what follows
	then     int // paused: what follows when its time is over
	status   string
	value    string // that a block was worth which the item under way came after
}

func (s *state) key() string { return fmt.Sprint(*s) }

func (s state) clone() state {
	s.rows = slices.Clone(s.rows)
	s.branches = slices.Clone(s.branches)
	for i := range s.branches {
		s.branches[i].rows = slices.Clone(s.branches[i].rows)
	}
	return s
}

// A model follows one instance.
type model struct {
	w       *workflow
	states  []state
	retried bool // somebody has asked for failed compensations to be tried again
	// failed are the names of what has compensations that have failed, if that is
	// known: it keeps the possibilities few.
	failed map[string]bool
}

func newModel(w *workflow, retried bool) *model {
	return &model{w: w, states: []state{{life: unborn}}, retried: retried}
}

// begun is the row of a visit that has just begun.
func begun(it *item) row {
	step, _, _ := strings.Cut(it.name, ":")
	if it.block != nil {
		step = "parallel"
	}
	return row{name: it.name, step: step, value: "nil"}
}

// mayFail reports whether the compensation of a row may fail for good.
func (m *model) mayFail(r row) bool {
	return m.failed == nil || m.failed[r.step]
}

// start begins a visit of an item.
func (m *model) start(s state, item int) state {
	s.life, s.item = running, item
	if item >= len(m.w.items) {
		return m.end(s, "completed")
	}
	it := m.w.items[item]
	s.branches = nil
	if it.undoes {
		s.rows = append(s.rows, begun(it))
	}
	if it.block == nil {
		return s
	}
	if !it.block.hasHead() {
		s = enter(s, it.block)
	}
	return s
}

// leave puts the rows of a block's branches with the others: the last branch is
// undone first.
func (s state) leave() state {
	for _, b := range s.branches {
		s.rows = append(s.rows, b.rows...)
	}
	s.branches = nil
	return s
}

// end decides the ending; status is "" if it may be failed or cancelled.
func (m *model) end(s state, status string) state {
	s = s.leave()
	s.status = status
	if s.life = undoing; status == "completed" {
		s.life = closing
		s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return !r.failed })
	}
	return s
}

// last is the row that is undone next, -1 if there is none.
func last(rows []row) int {
	for i := len(rows) - 1; i >= 0; i-- {
		if !rows[i].failed {
			return i
		}
	}
	return -1
}

// silent gives what may follow a state without an event.
func (m *model) silent(s state) []state {
	var out []state
	add := func(t state) { out = append(out, t) }
	switch s.life {
	case running:
		add(m.end(s.clone(), ""))
		add(m.terminated(s.clone()))
		it := m.w.items[s.item]
		if it.block == nil {
			if it.failover >= 0 {
				add(m.start(s.clone(), it.failover))
			}
			break
		}
		out = append(out, m.silentBlock(s, it)...)
	case paused:
		add(m.end(s.clone(), ""))
		add(m.terminated(s.clone()))
		t := s.clone()
		add(m.start(t, s.next))
		if s.then >= 0 {
			add(m.start(s.clone(), s.then))
		}
	case undoing:
		add(m.terminated(s.clone()))
		t := s.clone()
		if i := last(t.rows); i >= 0 {
			if t.rows[i].failed = true; m.mayFail(t.rows[i]) {
				add(t)
			}
			break
		}
		if t.life = closing; m.wasRetried(s) {
			t.life = over // `finally` has run
		}
		add(t)
	case closing:
		t := s.clone()
		t.life = over
		if !m.w.finally {
			add(t)
		} else {
			add(m.terminated(t))
		}
	case over:
		if m.retried && slices.ContainsFunc(s.rows, func(r row) bool { return r.failed }) {
			t := s.clone()
			for i := range t.rows {
				t.rows[i].failed = false
			}
			t.life, t.next = undoing, retriedMark
			add(t)
		}
	}
	return out
}

// retriedMark, as what follows, marks that compensations run again after the end.
const retriedMark = -7

func (m *model) wasRetried(s state) bool { return s.next == retriedMark }

// terminated: the instance is stopped at once; what was not undone is listed.
func (m *model) terminated(s state) state {
	s = s.leave()
	s.life = over
	for i := range s.rows {
		s.rows[i].failed = true
	}
	return s
}

// closure adds what may follow silently.
func (m *model) closure(states []state) []state {
	seen := map[string]bool{}
	var all []state
	todo := slices.Clone(states)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		k := s.key()
		if seen[k] {
			continue
		}
		seen[k] = true
		all = append(all, s)
		todo = append(todo, m.silent(s)...)
	}
	return all
}

// A happening is an event as the model reads it.
type happening struct {
	name  string
	args  []string
	value string // Did: what the item before was worth, if the step takes it
}

// feed takes an event; it reports whether the model can have had it.
func (m *model) feed(h happening) bool {
	var after []state
	for _, s := range m.closure(m.states) {
		after = append(after, m.take(s.clone(), h)...)
	}
	m.states = after
	return len(after) > 0
}

// take gives what a state becomes by an event, nothing if it cannot have it.
func (m *model) take(s state, h happening) []state {
	live := s.life == running || s.life == paused
	one := func(t state) []state { return []state{t} }
	switch h.name {
	case "Born":
		if s.life == unborn {
			if m.w.undoes {
				s.rows = append(s.rows, row{name: "whole", step: m.w.name, value: "nil"})
			}
			return one(m.start(s, 0))
		}
	case "Poked":
		if live || s.life == undoing && !m.wasRetried(s) || s.life == closing {
			return one(s)
		}
	case "Did":
		if s.life == running {
			return m.did(s, h)
		}
	case "Undid":
		return m.undid(s, h)
	case "Over":
		if s.life == closing && m.w.finally && (s.status == h.args[0] || s.status == "" && (h.args[0] == "failed" || h.args[0] == "cancelled")) {
			s.life, s.status = over, h.args[0]
			return one(s)
		}
	case "Moved":
		if live {
			s = s.leave()
			s.moves++
			to := int(atoi(h.args[1]))
			if to < 0 || to >= m.w.regular || m.w.items[to].block != nil || m.w.items[to].param {
				to = 0
			}
			return one(m.start(s, to))
		}
	case "Halted":
		if live {
			s = s.leave()
			s.moves++
			if s.life == running {
				s.next = s.item
			}
			s.life, s.then = paused, -1
			return one(s)
		}
	case "Quit":
		if live {
			return one(m.end(s, "completed"))
		}
	case "Died":
		if live {
			return one(m.end(s, "failed"))
		}
	}
	return nil
}

func atoi(s string) (n int64) {
	fmt.Sscan(s, &n)
	return n
}

// did: a step has completed, or has said `fail`.
func (m *model) did(s state, h happening) []state {
	name, tag, how := h.args[0], h.args[1], h.args[2]
	it := m.w.items[s.item]
	if want := fmt.Sprintf("|%s|%d|%d", name, s.n, s.moves); !strings.HasSuffix(tag, want) {
		return nil
	}
	if it.block != nil {
		return m.didBranch(s, it, name, tag, how)
	}
	if it.name != name || it.param && h.value != s.value {
		return nil
	}
	s.n++
	if how == "fail" {
		return []state{m.end(s, "failed")}
	}
	if i := len(s.rows) - 1; it.undoes {
		if s.rows[i].done = true; how == "next" || how == "end" {
			s.rows[i].value = tag
		}
	}
	target := func(prefix string) int { return m.w.index[strings.TrimPrefix(how, prefix)] }
	switch {
	case how == "next":
		return []state{m.start(s, s.item+1)}
	case how == "end":
		return []state{m.end(s, "completed")}
	case strings.HasPrefix(how, "goto "):
		return []state{m.start(s, target("goto "))}
	}
	s.life, s.next, s.then = paused, s.item+1, -1
	if strings.HasPrefix(how, "pause then ") {
		s.then = target("pause then ")
	}
	return []state{s}
}

// undid: a compensation has completed.
func (m *model) undid(s state, h happening) []state {
	is := func(r row) bool {
		return r.name == h.args[0] && fmt.Sprint(r.done) == h.args[1] && (r.value == "?" || r.value == h.args[2])
	}
	if s.life == undoing {
		i := last(s.rows)
		if i < 0 || !is(s.rows[i]) {
			return nil
		}
		s.rows = append(s.rows[:i:i], s.rows[i+1:]...)
		return []state{s}
	}
	if s.life != running {
		return nil
	}
	var out []state
	for i, br := range s.branches {
		if j := last(br.rows); br.phase == branchUndoing && j >= 0 && is(br.rows[j]) {
			t := s.clone()
			t.branches[i].rows = append(br.rows[:j:j], br.rows[j+1:]...)
			out = append(out, t)
		}
	}
	return out
}

// ended reports whether the instance can have ended with the status, and with
// the compensations that failed for good.
func (m *model) ended(status string, failed []string) bool {
	for _, s := range m.closure(m.states) {
		if s.life != over || s.status != status && (s.status != "" || status == "completed") {
			continue
		}
		var names []string
		for _, r := range s.rows {
			if r.failed {
				names = append(names, r.step)
			}
		}
		slices.Sort(names)
		if slices.Equal(names, failed) {
			return true
		}
	}
	return false
}

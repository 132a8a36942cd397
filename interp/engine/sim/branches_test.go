package sim_test

import (
	"slices"
	"strconv"
	"strings"
)

func (m *model) silentBlock(s state, it *item) []state {
	var out []state
	b := it.block
	if s.branches == nil {
		return append(out, enter(s.clone(), b)) // what stands before its braces is computed
	}
	count := map[byte]int{}
	for _, br := range s.branches {
		count[br.phase]++
	}
	alone := b.mode != "" // a branch that fails is undone alone
	under := count[branchRuns] + count[branchUndoing]
	decided := b.mode == "first" && count[branchDone] > 0
	for i, br := range s.branches {
		t := s.clone()
		switch br.phase {
		case branchAhead:
			if !decided && (i == 0 || s.branches[i-1].phase != branchAhead) && under < b.max {
				t.branches[i] = beginBranch(b, i)
				out = append(out, t)
			}
		case branchRuns:
			if alone {
				t.branches[i].phase = branchUndoing
				out = append(out, t)
			}
		case branchUndoing:
			j := last(t.branches[i].rows)
			if j < 0 {
				t.branches[i].phase = branchBad
			} else if t.branches[i].rows[j].failed = true; !m.mayFail(t.branches[i].rows[j]) {
				continue
			}
			out = append(out, t)
		}
	}
	if under > 0 || !decided && count[branchAhead] > 0 {
		return append(out, m.blockFails(s, it)...)
	}
	if b.mode != "first" || decided {
		t := s.clone()
		t.value = joined(b, s.branches)
		if i := len(t.rows) - 1; it.undoes {
			if t.rows[i].done, t.rows[i].value = true, t.value; b.mode != "" {
				t.rows[i].value = "?"
			}
		}
		t = t.leave()
		return append(out, m.start(t, s.item+1))
	}
	return append(out, m.blockFails(s, it)...)
}

// blockFails: a branch of a plain block failed, or all of a `first`, and a
// failover takes over.
func (m *model) blockFails(s state, it *item) []state {
	all := !slices.ContainsFunc(s.branches, func(b branch) bool { return b.phase != branchBad })
	if it.failover < 0 || it.block.mode == "settle" || it.block.mode == "first" && !all {
		return nil
	}
	return []state{m.start(s.clone().leave(), it.failover)}
}

// joined is the value of a plain block, in the notation of the language: what
// its branches were worth.
func joined(b *block, branches []branch) string {
	var parts []string
	for i, br := range branches {
		part := strconv.Quote(br.value)
		if !b.elements {
			part = b.names[i] + ": " + part
		}
		parts = append(parts, part)
	}
	if b.elements {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (m *model) didBranch(s state, it *item, name, tag, how string) []state {
	b := it.block
	first := b.mode == "first" && slices.ContainsFunc(s.branches, func(b branch) bool { return b.phase == branchDone })
	for i, br := range s.branches {
		steps := b.branches[i]
		if br.phase != branchRuns || steps[br.at].name != name || first {
			continue
		}
		if how == "fail" {
			if b.mode != "" {
				s.branches[i].phase = branchUndoing
				return []state{s}
			}
			return []state{m.end(s, "failed")} // a decision: no failover is asked
		}
		if j := len(br.rows) - 1; steps[br.at].undoes {
			s.branches[i].rows[j].done, s.branches[i].rows[j].value = true, tag
		}
		s.branches[i].value = tag
		s.branches[i] = nextStep(s.branches[i], steps, br.at+1)
		return []state{s}
	}
	return nil
}

// enter begins the branches of a block, as many as may run at once.
func enter(s state, b *block) state {
	for i := range b.branches {
		br := branch{phase: branchAhead}
		if b.max == 0 || i < b.max {
			br = beginBranch(b, i)
		}
		s.branches = append(s.branches, br)
	}
	return s
}

func beginBranch(b *block, i int) branch {
	br := branch{phase: branchRuns, undoes: b.undoes[i]}
	if br.undoes {
		br.rows = append(br.rows, row{name: b.names[i], step: b.names[i], value: "nil"})
	}
	return nextStep(br, b.branches[i], 0)
}

func nextStep(b branch, steps []*item, at int) branch {
	b.at = at
	if at < len(steps) {
		if steps[at].undoes {
			b.rows = append(b.rows, begun(steps[at]))
		}
		return b
	}
	if b.phase = branchDone; b.undoes {
		b.rows[0].done, b.rows[0].value = true, b.value
	}
	return b
}

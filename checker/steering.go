package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// steering is where a workflow may go from each of its items.
type steering struct {
	c     *checker
	a     *actor
	gotos [][]int // that the item's own body names
	falls []bool  // into the next item
	exits []bool  // it may end, wait for a command, fail, or do something that takes time
}

// mostItems is up to which size a workflow's ways are looked at.
const mostItems = 400

// checkWays warns of ways between steps that are seldom meant.
func (c *checker) checkWays(a *actor) {
	if len(a.prog.Items) > mostItems {
		return
	}
	s := &steering{c: c, a: a}
	for _, it := range a.prog.Items {
		s.look(it)
	}
	for k, it := range a.prog.Items {
		if it.Step == nil {
			continue
		}
		s.checkSlip(k)
		s.checkAfter(k, it.Step)
		round := s.reach(k)
		if !slices.Contains(round, k) {
			continue
		}
		if it.Step.Compensate != nil && s.byGoto(round, k) {
			c.sayUndoInLoop(it.Step)
		}
		if !s.anyExit(round) && k == slices.Min(round) {
			c.sayEndlessLoop(it.Step)
		}
	}
	s.checkFailover()
}

// look notes what the body of an item may lead to.
func (s *steering) look(it *program.Item) {
	if it.Step == nil {
		s.gotos, s.falls, s.exits = append(s.gotos, nil), append(s.falls, true), append(s.exits, true)
		return
	}
	body := it.Step.Body.Body
	i := s.c.byFunc[it.Step.Body]
	exits := i == nil || i.all&(outside|readsClock) != 0
	var to []int
	anyExpr(body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Goto:
			to = append(to, e.Item)
		case *program.Pause:
			exits = true
			if e.Then >= 0 {
				to = append(to, e.Then)
			}
		case *program.End, *program.Fail, *program.Throw, *program.CallFn, *program.CallValue:
			exits = true // a called function may fault, on purpose
		}
		return false
	})
	s.gotos, s.falls, s.exits = append(s.gotos, to), append(s.falls, fallsThrough(body)), append(s.exits, exits)
}

// next are the items that may follow an item.
func (s *steering) next(k int) []int {
	out := slices.Clone(s.gotos[k])
	if s.falls[k] && k+1 < len(s.falls) {
		out = append(out, k+1)
	}
	return out
}

// reach are the items that may come after k, in order; k is among them if it
// may come again.
func (s *steering) reach(k int) []int {
	seen := make([]bool, len(s.falls))
	todo := s.next(k)
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if x < 0 || x >= len(seen) || seen[x] {
			continue
		}
		seen[x] = true
		todo = append(todo, s.next(x)...)
	}
	var out []int
	for x, yes := range seen {
		if yes {
			out = append(out, x)
		}
	}
	return out
}

// byGoto reports whether a way that comes back to k does so by a goto.
func (s *steering) byGoto(round []int, k int) bool {
	for _, x := range round {
		for _, to := range s.gotos[x] {
			if to <= k && slices.Contains(s.reach(x), x) && x >= k {
				return true
			}
		}
	}
	return false
}

// anyExit reports whether one of the items may leave the round, or takes time.
func (s *steering) anyExit(round []int) bool {
	for _, x := range round {
		if s.exits[x] || s.falls[x] && x+1 == len(s.falls) {
			return true
		}
	}
	return false
}

// checkSlip: of several steps that one step chooses between, one falls through
// into the next.
func (s *steering) checkSlip(k int) {
	if k < 2 || s.a.prog.Items[k-1].Step == nil || !s.falls[k-1] || s.falls[k-2] {
		return
	}
	for x := range k - 1 {
		if slices.Contains(s.gotos[x], k-1) && slices.Contains(s.gotos[x], k) {
			s.c.saySlip(s.a.prog.Items[k-1].Step, s.a.prog.Items[k].Step, s.a.prog.Items[x].Step)
			return
		}
	}
}

// checkAfter: a limit in a `select` that another arm starts anew.
func (s *steering) checkAfter(k int, step *program.Step) {
	anyExpr(step.Body.Body, func(e program.Expr) bool {
		sel, ok := e.(*program.Select)
		if !ok {
			return false
		}
		for _, limit := range sel.Arms {
			for _, other := range sel.Arms {
				if limit.After == nil || other.Name == nil {
					continue
				}
				anyExpr(other.Body, func(x program.Expr) bool {
					g, back := x.(*program.Goto)
					if back && g.Item == k {
						s.c.sayStartsAnew(limit, g)
					}
					return back && g.Item == k
				})
			}
		}
		return false
	})
}

// checkFailover: a failover that undoes by hand and then fails, so that what
// has a compensation is undone a second time.
func (s *steering) checkFailover() {
	for k, it := range s.a.prog.Items {
		to := elseOf(it)
		if to < 0 || to >= len(s.falls) || !s.undoneBefore(k) {
			continue
		}
		for _, x := range append([]int{to}, s.reach(to)...) {
			step := s.a.prog.Items[x].Step
			if step == nil || !s.undoes(to, x) {
				continue
			}
			anyExpr(step.Body.Body, func(e program.Expr) bool {
				f, ok := e.(*program.Fail)
				if ok {
					s.c.sayUndoneTwice(f, s.a.prog.Items[to].Step)
				}
				return ok
			})
		}
	}
}

// undoneBefore reports whether an item up to k has a compensation.
func (s *steering) undoneBefore(k int) bool {
	for _, it := range s.a.prog.Items[:k+1] {
		if it.Step != nil && it.Step.Compensate != nil || it.Parallel != nil && it.Parallel.Compensate != nil {
			return true
		}
	}
	return false
}

// undoes reports whether the failover, or the step that fails, does something
// in the world.
func (s *steering) undoes(to, x int) bool {
	for _, k := range []int{to, x} {
		step := s.a.prog.Items[k].Step
		if step == nil {
			continue
		}
		if anyExpr(step.Body.Body, func(e program.Expr) bool {
			_, asks := e.(*program.Ask)
			return asks || s.c.callsOut(e) != nil
		}) {
			return true
		}
	}
	return false
}

// elseOf is the failover of an item, -1 if it has none.
func elseOf(it *program.Item) int {
	if it.Step != nil {
		return it.Step.Else
	}
	return it.Parallel.Else
}

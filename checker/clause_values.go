package checker

import (
	"time"

	"github.com/wf-lang/wf/lang/program"
)

// checkClauseValues refuses numbers and times of clauses that cannot be, as far
// as they are written out.
func (c *checker) checkClauseValues() {
	for _, a := range c.names.order {
		c.checkTimeout(a.prog.Timeout)
		c.checkUndoPolicy(a.prog.Compensate)
		c.checkUndoPolicy(a.prog.Finally)
		c.checkItems(a.prog.Items)
	}
}

func (c *checker) checkItems(items []*program.Item) {
	for _, it := range items {
		if s := it.Step; s != nil {
			c.checkPolicy(s.Policy)
			c.checkUndoPolicy(s.Compensate)
			continue
		}
		c.checkBlock(it.Parallel)
	}
}

func (c *checker) checkUndoPolicy(u *program.Compensation) {
	if u != nil {
		c.checkPolicy(u.Policy)
	}
}

// checkPolicy checks the clauses of one head.
func (c *checker) checkPolicy(p program.Policy) {
	c.checkTimeout(p.Timeout)
	if n, ok := wholeOf(p.Retry); ok && n < 0 {
		c.sayClauseValue(p.Retry.Span, "`retry` is how often a step is tried again: 0 or more", "")
	}
	c.checkBackoff(p.Backoff)
}

// checkRetryless warns of clauses about retries in a head whose step is never
// tried again.
func (c *checker) checkRetryless(p program.Policy, retry *program.Func) {
	if retry != nil && !isZero(retry.Body) {
		return
	}
	if p.Backoff != nil {
		c.sayNoRetry(p.Backoff.Span, "backoff", retry)
	}
	if p.When != nil {
		c.sayNoRetry(p.When.Span, "when", retry)
	}
}

func (c *checker) checkTimeout(f *program.Func) {
	if f == nil {
		return
	}
	if d, ok := span(f.Body); ok && d <= 0 {
		c.sayClauseValue(f.Span, "a timeout is longer than nothing", "for no limit write `timeout none`")
	}
}

func (c *checker) checkBackoff(f *program.Func) {
	if f == nil {
		return
	}
	first, last := f.Body, program.Expr(nil)
	if r, ok := first.(*program.Binary); ok && r.Op == program.RangeOp {
		first, last = r.X, r.Y
	}
	from, ok := span(first)
	to, bounded := span(last)
	switch {
	case ok && from < 0:
		help := ""
		if b, isMinus := first.(*program.Binary); isMinus && b.Op == program.Sub {
			help = "a range has two points: `backoff 1s..60s`"
		}
		c.sayClauseValue(f.Span, "a wait between attempts is not negative", help)
	case ok && bounded && to < from:
		c.sayClauseValue(f.Span, "a backoff grows from its first time to its second, which is shorter here", "exchange the two")
	}
}

// checkBlock checks the head of a block and what is in it.
func (c *checker) checkBlock(p *program.Parallel) {
	n, ok := wholeOf(p.First)
	switch {
	case ok && n < 1:
		c.sayClauseValue(p.First.Span, "a block waits for 1 branch or more", "")
	case ok && !p.For && n > int64(len(p.Branches)):
		c.sayClauseValue(p.First.Span, "the block has fewer branches than are to succeed", "")
	}
	if n, ok := wholeOf(p.Max); ok && n < 1 {
		c.sayClauseValue(p.Max.Span, "at least 1 branch runs at once", "")
	}
	c.checkUndoPolicy(p.Compensate)
	for _, b := range p.Branches {
		c.checkUndoPolicy(b.Compensate)
		c.checkItems(b.Items)
	}
}

// wholeOf is the value of a clause that is an Int written out.
func wholeOf(f *program.Func) (int64, bool) {
	if f == nil {
		return 0, false
	}
	k, ok := f.Body.(*program.Const)
	if !ok {
		return 0, false
	}
	return k.Value.AsInt()
}

// span is the value of a duration that is written out, perhaps as a difference.
func span(e program.Expr) (time.Duration, bool) {
	switch e := e.(type) {
	case *program.Neg:
		d, ok := span(e.X)
		return -d, ok
	case *program.Binary:
		x, ok := span(e.X)
		y, ok2 := span(e.Y)
		if e.Op == program.Sub {
			return x - y, ok && ok2
		}
	case *program.Const:
		return e.Value.AsDuration()
	}
	return 0, false
}

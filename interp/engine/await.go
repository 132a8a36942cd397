package engine

import (
	"context"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// await answers at once if the instance has ended, else puts the attempt away
// until it does.
func (e *Engine) await(a *attempt, n int, r *interp.Request, hash uint64) {
	ctx := context.Background()
	id := r.Target.StoreID()
	if id == a.in.id {
		e.answerPending(a, n, r, hash, value.Nil, &interp.Fault{Code: "conflict", Message: "an instance cannot await itself", Index: -1})
		return
	}
	target, err := e.lookup(ctx, id)
	if err != nil {
		e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		return
	}
	if ans, ended := end(target); ended && target.held == 0 {
		e.release(target)
		e.answerPending(a, n, r, hash, ans.value, faultFrom(ans.failure))
		return
	}
	w := flow.Wait{N: n, Hash: hash, Span: r.Span, Kind: flow.WaitEnd, Instance: id}
	if r.HasDeadline {
		at, f := after(e.Now(), r.Deadline)
		if f != nil {
			e.release(target)
			e.answerPending(a, n, r, hash, value.Nil, f)
			return
		}
		w.Deadlines = []int64{at}
	}
	e.putAway(a, n, r, w, func(x *tx) { x.register(target, waiter{a.in.number, a.path}) })
}

// register notes in an instance who awaits its end. If its end is on the way to
// the store already, a timer wakes the waiter instead.
func (x *tx) register(target *instance, w waiter) {
	p := x.part(target)
	if target.state.Status.Terminal() {
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: w.number,
			Set: []persist.Timer{{At: x.now, Instance: w.number, Key: wakeKey + w.path}}})
		x.batch.set = x.now
		return
	}
	target.waited = true
	target.newWaiters = append(target.newWaiters, w)
	x.batch.after = append(x.batch.after, func() { target.newWaiters = target.newWaiters[1:] }) // the store has it
	p.row = true
	p.cell(cellWaiter, waiterKey(w), []byte{rowVersion}, nil)
}

// endOf is the answer to an await, if the instance has ended.
func (e *Engine) endOf(ctx context.Context, id string) (answer, bool, error) {
	in, err := e.lookup(ctx, id)
	if err != nil {
		f := faultOf(err)
		return answer{failure: &flow.Failure{Code: f.Code, Message: f.Message, Index: -1}}, true, nil
	}
	a, ended := end(in)
	e.release(in)
	return a, ended, nil
}

// end is what awaiting a terminal instance gives: its result, or its failure
// with its id.
func end(in *instance) (answer, bool) {
	s := &in.state
	switch s.Status {
	case flow.Completed:
		return answer{value: s.Result}, true
	case flow.Failed:
		detail := value.NewRecord([]string{"id", "failure"}, []value.Value{value.String(in.id), failureValue(s.Cause, false)})
		return answer{failure: &flow.Failure{Code: s.Cause.Code, Message: s.Cause.Message, Index: -1, Detail: detail}}, true
	case flow.Cancelled:
		detail := value.NewRecord([]string{"id"}, []value.Value{value.String(in.id)})
		return answer{failure: &flow.Failure{Code: "cancelled", Message: in.id + " was cancelled", Index: -1, Detail: detail}}, true
	}
	return answer{}, false
}

package engine

import (
	"errors"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// ended turns what an attempt came to into a transition, on the loop.
func (e *Engine) ended(a *attempt) {
	if a.over || e.fatal != nil || e.stopped {
		e.release(a.in)
		return
	}
	delete(a.in.attempts, a.path)
	defer e.runQueued(a.in)
	var fault *interp.Fault
	switch {
	case a.err == nil:
		if err := a.tooLarge(); err != nil {
			fault = err
			break
		}
		e.completed(a)
		return
	case errors.As(a.err, &fault):
	default:
		e.parkAttempt(a, a.err)
		return
	}
	e.retryOrFail(a, fault)
}

// completed applies the outcome of a body.
func (e *Engine) completed(a *attempt) {
	in, out := a.in, &a.outcome
	x := e.begin()
	if a.block != nil {
		a.head.Path = a.path
		x.part(in).apply(a.head)
		x.commit()
		return
	}
	effect, next, f := a.effect(x.now)
	if f != nil {
		e.retryOrFail(a, f)
		return
	}
	if effect.How == flow.Pausing {
		next = effect.Reason
	}
	p := x.part(in)
	a.flush(p)
	rec := Record{Kind: RecCompleted, Path: a.path, Step: a.step, Visit: a.visit, Attempt: a.number,
		What: words(effect.How), Name: next, Value: effect.Value, Failure: effect.Cause, Fields: namedFields(in.wf, effect.Writes)}
	for _, event := range out.Events {
		rec.Events = append(rec.Events, p.event(event, a.step))
	}
	for _, f := range effect.Writes {
		p.slots = append(p.slots, f.Slot)
	}
	p.record(rec)
	p.apply(flow.StepDone{Path: a.path, Effect: effect})
	x.trace(in, func() string { return traceCompleted(a, &rec) })
	for _, event := range out.Events {
		x.traceAs(in, TraceEmitted, func() string { return "emits " + event.Name + arguments(event.Args) })
	}
	x.traceStatus(in)
	x.commit()
}

// effect is what the outcome of a body does to its instance, and the name of the
// step that it goes to.
func (a *attempt) effect(now int64) (flow.Effect, string, *interp.Fault) {
	out := &a.outcome
	ef := flow.Effect{Value: dataOf(out.Result), Item: out.Ending.Item}
	for _, w := range out.Writes {
		ef.Writes = append(ef.Writes, flow.Field{Slot: w.Field, Value: w.Value})
	}
	next := ""
	switch end := &out.Ending; end.Kind {
	case interp.Goto:
		ef.How, ef.Input = flow.Goto, end.Input
		next = a.in.wf.Items[end.Item].Name()
	case interp.Pause:
		ef.How, ef.Input, ef.Reason = flow.Pausing, end.Input, end.Reason
		if end.Until.IsNil() {
			break
		}
		at, isTime := end.Until.AsTime()
		if !isTime {
			var f *interp.Fault
			if at, f = after(now, end.Until); f != nil {
				f.Span = a.body.Span
				return ef, next, f
			}
		}
		ef.Until = max(at, 1)
	case interp.End:
		ef.How = flow.End
	case interp.Failed:
		ef.How, ef.Cause = flow.Decided, a.failureOf(end.Fault)
	}
	return ef, next, nil
}

// dataOf keeps a value that can be kept: what is no data counts as nil.
func dataOf(v value.Value) value.Value {
	if !v.IsData() {
		return value.Nil
	}
	return v
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
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

// blockHead computes what stands before the braces of a block.
func (a *attempt) blockHead() (flow.Entered, error) {
	var head flow.Entered
	b := a.block
	number := func(f *program.Func, what string, least int64) (int, error) {
		if f == nil {
			return 0, nil
		}
		v, err := a.policyValue(f, a.call.Args...)
		if err != nil {
			return 0, err
		}
		n, ok := v.AsInt()
		if !ok || n < least || n > maxBranches {
			return 0, &interp.Fault{Code: "bad_argument", Message: what + " of a block is " + v.Short(40) + ", not a number of branches from " + strconv.FormatInt(least, 10) + " to 1000000", Span: f.Span, Index: -1}
		}
		return int(n), nil
	}
	var err error
	if head.Need, err = number(b.First, "`first`", 0); err != nil {
		return head, err
	}
	if head.Max, err = number(b.Max, "`max`", 1); err != nil {
		return head, err
	}
	if b.In == nil {
		return head, nil
	}
	v, err := a.policyValue(b.In, a.call.Args...)
	if err != nil {
		return head, err
	}
	head.Elements, err = elementsOf(v, b.In.Span)
	return head, err
}

// maxBranches is how many branches a block may have.
const maxBranches = 1_000_000

// elementsOf lists what `parallel for` goes over: the elements of a list, the
// fields of a record as pairs.
func elementsOf(v value.Value, at source.Span) ([]value.Value, error) {
	bad := func(why string) error {
		return &interp.Fault{Code: "type", Message: "`parallel for` goes over a list or a record, " + why, Span: at, Index: -1}
	}
	list, ok := v.AsList()
	if r, isRecord := v.AsRecord(); isRecord {
		ok = true
		for i := range r.Len() {
			k, x := r.At(i)
			list = append(list, value.Tuple(value.String(k), x))
		}
	}
	switch {
	case !ok:
		return nil, bad("not over " + v.Short(40))
	case len(list) > maxBranches:
		return nil, bad("of a million elements at most")
	}
	for _, x := range list {
		if !x.IsData() {
			return nil, bad("whose elements can be kept; " + x.Short(40) + " cannot")
		}
	}
	if list == nil {
		list = []value.Value{}
	}
	return list, nil
}

// dataOf keeps a value that can be kept: what is no data counts as nil.
func dataOf(v value.Value) value.Value {
	if !v.IsData() {
		return value.Nil
	}
	return v
}

// retryOrFail asks the attempt's policy what follows a fault. Policies are
// computed like bodies, away from the loop.
func (e *Engine) retryOrFail(a *attempt, f *interp.Fault) {
	failure := a.failureOf(f)
	if a.policy.Retry == nil {
		e.attemptFailed(a, failure, false, 0)
		return
	}
	a.in.attempts[a.path] = a // until it is decided it can be cut
	e.jobs.submit(func() func() {
		again, wait, err := a.again(f)
		return func() {
			if a.over || e.fatal != nil || e.stopped {
				e.release(a.in)
				return
			}
			delete(a.in.attempts, a.path)
			defer e.runQueued(a.in)
			if err != nil {
				failure.Detail = value.NewRecord([]string{"error", "policy"}, []value.Value{failure.Detail, value.String(err.Error())})
			}
			at := int64(0)
			if again {
				wait = laterThan(wait, failure.Detail, e.Now())
			}
			if again && wait > 0 {
				at = e.Now()
				at += min(int64(wait), math.MaxInt64-1-at) // the end of time is no reason to give up
			}
			e.attemptFailed(a, failure, again, at)
		}
	})
}

func (e *Engine) attemptFailed(a *attempt, f *flow.Failure, again bool, at int64) {
	x := e.begin()
	p := x.part(a.in)
	a.flush(p)
	p.record(Record{Kind: RecFailed, Path: a.path, Step: a.step, Visit: a.visit, Attempt: a.number, Failure: f, Again: again, Until: at})
	p.apply(flow.StepFailed{Path: a.path, Failure: *f, Again: again, RetryAt: at})
	kind := TraceChanged
	if a.path == flow.FinalPath && !again {
		kind = TraceFinally
	}
	x.traceAs(a.in, kind, func() string { return traceFailed(a, f, again) })
	x.traceStatus(a.in)
	x.commit()
}

// again computes whether, and after what time, one more attempt is made.
func (a *attempt) again(f *interp.Fault) (bool, time.Duration, error) {
	if f.Final && f.Code != "timeout" {
		return false, 0, nil
	}
	n, err := a.policyValue(a.policy.Retry)
	if err != nil {
		return false, 0, err
	}
	most, ok := n.AsInt()
	if !ok {
		return false, 0, fmt.Errorf("retry is %s, not an Int", n.Short(40))
	}
	if int64(a.number) > most {
		return false, 0, nil
	}
	if worth, err := a.worthAgain(f); err != nil || !worth {
		return false, 0, err
	}
	if a.policy.Backoff == nil {
		return true, 0, nil
	}
	b, err := a.policyValue(a.policy.Backoff)
	if err != nil {
		return false, 0, err
	}
	d, err := backoff(b, a.number)
	if err == nil && a.policy.Jitter {
		d = d - time.Duration(mix(a.place(-1))%uint64(d/2+1))
	}
	return err == nil, d, err
}

// worthAgain asks the policy whether an error is one to try again after. What is
// not allowed will not be allowed a minute later, nor is there a new budget then,
// unless the policy thinks so.
func (a *attempt) worthAgain(f *interp.Fault) (bool, error) {
	if a.policy.When == nil {
		return f.Code != codeDenied && f.Code != codeBudget, nil
	}
	v, err := a.policyValue(a.policy.When, interp.ErrorValue(f))
	if err != nil {
		return false, err
	}
	yes, _ := v.AsBool()
	return yes, nil
}

// Codes of effects that are not made: what is not allowed, and what there are no
// tokens for.
const (
	codeDenied = "denied"
	codeBudget = "budget"
)

// maxAsked bounds how long the other side may have a retry wait.
const maxAsked = time.Hour

// laterThan is the wait before a retry if the error says, in `retry_at` of its
// detail, from when on it makes sense: then at least until that instant, but not
// longer than an hour for its sake.
func laterThan(wait time.Duration, detail value.Value, now int64) time.Duration {
	r, ok := detail.AsRecord()
	if !ok {
		return wait
	}
	v, _ := r.Get("retry_at")
	at, ok := v.AsTime()
	if !ok || at <= now {
		return wait
	}
	if at-now < 0 { // further away than can be counted
		return max(wait, maxAsked)
	}
	return max(wait, min(time.Duration(at-now), maxAsked))
}

// backoff doubles from the first duration up to the second, exactly; without a
// second one it is a hundred times the first.
func backoff(v value.Value, attempt uint32) (time.Duration, error) {
	var first, most time.Duration
	if d, ok := v.AsDuration(); ok {
		first, most = d, 100*min(d, math.MaxInt64/100)
	} else if pair, ok := v.AsTuple(); ok && len(pair) == 2 {
		var ok1, ok2 bool
		first, ok1 = pair[0].AsDuration()
		most, ok2 = pair[1].AsDuration()
		if !ok1 || !ok2 {
			return 0, fmt.Errorf("backoff is %s, not a range of Durations", v.Short(40))
		}
	} else {
		return 0, fmt.Errorf("backoff is %s, not a Duration", v.Short(40))
	}
	if first < 0 || most < first {
		return 0, fmt.Errorf("backoff is %s, which does not grow from a Duration", v.Short(40))
	}
	d := first
	for range attempt - 1 {
		if d >= most-d {
			return most, nil
		}
		d *= 2
	}
	return d, nil
}

func (a *attempt) policyValue(f *program.Func, args ...value.Value) (value.Value, error) {
	call := a.call
	call.Fn, call.Args = f, args
	out, err := a.e.run(noWorld{}, call)
	return out.Result, err
}

// noWorld is the host of what may not perform: policies, initial values, queries.
type noWorld struct{ now func() int64 }

func (w noWorld) Do(r interp.Request) (value.Value, error) {
	if w.now != nil && isOp(&r, "Time.now") {
		return value.Time(w.now()), nil
	}
	return value.Nil, &interp.Fault{Code: "denied", Message: requestWords(&r) + " is not possible here", Span: r.Span, Index: -1}
}

// parkAttempt pauses an instance whose attempt ended in something that is no
// fault of its script: a panic, a replay mismatch, an unreadable record.
func (e *Engine) parkAttempt(a *attempt, err error) {
	if errors.Is(err, errCut) {
		e.release(a.in)
		return
	}
	e.park(a.in, err)
}

// park pauses an instance with the reason; its state and journal stay as they are.
func (e *Engine) park(in *instance, err error) {
	x := e.begin()
	if !x.park(in, firstLine(err.Error())) {
		e.release(in)
		return
	}
	x.commit()
}

// park makes the pause part of the tx. An instance that runs compensations again
// after its end is not paused, it gives them up. It reports whether there is
// anything to be done.
func (x *tx) park(in *instance, reason string) bool {
	p := x.part(in)
	p.record(Record{Kind: RecParked, What: reason})
	if !p.apply(flow.Park{Reason: reason}) {
		return false
	}
	for t := range in.Tracks() {
		p.touch(t.Path) // where its answers begin may have been put right: see readEnd
	}
	for _, a := range in.attempts {
		p.cut(a)
	}
	if in.state.Finished {
		x.trace(in, said("gives up undoing: "+reason))
	} else {
		x.traceAs(in, TracePaused, said("is parked: "+reason))
	}
	return true
}

// faultOf is an error as scripts see it.
func faultOf(err error) *interp.Fault {
	var f *interp.Fault
	if errors.As(err, &f) {
		return f
	}
	var r *RefusedError
	if errors.As(err, &r) {
		return &interp.Fault{Code: r.Code, Message: r.Message, Index: -1}
	}
	code := "error"
	if errors.Is(err, context.DeadlineExceeded) {
		code = "timeout"
	}
	return &interp.Fault{Code: code, Message: err.Error(), Index: -1}
}

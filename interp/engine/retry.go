package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

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

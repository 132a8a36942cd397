package engine

import (
	"math"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
)

// opWait is the wait of Signal.wait and the timers.
func opWait(now int64, r *interp.Request) (flow.Wait, *interp.Fault) {
	switch r.Op.Name {
	case "wait":
		name, ok := r.Args[0].AsString()
		if !ok || name == "" {
			return flow.Wait{}, badArgument("the name of a signal is a String that is not empty")
		}
		w := flow.Wait{Kind: flow.WaitSignal, Signals: []string{name}}
		if len(r.Args) > 1 && !r.Args[1].IsNil() {
			at, f := after(now, r.Args[1])
			if f != nil {
				return w, f
			}
			w.Signals, w.Deadlines = append(w.Signals, ""), []int64{0, at}
		}
		return w, nil
	case "until":
		at, ok := r.Args[0].AsTime()
		if !ok {
			return flow.Wait{}, badArgument("Timer.until needs a Time")
		}
		return flow.Wait{Kind: flow.WaitTimer, Deadlines: []int64{max(at, 1)}}, nil
	}
	d := r.Args[0]
	if len(r.Args) > 1 && !r.Args[1].IsNil() {
		ms, ok := r.Args[1].AsInt()
		if !ok || ms > math.MaxInt64/int64(time.Millisecond) || ms < math.MinInt64/int64(time.Millisecond) {
			return flow.Wait{}, badArgument("Timer.sleep with a name needs milliseconds")
		}
		d = value.Duration(time.Duration(ms) * time.Millisecond)
	}
	at, f := after(now, d)
	return flow.Wait{Kind: flow.WaitTimer, Deadlines: []int64{at}}, f
}

func badArgument(msg string) *interp.Fault {
	return &interp.Fault{Code: "bad_argument", Message: msg, Index: -1}
}

// after is the instant that lies a Duration ahead.
func after(now int64, v value.Value) (int64, *interp.Fault) {
	d, ok := v.AsDuration()
	if !ok {
		return 0, badArgument("a time to wait is a Duration such as 30s, not " + v.Short(40))
	}
	if d < 0 {
		return 0, badArgument("a time to wait cannot be negative: " + v.String())
	}
	if int64(d) > math.MaxInt64-now {
		return 0, badArgument("a time to wait that ends after the year 2262")
	}
	return now + int64(d), nil
}

// selectWait is the wait of a select: one entry for each arm.
func selectWait(now int64, r *interp.Request) (flow.Wait, *interp.Fault) {
	w := flow.Wait{Select: true, Kind: flow.WaitSignal, Signals: make([]string, len(r.Arms)), Deadlines: make([]int64, len(r.Arms))}
	for i, arm := range r.Arms {
		if arm.Signal != "" {
			w.Signals[i] = arm.Signal
			continue
		}
		if at, ok := arm.Deadline.AsTime(); ok {
			w.Deadlines[i] = max(at, 1)
			continue
		}
		at, f := after(now, arm.Deadline)
		if f != nil {
			return w, f
		}
		w.Deadlines[i] = at
	}
	return w, nil
}

// wait looks at the inbox, then at the deadlines, and only then puts the attempt
// away.
func (e *Engine) wait(a *attempt, n int, r *interp.Request, hash uint64, w flow.Wait) {
	w.N, w.Hash, w.Span = n, hash, r.Span
	in := a.in
	if s, arm := in.takeSignal(w.Signals); s != nil {
		x := e.begin()
		p := x.part(in)
		a.flush(p)
		ans := answerOfSignal(&w, arm, s)
		rec := a.answerRecord(n, r, hash, ans.value, nil)
		rec.What, rec.Signal = wokenBy(&w, s), s.number
		p.record(rec)
		p.setTaken(s, true)
		p.apply(flow.Took{Path: a.path, Signal: s.number})
		x.commit(func() { a.resume(ans.value, nil) })
		return
	}
	if arm, at := earliest(&w); at != 0 && at <= e.Now() {
		ans := answerOfDeadline(&w, arm)
		e.answerPending(a, n, r, hash, ans.value, faultFrom(ans.failure))
		return
	}
	e.putAway(a, n, r, w, nil)
}

// putAway makes the wait durable and drops the attempt from memory.
func (e *Engine) putAway(a *attempt, n int, r *interp.Request, w flow.Wait, also func(x *tx)) {
	x := e.begin()
	p := x.part(a.in)
	a.flush(p)
	_, until := earliest(&w)
	p.record(Record{Kind: RecWaiting, Path: a.path, Step: a.step, Visit: a.visit, Attempt: a.number, N: n, What: waitWords(&w), Until: until})
	p.apply(flow.Suspended{Path: a.path, Wait: w, Used: int64(a.budget.used)})
	if also != nil {
		also(x)
	}
	a.drop()
	delete(a.in.attempts, a.path)
	x.trace(a.in, func() string { return "waits for " + waitWords(&w) })
	x.commit()
}

// waitWords says what a wait is for.
func waitWords(w *flow.Wait) string {
	switch w.Kind {
	case flow.WaitTimer:
		return "timer"
	case flow.WaitEnd:
		return "end of " + w.Instance
	}
	names := w.SignalNames()
	if len(names) == 0 {
		return "timer"
	}
	return "signal " + strings.Join(names, " or ")
}

// wokenBy says what has ended a wait: a signal or, if that is nil, its time or the
// end of an instance.
func wokenBy(w *flow.Wait, s *signal) string {
	switch {
	case w.Select && s != nil:
		return "select by signal " + s.name
	case w.Select:
		return "select, whose time is up,"
	}
	return waitWords(w)
}

// answerOfSignal is what a wait gives for a signal: a select says which arm.
func answerOfSignal(w *flow.Wait, arm int, s *signal) answer {
	if w.Select {
		return answer{value: value.Tuple(value.Int(int64(arm)), s.payload)}
	}
	return answer{value: s.payload}
}

// answerOfDeadline is what a wait gives when the time of an arm has come.
func answerOfDeadline(w *flow.Wait, arm int) answer {
	switch {
	case w.Kind == flow.WaitTimer:
		return answer{value: value.Unit}
	case w.Kind == flow.WaitEnd:
		return answer{failure: &flow.Failure{Code: "timeout", Message: w.Instance + " has not ended in time", Index: -1}}
	case w.Select:
		return answer{value: value.Tuple(value.Int(int64(arm)), value.Nil)}
	}
	return answer{failure: &flow.Failure{Code: "timeout", Message: "signal " + w.Signals[0] + " has not come in time", Index: -1}}
}

func faultFrom(f *flow.Failure) *interp.Fault {
	if f == nil {
		return nil
	}
	return &interp.Fault{Code: f.Code, Message: f.Message, Detail: f.Detail, Index: -1}
}

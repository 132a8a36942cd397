package engine

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A mismatchError says that a body, run again over its answers, asked for
// something else than before. It cannot be the script's fault: the instance is
// parked.
type mismatchError struct{ want, got string }

func (e *mismatchError) Error() string {
	return fmt.Sprintf("replay mismatch: the journal has %q where the program asks for %q", e.want, e.got)
}

// An answer to a request: a value, or the failure that the script sees.
type answer struct {
	n       int
	hash    uint64
	what    string
	value   value.Value
	failure *flow.Failure
	attempt uint32
	open    bool // a `perform once` that was started and has no answer
}

// An attempt is one run of a body. While it computes it belongs to a worker;
// when it has yielded a request, or ended, to the loop.
type attempt struct {
	e       *Engine
	in      *instance
	path    string
	step    string
	visit   uint32
	number  uint32 // of the attempt
	body    *program.Func
	policy  program.Policy
	block   *program.Parallel // its head is to be computed, instead of a body
	head    flow.Entered      // what that came to
	call    interp.Call
	answers []answer // of earlier runs, by n
	errs    map[uint64]int
	once    []answer // of `perform once`, in this visit's earlier attempts too; failure nil and open: not answered

	// The coroutine: next runs it to its next request, stop unwinds it.
	next func() (interp.Request, bool)
	stop func()
	n    int // requests so far

	// What it has got that no batch has taken along yet, in order.
	pending      []Record
	pendingBytes int
	oks          map[uint64]int // equal requests that had an answer, for idempotency keys
	spawns       int            // unnamed spawns so far

	ahead    bool        // it has sent something since it last waited for the store
	sends    int         // spawns and signals whose batches are not durable yet
	reply    value.Value // to the request that it yielded
	replyErr error
	budget   budget
	used     Usage              // of the outside call that has just come back
	stopped  atomic.Bool        // the computing worker is to give up
	back     func()             // a call that was cut has come back; nil if none was
	over     bool               // cut: whatever still comes of it is dropped
	computes bool               // a worker has it
	cancel   context.CancelFunc // of the outside call under way
	op       string             // its effect
	calling  int                // outside calls so far: which one is under way
	outcome  interp.Outcome
	err      error
}

// start begins or goes on with the attempt of a track. The track is as the last
// durable transition left it.
func (e *Engine) start(in *instance, path string) {
	if e.cfg.Passive || e.stopped || e.fatal != nil || in.deleted || !e.scope.has(in.number) {
		return
	}
	t, ok := in.Track(path)
	if !ok || t.Phase != flow.Active || !in.state.Driven() || in.attempts[path] != nil {
		return
	}
	if !e.mayStart(in) {
		e.careful.queue = append(e.careful.queue, in.number) // its turn comes
		return
	}
	if in.cutting > 0 && t.Undoing != "" {
		return // started when the cut calls have come back
	}
	a := &attempt{e: e, in: in, path: path, step: in.step(t), visit: t.Visit(), number: t.Attempt, budget: budget{used: time.Duration(t.Used)}}
	if err := a.prepare(t); err != nil {
		e.park(in, err)
		return
	}
	in.attempts[path] = a
	a.advance()
}

// prepare finds the attempt's body, its arguments, the state it sees and the
// answers it already had.
func (a *attempt) prepare(t *flow.Track) error {
	in := a.in
	index := in.state.Root.Item
	var args []value.Value
	item := flow.CurrentItem(in.wf, t)
	switch {
	case t.Undoing != "":
		u := in.undos[t.Undoing]
		if u == nil {
			return fmt.Errorf("%w: undo row is missing", errRecord)
		}
		c := flow.CompensationOf(in.wf, u)
		a.body, a.policy = c.Body, c.Policy
		if c.HasErr {
			args = append(args, undoError(in, t, u))
		}
		args = append(append(args, u.Elems...), u.Input)
	case t.Final:
		a.body, a.policy = in.wf.Finally.Body, in.wf.Finally.Policy
		args = append(args, in.outcome(a.e.Now()))
	case item.Step != nil:
		a.body, a.policy = item.Step.Body, item.Step.Policy
		args = append(flow.Elems(in.wf, in, t.Where), t.Input)
	default:
		a.block = item.Parallel
		a.body = &program.Func{}
		args = flow.Elems(in.wf, in, t.Where)
	}
	step := a.step
	if t.Final {
		step = in.currentStep()
	}
	a.call = interp.Call{Fn: a.body, Args: args, Limits: a.e.cfg.Limits, Program: in.prog, Builtin: a.e.progs.builtin,
		Self: &interp.Self{Workflow: in.wf, Fields: flow.Base(in, t), ID: in.id, Step: step, StepIndex: index,
			Failure: failureValue(in.state.Failure, true)}}
	a.call.Limits.Tick = a.tick
	if a.block == nil {
		a.call.Args = args[:min(len(args), len(a.body.Params))]
	}
	records, err := a.e.answers(in)
	if err != nil {
		return err
	}
	for i := range records[a.path] {
		a.answered(&records[a.path][i])
	}
	return nil
}

// outcome is what `finally` gets.
func (in *instance) outcome(now int64) value.Value {
	s := &in.state
	status := flow.FinalStatus(s)
	var steps []value.Value
	for i, n := range s.Root.Visits {
		if n > 0 && i < len(in.wf.Items) {
			steps = append(steps, value.String(in.wf.Items[i].Name()))
		}
	}
	return value.NewRecord([]string{"status", "result", "failure", "steps", "duration"},
		[]value.Value{value.String(status.String()), s.Result, failureValue(s.Cause, false), value.List(steps...), value.Duration(time.Duration(now - in.created))})
}

// advance submits a job that runs the attempt to its next request or its end.
func (a *attempt) advance() {
	a.computes = true
	a.e.jobs.submit(func() func() {
		req, yielded := a.run()
		return func() {
			a.returned()
			if yielded {
				a.e.requested(a, req)
			} else {
				a.e.ended(a)
			}
		}
	})
}

// run lets the body compute on a worker. A panic in it is a bug of ours: it
// becomes the attempt's error and parks the one instance.
func (a *attempt) run() (req interp.Request, yielded bool) {
	a.budget.begin(a.e.Now())
	defer func() {
		a.budget.end(a.e.Now())
		if r := recover(); r != nil {
			a.err = fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
			yielded = false
		}
	}()
	if len(a.in.undos) > maxUndos && a.path == "" {
		a.err = &interp.Fault{Code: "limit", Message: fmt.Sprintf("more than %d visits wait to be undone; let a workflow of its own do the repeated part", maxUndos),
			Span: a.body.Span, Index: -1, Final: true}
		return req, false
	}
	if a.block != nil {
		a.head, a.err = a.blockHead()
		return req, false
	}
	if a.budget.limit, a.err = a.limit(); a.err != nil {
		return req, false
	}
	a.e.runs(a.body)
	if a.body.Effects.Atomic() {
		a.outcome, a.err = a.e.run(a, a.call)
		return req, false
	}
	if a.next == nil {
		a.next, a.stop = iter.Pull(func(yield func(interp.Request) bool) {
			a.outcome, a.err = interp.Run(&yielder{a, yield}, a.call)
		})
	}
	return a.next()
}

// runs tells that a body is about to be computed.
func (e *Engine) runs(body *program.Func) {
	if e.cfg.Ran != nil {
		e.cfg.Ran(body)
	}
}

// run evaluates a body that runs to its end at once, in memory that others have
// used before.
func (e *Engine) run(h interp.Host, c interp.Call) (interp.Outcome, error) {
	r := e.runners.Get().(*interp.Runner)
	defer e.runners.Put(r)
	return r.Run(h, c)
}

// tick is called by the evaluator now and then: an attempt that was cut, or has
// used up its time, stops computing.
func (a *attempt) tick() error {
	if a.stopped.Load() {
		return errCut
	}
	if a.budget.over(a.e.Now()) {
		return a.timedOut()
	}
	return nil
}

// timedOut is the fault of an attempt that was driven for longer than its step's
// timeout. No script catches it; its policy may retry.
func (a *attempt) timedOut() *interp.Fault {
	return &interp.Fault{Code: "timeout", Message: "step " + a.step + " ran for longer than its timeout of " + value.FormatDuration(a.budget.limit),
		Span: a.body.Span, Index: -1, Final: true}
}

// limit is the time that the attempt may be driven.
func (a *attempt) limit() (time.Duration, error) {
	switch {
	case a.policy.NoTimeout || a.in.workflow == program.MainName:
		return 0, nil
	case a.policy.Timeout == nil:
		return defaultStepTimeout, nil
	}
	v, err := a.policyValue(a.policy.Timeout)
	if err != nil {
		return 0, err
	}
	d, ok := v.AsDuration()
	if !ok || d <= 0 {
		return 0, &interp.Fault{Code: "bad_argument", Message: "a timeout is a Duration above zero, not " + v.Short(40), Span: a.policy.Timeout.Span, Index: -1}
	}
	return d, nil
}

// maxUndos is how many visits with compensations may wait to be undone.
const maxUndos = 10_000

func (a *attempt) policyValue(f *program.Func, args ...value.Value) (value.Value, error) {
	call := a.call
	call.Fn, call.Args = f, args
	out, err := a.e.run(noWorld{}, call)
	return out.Result, err
}

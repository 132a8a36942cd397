package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
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
	element int64  // of the innermost `parallel for` around, -1 if there is none
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
	a := &attempt{e: e, in: in, path: path, step: in.step(t), visit: t.Visit(), number: t.Attempt, element: flow.Index(in.wf, t.Where), budget: budget{used: time.Duration(t.Used)}}
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

// answered takes in what the attempt, or an earlier one of its visit, had as an
// answer.
func (a *attempt) answered(r *Record) {
	switch {
	case r.Visit != a.visit:
		return
	case r.Kind == RecStarted:
		a.once = append(a.once, answer{n: r.N, hash: r.Hash, what: r.What, attempt: r.Attempt, open: true})
		return
	}
	a.closeOnce(r)
	a.countError(r.What, r.Hash, r.Failure)
	if r.Attempt == a.number {
		a.answers = append(a.answers, answer{n: r.N, hash: r.Hash, what: r.What, value: r.Value, failure: r.Failure})
	}
}

// closeOnce gives a started `perform once` its answer.
func (a *attempt) closeOnce(r *Record) {
	for i := range a.once {
		o := &a.once[i]
		if o.open && o.hash == r.Hash && o.attempt == r.Attempt && o.n == r.N {
			o.open, o.value, o.failure = false, r.Value, r.Failure
			return
		}
	}
}

// answeredOnce finds the answer of a `perform once` that an earlier attempt of
// the visit has made; one that was left open is not made again.
func (a *attempt) answeredOnce(r *interp.Request, hash uint64) (answer, bool) {
	for i, o := range a.once {
		if o.hash != hash {
			continue
		}
		a.once = append(a.once[:i:i], a.once[i+1:]...)
		if o.open {
			o.failure = &flow.Failure{Code: "outcome_unknown", Index: -1,
				Message: requestWords(r) + " was started and its outcome is not known; `once` does not repeat it"}
		}
		return o, true
	}
	return answer{}, false
}

// undoError is the error that a compensation gets: why the unit that it belongs
// to is undone, and what the visit came to.
func undoError(in *instance, t *flow.Track, u *flow.Undo) value.Value {
	f := in.state.Cause
	if t.Unit != "" {
		f = nil
		if c := in.tracks[t.Unit]; c != nil {
			f = c.Failure
		}
	}
	switch {
	case f != nil:
	case t.Unit != "":
		f = &flow.Failure{Code: "lost", Message: "other branches were first"}
	default:
		f = &flow.Failure{Code: "cancelled", Message: "the workflow was cancelled"}
	}
	return value.NewRecord(
		[]string{"code", "message", "step", "detail", "completed", "value"},
		[]value.Value{value.String(f.Code), value.String(f.Message), value.String(f.Step), f.Detail, value.Bool(u.Completed), u.Value})
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

// Do is the host of a body that was found to ask for nothing but what needs no
// answer from the loop. One that does after all has called a function that came
// to it as a value.
func (a *attempt) Do(req interp.Request) (value.Value, error) {
	return value.Nil, &interp.Fault{Code: "denied", Message: requestWords(&req) + " is not possible in a function that is called as a value", Span: req.Span, Index: -1}
}

// yielder is the host of a body with effects.
type yielder struct {
	*attempt
	yield func(interp.Request) bool
}

// Do answers a request: from the journal if it is there, from itself if it is
// only a read or a print, else by yielding to the loop.
func (y *yielder) Do(req interp.Request) (value.Value, error) {
	if f := largeRequest(&req); f != nil {
		return value.Nil, f
	}
	a := y.attempt
	n := a.n
	a.n++
	if most := a.maxAnswers(); n >= most {
		return value.Nil, &interp.Fault{Code: "limit", Message: fmt.Sprintf("an attempt may ask %d times; spread the work over several visits of a step, with goto", most),
			Span: req.Span, Index: -1, Final: true}
	}
	if err := byName(&req); err != nil {
		return value.Nil, err
	}
	hash := requestHash(&req)
	if req.Kind == interp.Spawn && !req.HasID {
		a.spawns++
	}
	if v, ok := a.chance(&req, n); ok {
		return v, nil
	}
	if len(a.answers) > 0 && a.answers[0].n == n {
		ans := a.answers[0]
		a.answers = a.answers[1:]
		if ans.hash != hash {
			return value.Nil, &mismatchError{want: ans.what, got: requestWords(&req)}
		}
		a.count(hash, ans.failure)
		if req.Once {
			a.answeredOnce(&req, hash)
		}
		return ans.value, a.fault(ans.failure, req.Span)
	}
	if req.Once {
		if o, ok := a.answeredOnce(&req, hash); ok {
			a.note(n, &req, hash, o.value, o.failure)
			return o.value, a.fault(o.failure, req.Span)
		}
	}
	if v, ok, err := a.local(&req, n, hash); ok || err != nil {
		return v, err
	}
	if !y.yield(req) {
		return value.Nil, errCut
	}
	v, err := a.reply, a.replyErr
	a.reply, a.replyErr = value.Nil, nil
	return v, err
}

// maxAnswers is how many requests an attempt may make: it may be run again over
// all of their answers.
func (a *attempt) maxAnswers() int {
	if a.in.workflow == program.MainName {
		return 100_000
	}
	return 10_000
}

// maxUndos is how many visits with compensations may wait to be undone.
const maxUndos = 10_000

func (a *attempt) count(hash uint64, f *flow.Failure) {
	if f == nil {
		if a.oks == nil {
			a.oks = map[uint64]int{}
		}
		a.oks[hash]++
	}
}

// note keeps an answer until the next batch of the instance takes it along.
func (a *attempt) note(n int, req *interp.Request, hash uint64, v value.Value, f *flow.Failure) {
	r := a.answerRecord(n, req, hash, v, f)
	r.Print = isPrint(req)
	r.Usage, a.used = a.used, Usage{}
	a.pending = append(a.pending, r)
	a.pendingBytes += value.Size(v)
	a.countError(r.What, hash, f)
	a.count(hash, f)
}

func (a *attempt) answerRecord(n int, req *interp.Request, hash uint64, v value.Value, f *flow.Failure) Record {
	return Record{Kind: RecAnswer, Time: a.e.Now(), Path: a.path, Step: a.step, Visit: a.visit, Attempt: a.number,
		N: n, What: requestWords(req), Hash: hash, Span: req.Span, Value: v, Failure: f}
}

// flush moves what the attempt has noted into a batch.
func (a *attempt) flush(p *part) {
	for _, r := range a.pending {
		p.record(r)
	}
	a.pending, a.pendingBytes = nil, 0
}

// fault makes the error that a script sees from a recorded failure.
func (a *attempt) fault(f *flow.Failure, at source.Span) error {
	if f == nil {
		return nil
	}
	return &interp.Fault{Code: f.Code, Message: f.Message, Span: at, Detail: f.Detail, Index: -1}
}

// failureOf makes a recordable failure from a fault.
func (a *attempt) failureOf(f *interp.Fault) *flow.Failure {
	out := &flow.Failure{Code: f.Code, Message: f.Message, Step: a.step, Index: -1, Detail: f.Detail, Span: f.Span}
	if f.Code == "" {
		out.Code = "error"
	}
	keepable(out)
	if pos := a.in.prog.Files.Position(f.Span); pos.Line > 0 {
		out.Place = fmt.Sprintf("%s:%d:%d", pos.File, pos.Line, pos.Column)
	}
	return out
}

// failureValue is the failure that `self.failure` gives, nil if there is none:
// with the input of the step that failed.
func failureValue(f *flow.Failure, withInput bool) value.Value {
	if f == nil {
		return value.Nil
	}
	v := flow.FailureValue(f)
	if withInput {
		r, _ := v.AsRecord()
		v = r.With("input", f.Input)
	}
	return v
}

// place is a hash of where in an instance's life something happens: chance is
// drawn from it, so that it is the same when a body is run again. The id is part
// of it, so that instances differ also where all have one seed, as in a lab.
func (a *attempt) place(n int) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, u := range []uint64{a.in.seed, uint64(a.visit), uint64(a.number), uint64(n)} {
		binary.BigEndian.PutUint64(b[:], u)
		h.Write(b[:])
	}
	for _, s := range []string{a.in.id, a.path, a.step} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

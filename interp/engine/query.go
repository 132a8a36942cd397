package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// LifecycleQuery is the name of the query that every instance answers.
const LifecycleQuery = "lifecycle"

// queryFuel bounds a query, in node evaluations.
const queryFuel = 1_000_000

// Query runs a read-only handler over the last durable state of an instance. It
// reads the store, so it never waits for a step and never sees what is not
// durable. It may be called from anywhere.
func (e *Engine) Query(ctx context.Context, id, name string, args []value.Value) (value.Value, error) {
	return e.query(ctx, id, name, args, nil)
}

// queried reads the instance that a query is for, an entity in its newest
// program. An entity that does not exist answers from its initial state.
func (e *Engine) queried(ctx context.Context, id string) (*instance, error) {
	r, err := e.store.Lookup(ctx, id)
	if err == nil {
		in, err := e.read(ctx, r)
		if err != nil {
			return nil, err
		}
		return in, e.renew(ctx, in)
	}
	if !errors.Is(err, persist.ErrNotFound) {
		return nil, err
	}
	entity, key, ok := strings.Cut(id, "/")
	if !ok {
		return nil, noInstance(id)
	}
	if err := CheckID(key); err != nil {
		return nil, err
	}
	prog, err := e.entityProgram(ctx, entity, nil)
	if err != nil || prog == nil {
		return nil, errors.Join(noInstance(id), err)
	}
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	b, err := e.newBirth(prog, prog.Actor(entity), id, empty)
	if err != nil {
		return nil, err
	}
	return b.unborn(e.Now()), nil
}

func (e *Engine) query(ctx context.Context, id, name string, args []value.Value, names []string) (value.Value, error) {
	in, err := e.queried(ctx, id)
	if err != nil {
		return value.Nil, err
	}
	if name == LifecycleQuery {
		if len(args) > 0 {
			return value.Nil, refuse("bad_request", "query lifecycle takes no arguments")
		}
		return in.lifecycle(), nil
	}
	fn, prog, err := e.handler(ctx, in, name)
	if err != nil {
		return value.Nil, err
	}
	if args, err = bind(&program.Handler{Name: name, Body: fn}, args, names); err != nil {
		return value.Nil, err
	}
	limits := e.cfg.Limits
	limits.Fuel = queryFuel
	e.runs(fn)
	out, err := e.run(noWorld{e.Now}, interp.Call{Fn: fn, Args: args, Self: in.self(), Limits: limits, Program: prog, Builtin: e.progs.builtin})
	if err != nil {
		return value.Nil, err
	}
	if len(out.Writes) > 0 || len(out.Events) > 0 || out.Ending.Kind != interp.FellThrough { // behind a function that is a value
		return value.Nil, &interp.Fault{Code: "denied", Message: "query " + name + " changes something; a query only reads", Span: fn.Span, Index: -1}
	}
	return out.Result, nil
}

// self is what a handler sees of the instance.
func (in *instance) self() *interp.Self {
	id := in.id
	if in.wf.Entity {
		_, id, _ = strings.Cut(id, "/")
	}
	return &interp.Self{Workflow: in.wf, Fields: in.state.Fields, ID: id, Step: in.currentStep(), StepIndex: flow.StepIndex(&in.state),
		Failure: failureValue(in.state.Failure, true)}
}

func (in *instance) currentStep() string { return flow.Step(in.wf, &in.state) }

// handler finds a query: one that the workflow declares, or a function that the
// program which spawned the instance returned.
func (e *Engine) handler(ctx context.Context, in *instance, name string) (*program.Func, *program.Program, error) {
	if h := in.wf.Query(name); h != nil {
		return h.Body, in.prog, nil
	}
	funcs, prog, err := e.registered(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	if slices.Contains(funcs, name) {
		if f := prog.Func(name); f != nil {
			return f, prog, nil
		}
	}
	if in.wf.Command(name) != nil {
		return nil, nil, refuse("not_found", "%s has no query %q; it has a command of this name", in.workflow, name)
	}
	known := append([]string{LifecycleQuery}, funcs...)
	for _, h := range in.wf.Queries {
		known = append(known, h.Name)
	}
	return nil, nil, refuse("not_found", "%s has no query %q%s", in.workflow, name, orMeant(name, known))
}

// registered lists the functions that the program returned, once its main has
// completed.
func (e *Engine) registered(ctx context.Context, in *instance) ([]string, *program.Program, error) {
	number := in.origin
	if in.workflow == program.MainName {
		number = in.number
	}
	if number == 0 {
		return nil, nil, nil
	}
	r, err := e.store.Load(ctx, number)
	if errors.Is(err, persist.ErrNotFound) {
		return nil, nil, nil // it was deleted
	}
	if err != nil {
		return nil, nil, err
	}
	main, err := e.readRow(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return functionsIn(main.state.Result), main.prog, nil
}

// functionsIn lists the functions of a program's value: alone, or in a list,
// tuple or record.
func functionsIn(v value.Value) []string {
	if f, ok := v.AsFunc(); ok {
		return []string{f.Name}
	}
	var vs []value.Value
	if l, ok := v.AsList(); ok {
		vs = l
	} else if t, ok := v.AsTuple(); ok {
		vs = t
	} else if r, ok := v.AsRecord(); ok {
		for i := range r.Len() {
			_, f := r.At(i)
			vs = append(vs, f)
		}
	}
	var names []string
	for _, v := range vs {
		if f, ok := v.AsFunc(); ok {
			names = append(names, f.Name)
		}
	}
	return names
}

// lifecycle is the engine's own view of an instance, as every instance answers.
func (in *instance) lifecycle() value.Value {
	s := &in.state
	retries := in.retries()
	var failed []value.Value
	for _, f := range s.Compensation.Failed {
		failed = append(failed, value.NewRecord([]string{"step", "code", "message"},
			[]value.Value{value.String(f.Step), value.String(f.Code), value.String(f.Message)}))
	}
	ending := value.Nil
	if s.Ending != flow.NotEnding {
		ending = value.String(s.Ending.String())
	}
	failure := s.Cause
	if failure == nil {
		failure = s.Failure
	}
	return value.NewRecord([]string{"id", "workflow", "status", "ending", "step", "step_index", "waiting_for", "commands", "attempts", "retries",
		"failure", "compensation", "result", "is_terminal", "started_at", "updated_at", "version"},
		[]value.Value{value.String(in.id), value.String(in.workflow), value.String(in.status()), ending,
			value.String(in.currentStep()), value.Int(int64(flow.StepIndex(s))), value.List(in.waitingWords()...), value.List(in.possibleCommands()...), value.Int(int64(s.Root.Attempt)), retries,
			failureValue(failure, false),
			value.NewRecord([]string{"status", "failed"}, []value.Value{value.String(s.Compensation.Status.String()), value.List(failed...)}),
			s.Result, value.Bool(s.Status.Terminal()), value.Time(in.created), value.Time(in.updated), value.String(in.program)})
}

// retries counts, by step, the attempts beyond the first.
func (in *instance) retries() value.Value {
	counts := in.state.Retries
	steps, vals := make([]string, len(counts)), make([]value.Value, len(counts))
	for i, c := range counts {
		steps[i], vals[i] = c.Step, value.Int(int64(c.Count))
	}
	return value.NewRecord(steps, vals)
}

// possibleCommands lists the commands that would be accepted now, by name.
func (in *instance) possibleCommands() []value.Value {
	var out []value.Value
	for _, h := range in.wf.Commands {
		ending := in.state.Ending != flow.NotEnding && h.Body.Effects&program.Transitions != 0
		if in.accepts(h) == nil && !ending {
			out = append(out, value.String(h.Name))
		}
	}
	return out
}

// waitingWords lists what the instance waits for, in words.
func (in *instance) waitingWords() []value.Value {
	var out []value.Value
	for _, w := range in.waits() {
		out = append(out, value.String(w.String()))
	}
	return out
}

// A Waiting is one thing that an instance waits for.
type Waiting struct {
	Kind    WaitingKind
	Step    string
	For     string   // in words: "signal approve", "timer", "end of Order-1", "attempt 2", "resume"
	Until   int64    // Unix nanoseconds, 0 if there is no deadline
	Signals []string // WaitsForSignal: any of these
	// Payload is what the first of Signals carries, if that is declared: a
	// literal with types in < > where values belong, else "".
	Payload string
}

// WaitingKind says what would end a wait.
type WaitingKind uint8

// The kinds of waits.
const (
	WaitsForSignal WaitingKind = iota
	WaitsForTimer
	WaitsForEnd    // of another instance
	WaitsForRetry  // the next attempt, after one that failed
	WaitsForResume // somebody has to resume it
)

// String says it in one line.
func (w Waiting) String() string {
	s := w.For
	if w.Until != 0 {
		s += " until " + time.Unix(0, w.Until).UTC().Format(time.RFC3339)
	}
	return s
}

// waits lists what the instance waits for.
func (in *instance) waits() []Waiting {
	s := &in.state
	if s.Status.Terminal() {
		return nil
	}
	if s.Status == flow.Paused {
		w := Waiting{Kind: WaitsForResume, Step: in.currentStep(), For: "resume"}
		if s.Pause.Reason != "" {
			w.For += " (" + s.Pause.Reason + ")"
		}
		w.Until = s.Pause.Until
		return []Waiting{w}
	}
	var out []Waiting
	add := func(t *flow.Track) {
		switch t.Phase {
		case flow.Waiting:
			w := waitingOf(in.step(t), t.Wait, deadline(s, t))
			if w.Kind == WaitsForSignal {
				w.Payload = skeleton(in.wf.Signal(w.Signals[0]))
			}
			out = append(out, w)
		case flow.Backoff:
			out = append(out, Waiting{Kind: WaitsForRetry, Step: in.step(t), For: fmt.Sprintf("attempt %d", t.Attempt), Until: t.Retry})
		}
	}
	add(&s.Root)
	for t := range in.Tracks() {
		add(t)
	}
	return out
}

func waitingOf(step string, w *flow.Wait, until int64) Waiting {
	out := Waiting{Kind: WaitsForTimer, Step: step, For: waitWords(w), Until: until, Signals: w.SignalNames()}
	switch {
	case w.Kind == flow.WaitEnd:
		out.Kind = WaitsForEnd
	case len(out.Signals) > 0:
		out.Kind = WaitsForSignal
	}
	return out
}

// A Summary is an instance for listings and messages.
type Summary struct {
	Number    uint64
	ID        string
	Workflow  string
	Status    string
	Ending    string
	Step      string
	StepIndex int
	Steps     int // items of the body
	Attempt   int // of the current step
	Waiting   []Waiting
	Failure   *flow.Failure
	Finally   *flow.Failure // of its `finally`, nil unless that failed for good
	Undo      flow.Compensation
	Fields    []NamedValue
	Result    value.Value
	Created   int64
	Updated   int64
	Program   string
	Parent    string
	Origin    uint64
	Signals   int // in the inbox
	Parked    bool
}

func (in *instance) summary() Summary {
	s := &in.state
	failure := s.Cause
	if failure == nil {
		failure = s.Failure
	}
	sum := Summary{Number: in.number, ID: in.id, Workflow: in.workflow, Status: in.status(), Ending: s.Ending.String(), Step: in.currentStep(),
		StepIndex: flow.StepIndex(s), Steps: len(in.wf.Items), Attempt: int(s.Root.Attempt), Waiting: in.waits(), Failure: failure, Undo: s.Compensation,
		Result: s.Result, Created: in.created, Updated: in.updated, Program: in.program, Parent: in.parent, Origin: in.origin,
		Signals: len(in.inbox), Parked: s.Pause.IsParked()}
	if t, ok := in.tracks[flow.FinalPath]; ok {
		sum.Finally = t.Failure
	}
	for i, v := range s.Fields {
		if !v.IsNil() {
			sum.Fields = append(sum.Fields, NamedValue{in.wf.Fields[i].Name, v})
		}
	}
	return sum
}

// Show gives an instance as its last durable transition left it.
func (e *Engine) Show(ctx context.Context, id string) (Summary, error) {
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return Summary{}, noInstance(id)
	}
	if err != nil {
		return Summary{}, err
	}
	in, err := e.read(ctx, r)
	if err != nil {
		return Summary{}, err
	}
	return in.summary(), nil
}

// List calls f for every instance that passes the filter, by age, until it
// returns false. An instance that cannot be read is given with its error.
func (e *Engine) List(ctx context.Context, filter persist.Filter, f func(Summary, error) bool) error {
	for r, err := range e.store.List(ctx, filter) {
		if err != nil {
			return err
		}
		in, err := e.read(ctx, r)
		if ctx.Err() != nil {
			return ctx.Err() // that says nothing about the instance
		}
		if err != nil {
			if !f(Summary{Number: r.Number, ID: r.ID, Workflow: r.Workflow, Status: r.Status, Program: r.Program}, err) {
				return nil
			}
			continue
		}
		if !f(in.summary(), nil) {
			return nil
		}
	}
	return nil
}

// History calls f for every journal record of an instance, in order.
func (e *Engine) History(ctx context.Context, id string, f func(*Record) bool) error {
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return noInstance(id)
	}
	if err != nil {
		return err
	}
	for entry, err := range e.store.Journal(ctx, r.Number, 1) {
		if err != nil {
			return err
		}
		rec, err := decodeRecord(entry.Seq, entry.Body)
		if err != nil {
			return fmt.Errorf("journal of %q, record %d: %w", id, entry.Seq, err)
		}
		if !f(rec) {
			return nil
		}
	}
	return nil
}

// Events calls f for the events of the log from number from on, in order; only
// those of one instance unless id is "".
func (e *Engine) Events(ctx context.Context, id string, from uint64, f func(*EventRecord) bool) error {
	number := uint64(math.MaxUint64)
	if id != "" {
		r, err := e.store.Lookup(ctx, id)
		if errors.Is(err, persist.ErrNotFound) {
			return noInstance(id)
		}
		if err != nil {
			return err
		}
		number = r.Number
	}
	for ev, err := range e.store.Events(ctx, from) {
		if err != nil {
			return err
		}
		if id != "" && ev.Instance != number || ev.Instance == 0 {
			continue // of another instance, or lost and only its number salvaged
		}
		rec, err := decodeEvent(ev.Number, ev.Body)
		if err != nil {
			return fmt.Errorf("event %d: %w", ev.Number, err)
		}
		if !f(rec) {
			return nil
		}
	}
	return nil
}

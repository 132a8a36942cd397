package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

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

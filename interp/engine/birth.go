package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A birth is everything that is known of an instance before it exists.
type birth struct {
	prog   *program.Program
	wf     *program.Workflow
	id     string // "" for an automatic one
	given  *value.Record
	fields []value.Value
	origin uint64
	parent string
	seed   uint64
	limit  int64 // the workflow's timeout in nanoseconds
	events []interp.Event
	writes []flow.Field // of init
}

// notTaken refuses an id that belongs to others by its form: those of entities
// ("Wallet/alice") and of programs ("main-1").
func (e *Engine) notTaken(prog *program.Program, wf *program.Workflow, id string) error {
	if wf.Entity || wf.Name == program.MainName {
		return nil
	}
	first, _, compound := strings.Cut(id, "/")
	_, isEntity := e.entityHash(first)
	if w := prog.Actor(first); compound && (isEntity || w != nil && w.Entity) {
		return refuse("conflict", "the id %q is that of an entity, %s", id, first)
	}
	if n, ok := strings.CutPrefix(id, program.MainName+"-"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
		return refuse("conflict", "the id %q is kept for the runs of programs", id)
	}
	return nil
}

// newBirth checks the given fields and computes the initial values. It may be
// called from anywhere.
func (e *Engine) newBirth(prog *program.Program, wf *program.Workflow, id string, given *value.Record) (*birth, error) {
	if id != "" {
		if err := CheckID(id); err != nil {
			return nil, err
		}
		if err := e.notTaken(prog, wf, id); err != nil {
			return nil, err
		}
	}
	b := &birth{prog: prog, wf: wf, id: id, given: given, fields: make([]value.Value, len(wf.Fields)), seed: e.cfg.Seed()}
	for i := range given.Len() {
		name, v := given.At(i)
		slot := wf.Field(name)
		if slot < 0 {
			return nil, noField(wf, name)
		}
		if !v.IsData() {
			return nil, refuse("bad_request", "field %s of %s: %s cannot be kept", name, wf.Name, v.Short(40))
		}
		fitted, err := Fit(v, &wf.Fields[slot].Type)
		if err != nil {
			return nil, refuse("bad_request", "field %s of %s: %s", name, wf.Name, err)
		}
		if b.fields[slot] = fitted; !value.Equal(fitted, v) || fitted.Kind() != v.Kind() {
			b.given, _ = b.given.With(name, fitted).AsRecord()
		}
	}
	self := &interp.Self{Workflow: wf, Fields: b.fields, ID: id}
	size := 0
	for i, f := range wf.Fields {
		if _, isGiven := given.Get(f.Name); !isGiven {
			if f.Init == nil {
				if f.Required() {
					return nil, refuse("bad_request", "workflow %s needs a value for the field %s", wf.Name, f.Name)
				}
				continue
			}
			out, err := e.run(noWorld{}, interp.Call{Fn: f.Init, Self: self, Limits: e.cfg.Limits, Program: prog, Builtin: e.progs.builtin})
			if err != nil {
				return nil, fmt.Errorf("initial value of %s.%s: %w", wf.Name, f.Name, err)
			}
			if !out.Result.IsData() {
				return nil, refuse("bad_request", "the initial value of %s.%s cannot be kept", wf.Name, f.Name)
			}
			b.fields[i] = out.Result
		}
		size += value.Size(b.fields[i])
	}
	if size > maxState {
		return nil, refuse("bad_request", "the state is %d bytes; the limit is %d", size, maxState)
	}
	if err := e.initialize(b, self); err != nil {
		return nil, err
	}
	if size := sizeOf(b.fields); size > maxState {
		return nil, refuse("bad_request", "the state is %d bytes; the limit is %d", size, maxState)
	}
	return b, nil
}

// initialize runs the workflow's `init`, which may refuse the spawn, and computes
// its timeout.
func (e *Engine) initialize(b *birth, self *interp.Self) error {
	limits := e.cfg.Limits
	limits.Fuel = commandFuel
	if b.wf.Init != nil {
		e.runs(b.wf.Init)
		out, err := e.run(&commandHost{e: e, id: b.wf.Name + "/" + b.id, seed: b.seed}, interp.Call{Fn: b.wf.Init, Self: self, Limits: limits, Program: b.prog, Builtin: e.progs.builtin})
		if err != nil {
			return err
		}
		if out.Ending.Kind == interp.Rejected {
			return &RefusedError{out.Ending.Fault.Code, out.Ending.Fault.Message}
		}
		if f := tooLarge(b.fields, &out, b.wf.Init.Span); f != nil {
			return f
		}
		for _, w := range out.Writes {
			b.fields[w.Field] = w.Value
			b.writes = append(b.writes, flow.Field{Slot: w.Field, Value: w.Value})
		}
		b.events = out.Events
	}
	if b.wf.Timeout != nil {
		out, err := e.run(noWorld{}, interp.Call{Fn: b.wf.Timeout, Self: self, Limits: limits, Program: b.prog, Builtin: e.progs.builtin})
		if err != nil {
			return err
		}
		d, ok := out.Result.AsDuration()
		if !ok || d <= 0 {
			return refuse("bad_request", "the timeout of %s is %s, not a Duration above zero", b.wf.Name, out.Result.Short(40))
		}
		b.limit = int64(d)
	}
	return nil
}

// CheckID refuses what cannot be the id of an instance: 1 to 256 bytes of
// letters, digits and ._:/@-
func CheckID(id string) error {
	if id == "" || len(id) > 256 {
		return refuse("bad_request", "an id has 1 to 256 bytes; this one has %d", len(id))
	}
	for _, r := range id {
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !isOneOf(r, "._:/@-") {
			return refuse("bad_request", "the id %q has the character %q; letters, digits and ._:/@- are possible", id, r)
		}
	}
	return nil
}

func isOneOf(r rune, set string) bool {
	for _, s := range set {
		if r == s {
			return true
		}
	}
	return false
}

// bear makes the instance part of a tx.
func (x *tx) bear(b *birth) *instance {
	e := x.e
	if b.id == "" {
		b.id = x.automaticID(b.wf.Name)
	}
	e.lastNumber++
	in := b.unborn(x.now)
	in.number = e.lastNumber
	e.insts[in.number] = in
	e.byID[in.id] = in
	e.scope.born(in.number, in.id, b.parent)
	if b.wf.Name == program.MainName {
		x.store = append(x.store, persist.Cell{Kind: cellRun, Key: runKey(in.number), Body: []byte{rowVersion}})
	}
	p := x.part(in)
	p.create = true
	rec := Record{Kind: RecSpawned, Name: b.wf.Name, Program: b.prog.Hash, Parent: b.parent, Value: recordOf(b.given), Fields: namedFields(b.wf, b.writes)}
	for _, ev := range b.events {
		rec.Events = append(rec.Events, p.event(ev, "init"))
	}
	p.record(rec)
	p.apply(flow.Begin{Limit: b.limit, Now: x.now})
	x.trace(in, said("is spawned"))
	for _, ev := range b.events {
		x.traceAs(in, TraceEmitted, func() string { return "emits " + ev.Name + arguments(ev.Args) })
	}
	return in
}

// unborn is the instance as it would begin.
func (b *birth) unborn(now int64) *instance {
	in := &instance{row: row{entity: b.wf.Entity, id: b.id, workflow: b.wf.Name, program: b.prog.Hash, created: now,
		seed: b.seed, origin: b.origin, parent: b.parent}, prog: b.prog, wf: b.wf,
		tracks: map[string]*flow.Track{}, undos: map[string]*flow.Undo{}, elems: map[string][]value.Value{}, attempts: map[string]*attempt{}, answers: map[string][]Record{}, born: b.given}
	in.state.Fields = b.fields
	return in
}

// automaticID is the next id of a workflow: "Order-1", "Order-2", …
func (x *tx) automaticID(workflow string) string {
	e := x.e
	for {
		e.counters[workflow]++
		id := workflow + "-" + strconv.FormatUint(e.counters[workflow], 10)
		if _, err := e.lookup(context.Background(), id); errors.Is(err, ErrNotFound) {
			c := enc{b: []byte{rowVersion}}
			c.uint(e.counters[workflow])
			x.store = append(x.store, persist.Cell{Kind: cellCounter, Key: workflow, Body: c.b})
			return id
		} else if err != nil {
			x.failed(err)
			return id
		}
	}
}

// noField refuses a field that a workflow does not have.
func noField(wf *program.Workflow, name string) error {
	names := make([]string, len(wf.Fields))
	for i, f := range wf.Fields {
		names[i] = f.Name
	}
	return refuse("bad_request", "workflow %s has no field %q%s", wf.Name, name, orMeant(name, names))
}

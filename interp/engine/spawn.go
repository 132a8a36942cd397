package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// Spawn makes an instance of a workflow of the program and gives its summary
// when it is durable. An existing instance of that id with the same fields is
// given as it is. id may be "". With a key ("" for none) the same spawn again
// gives the instance that the first one made, as long as that exists; another
// one under the key is refused.
func (e *Engine) Spawn(ctx context.Context, prog *program.Program, workflow, id string, fields *value.Record, key string) (Summary, error) {
	wf := prog.Actor(workflow)
	switch {
	case wf == nil:
		return Summary{}, noWorkflow(prog, workflow)
	case wf.Entity:
		return Summary{}, refuse("bad_request", "%s is an entity; it comes into being with its first command", workflow)
	}
	if err := received(key, workflow, recordOf(fields)); err != nil {
		return Summary{}, err
	}
	b, err := e.newBirth(prog, wf, id, fields)
	if err != nil {
		return Summary{}, err
	}
	return e.spawn(ctx, b, key)
}

func noWorkflow(prog *program.Program, name string) error {
	var known []string
	for _, w := range prog.Actors {
		if !w.Entity {
			known = append(known, w.Name)
		}
	}
	return refuse("not_found", "the program has no workflow %q%s", name, orMeant(name, known))
}

func (e *Engine) spawn(ctx context.Context, b *birth, key string) (Summary, error) {
	var sum Summary
	err := e.call(ctx, key, func(reply func(error)) {
		body := uint64(0)
		if key != "" {
			body = b.bodyHash()
		}
		in, err := e.spawned(ctx, b, key, body)
		if err != nil {
			reply(err)
			return
		}
		x := e.begin()
		x.batch.asked(true, reply)
		if in != nil {
			x.part(in) // it may be on its way to the store itself
		} else {
			e.progs.put(b.prog)
			x.batch.data.Programs = []persist.Program{{Hash: b.prog.Hash, Body: encodeFiles(b.prog.Files)}}
			x.noteEntities(b.prog)
			in = x.bear(b)
			x.rememberSpawn(in, key, spawnKey{in.number, body})
		}
		sum = in.summary()
		x.commit(func() { reply(nil) })
	})
	if err != nil {
		return Summary{}, err // the loop may yet answer somebody who has gone
	}
	return sum, nil
}

// spawned finds what a spawn gives instead of a new instance, nil if there is
// none: what was made under its key, or has its id.
func (e *Engine) spawned(ctx context.Context, b *birth, key string, body uint64) (*instance, error) {
	in, err := e.spawnedUnder(ctx, key, body)
	if in != nil || err != nil || b.id == "" {
		return in, err
	}
	return e.existing(ctx, b)
}

// existing finds what a named spawn returns instead of a new instance: one of
// that id with the same workflow and the same given fields.
func (e *Engine) existing(ctx context.Context, b *birth) (*instance, error) {
	in, err := e.lookup(ctx, b.id)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if in.workflow != b.wf.Name {
		return nil, refuse("conflict", "the id %q belongs to a %s", b.id, in.workflow)
	}
	given, err := e.givenFields(ctx, in)
	if err != nil {
		return nil, err
	}
	if !value.Equal(given, recordOf(b.given)) {
		return nil, refuse("conflict", "the %s %q exists with other fields: %s", in.workflow, b.id, given.Short(200))
	}
	return in, nil
}

func recordOf(r *value.Record) value.Value {
	keys, vals := make([]string, r.Len()), make([]value.Value, r.Len())
	for i := range keys {
		keys[i], vals[i] = r.At(i)
	}
	return value.NewRecord(keys, vals)
}

// givenFields are those that an instance was spawned with: its first record.
func (e *Engine) givenFields(ctx context.Context, in *instance) (value.Value, error) {
	if in.born != nil {
		return recordOf(in.born), nil
	}
	for entry, err := range e.store.Journal(ctx, in.number, 1) {
		if err != nil {
			return value.Nil, err
		}
		r, err := decodeRecord(entry.Seq, entry.Body)
		if err != nil {
			return value.Nil, err
		}
		return r.Value, nil
	}
	return value.Nil, fmt.Errorf("instance %q: %w: its journal is empty", in.id, persist.ErrDamaged)
}

// spawnFrom handles a spawn of an attempt: the new instance and the sender's
// answer are one transaction.
func (e *Engine) spawnFrom(a *attempt, n int, r *interp.Request, hash uint64) {
	given, _ := r.Args[0].AsRecord()
	id := r.ID
	if !r.HasID && a.in.workflow != program.MainName {
		id = a.childID()
	}
	b, err := e.newBirth(a.in.prog, a.in.prog.Actor(r.Name), id, given)
	var in *instance
	if err == nil && id != "" {
		in, err = e.childOf(a, b, r.HasID)
	}
	if err != nil {
		e.answerPending(a, n, r, hash, value.Nil, faultOf(err))
		return
	}
	if in != nil {
		e.release(in)
		e.answerPending(a, n, r, hash, value.NewHandle(value.Handle{Type: r.Name, ID: in.id}), nil)
		return
	}
	b.parent, b.origin = a.in.id, a.in.origin
	if a.in.workflow == program.MainName {
		b.origin = a.in.number
	}
	x := e.begin()
	in = x.bear(b)
	handle := value.NewHandle(value.Handle{Type: r.Name, ID: in.id})
	p := x.part(a.in)
	a.flush(p)
	p.record(a.answerRecord(n, r, hash, handle, nil))
	e.sent(x, a, handle)
}

// childOf finds the child that an earlier attempt has spawned, nil if there is
// none. A retry does not take one that ended badly: it has a new one instead,
// with a number behind the id.
func (e *Engine) childOf(a *attempt, b *birth, named bool) (*instance, error) {
	id := b.id
	for again := 2; ; again++ {
		in, err := e.existing(context.Background(), b)
		if in == nil || err != nil || named || a.number == 1 {
			return in, err
		}
		if st := in.state.Status; st != flow.Failed && st != flow.Cancelled {
			return in, nil
		}
		e.release(in)
		b.id = id + "-" + strconv.Itoa(again)
	}
}

// childID is the id of an unnamed spawn in a step: it follows from the place, so
// that a crash or a retry finds the child of the earlier attempt again.
func (a *attempt) childID() string {
	if a.path == flow.FinalPath {
		return a.in.id + "/" + flow.FinalPath + "-" + strconv.Itoa(a.spawns)
	}
	step, visit := a.step, a.visit
	t, _ := a.in.Track(a.path)
	where := t.Where
	u := a.in.undos[t.Undoing]
	if u != nil {
		visit = u.Visit
	}
	for _, i := range flow.Indices(a.in.wf, where) {
		step += ":" + strconv.Itoa(i)
	}
	if len(where) > 0 {
		visit = where[0].Visit // in a block nothing is visited twice
	}
	if u != nil {
		step += ".undo"
	}
	if visit > 1 {
		step += "." + strconv.FormatUint(uint64(visit), 10)
	}
	return a.in.id + "/" + step + "-" + strconv.Itoa(a.spawns)
}

package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// This file makes the spawns that come from outside, which may carry an
// idempotency key.

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

// A spawnKey is the instance that was spawned under a key, and what was asked.
type spawnKey struct{ number, body uint64 }

// bodyHash tells whether two spawns under one key are the same; the order of the
// fields does not count.
func (b *birth) bodyHash() uint64 {
	names := make([]string, b.given.Len())
	for i := range names {
		names[i], _ = b.given.At(i)
	}
	slices.Sort(names)
	args := []value.Value{value.String(b.id)}
	for _, name := range names {
		v, _ := b.given.Get(name)
		args = append(args, v)
	}
	return bodyHash("spawn", b.wf.Name, args, names)
}

// spawnedUnder gives the instance that was spawned under a key, nil if there is
// none (any more).
func (e *Engine) spawnedUnder(ctx context.Context, key string, body uint64) (*instance, error) {
	if key == "" {
		return nil, nil
	}
	k, found := e.spawnKeys[key]
	for c, err := range e.store.Cells(ctx, 0, cellSpawnKey, key) {
		if err != nil {
			return nil, err
		}
		if c.Key != key || found {
			break // a key that begins with this one comes behind it
		}
		d := dec{b: c.Body}
		d.byte()
		k, found = spawnKey{d.uint(), d.fix64()}, true
		if err := d.done(); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, nil
	}
	in, err := e.load(ctx, k.number)
	switch {
	case errors.Is(err, persist.ErrNotFound), err == nil && in.deleted:
		return nil, nil // the key went with the instance
	case err != nil:
		return nil, err
	case k.body != body:
		e.release(in)
		return nil, refuse("conflict", "the key %q was used for another request", key)
	}
	return in, nil
}

// rememberSpawn keeps what was spawned under a key, "" for none; the instance
// keeps the key, to take it along when it is deleted.
func (x *tx) rememberSpawn(in *instance, key string, k spawnKey) {
	if key == "" {
		return
	}
	c := enc{b: []byte{rowVersion}}
	c.uint(k.number)
	c.fix64(k.body)
	x.store = append(x.store, persist.Cell{Kind: cellSpawnKey, Key: key, Body: c.b})
	x.part(in).cell(cellSpawnKey, key, []byte{rowVersion}, nil)
	in.spawnKey = key
	x.e.spawnKeys[key] = k
	x.batch.after = append(x.batch.after, func() {
		if x.e.spawnKeys[key] == k {
			delete(x.e.spawnKeys, key)
		}
	})
}

// forgetSpawn removes the key that the instance was spawned under, if any.
func (p *part) forgetSpawn() {
	x, in := p.x, p.in
	keys := []string{}
	if in.spawnKey != "" {
		keys = append(keys, in.spawnKey) // it may be on its way to the store
	}
	for c, err := range x.e.store.Cells(context.Background(), in.number, cellSpawnKey, "") {
		if err != nil {
			x.failed(err)
			return
		}
		if c.Key != in.spawnKey {
			keys = append(keys, c.Key)
		}
	}
	for _, key := range keys {
		x.store = append(x.store, persist.Cell{Kind: cellSpawnKey, Key: key})
	}
}

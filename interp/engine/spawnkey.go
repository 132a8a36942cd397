package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

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

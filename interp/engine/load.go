package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// load gives the instance, from memory or from the store; an error that is
// persist.ErrNotFound if it was deleted.
func (e *Engine) load(ctx context.Context, number uint64) (*instance, error) {
	if in, ok := e.insts[number]; ok {
		if in.deleted {
			return nil, fmt.Errorf("instance %q: %w", in.id, persist.ErrNotFound)
		}
		return in, nil
	}
	r, err := e.store.Load(ctx, number)
	if err != nil {
		return nil, err
	}
	return e.admit(ctx, r)
}

// lookup gives the instance of an id; an error that is ErrNotFound if there is
// none.
func (e *Engine) lookup(ctx context.Context, id string) (*instance, error) {
	if in, ok := e.byID[id]; ok {
		if in.deleted {
			return nil, noInstance(id)
		}
		return in, nil
	}
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return nil, noInstance(id)
	}
	if err != nil {
		return nil, err
	}
	return e.admit(ctx, r)
}

func noInstance(id string) error { return refuse("not_found", "there is no instance %q", id) }

// admit reads an instance into memory.
func (e *Engine) admit(ctx context.Context, r persist.Row) (*instance, error) {
	in, err := e.read(ctx, r)
	if err != nil {
		return nil, err
	}
	e.insts[in.number] = in
	e.byID[in.id] = in
	return in, nil
}

// read decodes an instance; it may be called from anywhere.
func (e *Engine) read(ctx context.Context, r persist.Row) (*instance, error) {
	in, err := e.readRow(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := e.readEnd(ctx, in); err != nil {
		return nil, err
	}
	for c, err := range e.store.Cells(ctx, r.Number, cellTrack, "") {
		if err != nil {
			return nil, err
		}
		t, err := decodeTrack(c.Body)
		if err != nil {
			return nil, fmt.Errorf("instance %q, track %q: %w", r.ID, c.Key, err)
		}
		t.From = min(t.From, in.lastSeq+1)
		in.putTrack(t)
	}
	for c, err := range e.store.Cells(ctx, r.Number, cellUndo, "") {
		if err != nil {
			return nil, err
		}
		u, err := decodeUndo(c.Key, c.Body)
		if err != nil {
			return nil, fmt.Errorf("instance %q, undo row: %w", r.ID, err)
		}
		in.putUndo(u)
	}
	for c, err := range e.store.Cells(ctx, r.Number, cellElements, "") {
		if err != nil {
			return nil, err
		}
		if in.elems[c.Key], err = decodeElements(c.Body); err != nil {
			return nil, fmt.Errorf("instance %q, elements: %w", r.ID, err)
		}
	}
	for c, err := range e.store.Cells(ctx, r.Number, cellInbox, "") {
		if err != nil {
			return nil, err
		}
		s, err := decodeSignal(binary.BigEndian.Uint64([]byte(c.Key)), c.Body)
		if err != nil {
			return nil, fmt.Errorf("instance %q, inbox: %w", r.ID, err)
		}
		in.inbox = append(in.inbox, s)
	}
	return in, nil
}

// readEnd finds the end of the instance's journal. Answers are appended without
// touching the row, so it may be behind what the row says; in a store that was
// salvaged it may also be before that: what is lost was at the end, and the
// answers of an attempt that stood there begin anew.
func (e *Engine) readEnd(ctx context.Context, in *instance) error {
	last := uint64(0)
	for _, from := range []uint64{max(in.lastSeq, 1), 1} {
		for entry, err := range e.store.Journal(ctx, in.number, from) {
			if err != nil {
				return err
			}
			last = entry.Seq
		}
		if last != 0 {
			break
		}
	}
	in.lastSeq = last
	in.state.Root.From = min(in.state.Root.From, last+1)
	return nil
}

// readRow decodes the row alone: enough for a query.
func (e *Engine) readRow(ctx context.Context, r persist.Row) (*instance, error) {
	prog, err := e.progs.get(ctx, r.Program)
	if err != nil {
		return nil, fmt.Errorf("instance %q: %w", r.ID, err)
	}
	wf := prog.Actor(r.Workflow)
	if wf == nil {
		return nil, fmt.Errorf("instance %q: %w: its program has no workflow %s", r.ID, persist.ErrDamaged, r.Workflow)
	}
	decoded, err := decodeRow(r, wf, func(name string) ([]byte, error) {
		for c, err := range e.store.Cells(ctx, r.Number, cellField, name) {
			if err != nil {
				return nil, err
			}
			if c.Key == name {
				return c.Body, nil
			}
		}
		return nil, fmt.Errorf("%w: field %s is missing", persist.ErrDamaged, name)
	})
	if err != nil {
		return nil, fmt.Errorf("instance %q: %w: %w", r.ID, persist.ErrDamaged, err)
	}
	return &instance{row: *decoded, prog: prog, wf: wf, tracks: map[string]*flow.Track{}, undos: map[string]*flow.Undo{},
		elems: map[string][]value.Value{}, attempts: map[string]*attempt{}}, nil
}

// maxIdle is how many instances stay in memory when nothing is under way for
// them: those that were busy last are likely to be so again soon.
const maxIdle = 1024

// idle reports whether nothing is under way for an instance.
func (in *instance) idle() bool {
	return in.held == 0 && in.cutting == 0 && len(in.attempts) == 0
}

// release lets an instance go from memory when nothing is under way for it: the
// deleted at once, the others when it is their turn.
func (e *Engine) release(in *instance) {
	if !in.idle() || e.insts[in.number] != in {
		return
	}
	if in.deleted {
		e.forget(in)
		return
	}
	if in.resting {
		return
	}
	in.resting = true
	e.resting = append(e.resting, in)
	for len(e.resting) > maxIdle {
		last := e.resting[0]
		e.resting[0] = nil
		e.resting = e.resting[1:]
		last.resting = false
		if last.idle() && e.insts[last.number] == last {
			e.forget(last)
		}
	}
}

// forget drops an instance from memory; the store has it.
func (e *Engine) forget(in *instance) {
	delete(e.insts, in.number)
	if e.byID[in.id] == in {
		delete(e.byID, in.id)
	}
}

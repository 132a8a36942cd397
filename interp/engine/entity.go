package engine

import (
	"context"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// entityCell says which program version is the newest that declares an entity.
func entityCell(name, hash string) persist.Cell {
	e := enc{b: []byte{rowVersion}}
	e.string(hash)
	return persist.Cell{Kind: cellEntity, Key: name, Body: e.b}
}

// noteEntities makes a program the newest for the entities that it declares.
func (x *tx) noteEntities(prog *program.Program) {
	x.e.entityMu.Lock()
	defer x.e.entityMu.Unlock()
	for _, w := range prog.Actors {
		if w.Entity && x.e.entities[w.Name] != prog.Hash {
			x.e.entities[w.Name] = prog.Hash
			x.store = append(x.store, entityCell(w.Name, prog.Hash))
		}
	}
}

// entityProgram is the newest program that declares an entity; the given one
// counts if the store knows none; nil if there is none at all.
func (e *Engine) entityProgram(ctx context.Context, name string, given *program.Program) (*program.Program, error) {
	if hash, ok := e.entityHash(name); ok {
		return e.progs.get(ctx, hash)
	}
	if given != nil {
		if w := given.Actor(name); w != nil && w.Entity {
			return given, nil
		}
	}
	return nil, nil
}

func (e *Engine) entityHash(name string) (string, bool) {
	e.entityMu.Lock()
	defer e.entityMu.Unlock()
	h, ok := e.entities[name]
	return h, ok
}

// renew lets an entity run in the newest program that declares it, if its stored
// fields fit.
func (e *Engine) renew(ctx context.Context, in *instance) error {
	if !in.wf.Entity {
		return nil
	}
	prog, err := e.entityProgram(ctx, in.workflow, nil)
	if err != nil || prog == nil || prog.Hash == in.program {
		return err
	}
	return in.moveTo(e, prog)
}

// moveTo changes the program of an entity, by the names of its fields.
func (in *instance) moveTo(e *Engine, prog *program.Program) error {
	wf := prog.Actor(in.workflow)
	if wf == nil || !wf.Entity {
		return nil
	}
	for i, v := range in.state.Fields {
		if slot := wf.Field(in.wf.Fields[i].Name); slot < 0 && !v.IsNil() {
			return nil // it does not fit: the entity stays with its version
		}
	}
	empty, _ := value.NewRecord(nil, nil).AsRecord()
	b, err := e.newBirth(prog, wf, "", empty)
	if err != nil {
		return err
	}
	for i, v := range in.state.Fields {
		slot := wf.Field(in.wf.Fields[i].Name)
		if slot < 0 || v.IsNil() {
			continue
		}
		if b.fields[slot], err = Fit(v, &wf.Fields[slot].Type); err != nil {
			return nil // the type of a field has changed: as above
		}
	}
	in.prog, in.wf, in.program = prog, wf, prog.Hash
	in.state.Fields = b.fields
	return nil
}

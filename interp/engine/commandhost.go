package engine

import (
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/value"
)

// commandHost is the world of a command: clock, ids and chance.
type commandHost struct {
	e    *Engine
	id   string // of the instance, with its workflow
	seed uint64
	seq  uint64 // of the instance's journal: the place of the command in its life
	n    int
}

func (h *commandHost) Do(r interp.Request) (value.Value, error) {
	h.n++
	a := attempt{e: h.e, in: &instance{row: row{id: h.id, seed: h.seed}}, path: "command", visit: uint32(h.seq), number: uint32(h.seq >> 32)}
	if v, ok := a.chance(&r, h.n); ok {
		return v, nil
	}
	return noWorld{h.e.Now}.Do(r)
}

// noWorld is the host of what may not perform: policies, initial values, queries.
type noWorld struct{ now func() int64 }

func (w noWorld) Do(r interp.Request) (value.Value, error) {
	if w.now != nil && isOp(&r, "Time.now") {
		return value.Time(w.now()), nil
	}
	return value.Nil, &interp.Fault{Code: "denied", Message: requestWords(&r) + " is not possible here", Span: r.Span, Index: -1}
}

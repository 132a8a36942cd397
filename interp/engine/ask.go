package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// What a body outside of any instance asks for goes through these entrances.
// Nothing of it is journaled by a sender: there is none.

// Adopt stores a program without running anything of it. It is the newest from
// then on: what it declares as entities runs by it.
func (e *Engine) Adopt(ctx context.Context, prog *program.Program) error {
	return e.call(ctx, "", func(reply func(error)) {
		x := e.begin()
		x.batch.fail = append(x.batch.fail, reply)
		e.progs.put(prog)
		x.batch.data.Programs = []persist.Program{{Hash: prog.Hash, Body: encodeFiles(prog.Files)}}
		x.noteEntities(prog)
		x.commit(func() { reply(nil) })
	})
}

// Ask does what `ask h.name(…)` does: it runs a command, whose reply comes when
// the change is durable, or a query of the last durable state. names has the
// names of named arguments, "" for positional ones; nil if all are positional.
// An entity is what the newest program in the store says that declares it. With
// a key ("" for none) the same command again gives the first answer, as by Call.
func (e *Engine) Ask(ctx context.Context, h value.Handle, name string, args []value.Value, names []string, key string) (value.Value, error) {
	if err := received(key, name, args...); err != nil {
		return value.Nil, err
	}
	prog, err := e.entityProgram(ctx, h.Type, nil)
	if err != nil {
		return value.Nil, err
	}
	if prog == nil {
		prog = &program.Program{}
	}
	if !e.isCommand(&interp.Request{Kind: interp.Ask, Target: h, Name: name}, prog) {
		return e.query(ctx, h.StoreID(), name, args, names)
	}
	var answer value.Value
	err = e.call(ctx, key, func(reply func(error)) {
		e.command(&command{target: h, name: name, args: args, names: names, key: key, reply: func(v value.Value, err error) {
			answer = v
			reply(err)
		}})
	})
	return answer, err
}

// End gives what awaiting an instance gives, if it has ended: its result, or its
// failure as an *interp.Fault. It reads the store, so it never waits and may be
// called from anywhere.
func (e *Engine) End(ctx context.Context, id string) (v value.Value, ended bool, err error) {
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return value.Nil, false, noInstance(id)
	}
	if err != nil {
		return value.Nil, false, err
	}
	in, err := e.readRow(ctx, r)
	if err != nil {
		return value.Nil, false, err
	}
	a, ended := end(in)
	if f := faultFrom(a.failure); f != nil {
		return value.Nil, ended, f
	}
	return a.value, ended, nil
}

// Instances gives what Workflow.list gives: a list of records { id, workflow,
// status, handle } of the instances of a workflow and a status ("" for any), by
// age; those of programs are not among them.
func (e *Engine) Instances(ctx context.Context, workflow, status string) (value.Value, error) {
	var out []value.Value
	for row, err := range e.store.List(ctx, persist.Filter{Workflow: workflow, Status: status}) {
		if err != nil {
			return value.Nil, err
		}
		if row.Workflow == program.MainName {
			continue
		}
		if len(out) == maxListed {
			return value.Nil, refuse("bad_request", "Workflow.list would give more than %d instances", maxListed)
		}
		h := value.Handle{Type: row.Workflow, ID: row.ID}
		if row.Status == statusReady {
			h.Entity = true
			_, h.ID, _ = strings.Cut(row.ID, "/")
		}
		out = append(out, value.NewRecord([]string{"id", "workflow", "status", "handle"},
			[]value.Value{value.String(row.ID), value.String(row.Workflow), value.String(row.Status), value.NewHandle(h)}))
	}
	return value.List(out...), nil
}

// maxListed is how many instances Workflow.list gives at most.
const maxListed = 10_000

// Named turns a request that names a query or signal at run time (Workflow.query,
// Workflow.signal) into the ask or signal that it is; others stay as they are.
func Named(r interp.Request) (interp.Request, error) {
	err := byName(&r)
	return r, err
}

// Chance answers a request for a random value or an id, by a hash of the seed
// and the number of the request under it; false for any other request.
func Chance(seed uint64, n int, r *interp.Request) (value.Value, bool) {
	a := attempt{in: &instance{row: row{seed: seed}}, path: "outside"}
	return a.chance(r, n)
}

// SleepUntil is when the wait that a Timer operation asks for is over, in Unix
// nanoseconds.
func SleepUntil(now int64, r *interp.Request) (int64, error) {
	w, f := opWait(now, r)
	if f != nil {
		return 0, f
	}
	return w.Deadlines[0], nil
}

// After is the instant that lies a Duration ahead, in Unix nanoseconds.
func After(now int64, d value.Value) (int64, error) {
	at, f := after(now, d)
	if f != nil {
		return 0, f
	}
	return at, nil
}

// Shown gives what a request shows: the line that IO.print prints, or what Log
// logs, without an instance; ok is false for any other request. A secret is
// refused.
func Shown(now int64, r *interp.Request) (printed string, logged *Logged, ok bool, err error) {
	if !isPrint(r) {
		return "", nil, false, nil
	}
	if _, err := shownOf(r); err != nil {
		return "", nil, true, err
	}
	if isLog(r) {
		return "", &Logged{Time: now, Level: r.Op.Name, Text: logText(r.Args)}, true, nil
	}
	return printedText(r.Args), nil, true, nil
}

// printedText is the line that IO.print shows for its arguments.
func printedText(args []value.Value) string {
	var text strings.Builder
	for i, v := range args {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(v.Text())
	}
	text.WriteByte('\n')
	return text.String()
}

package engine

import (
	"slices"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// The kinds of cells. Those of instance number 0 belong to the store.
const (
	cellTrack    persist.CellKind = 't' // a branch or compensation under way, by path
	cellUndo     persist.CellKind = 'u' // an undo row, by key
	cellElements persist.CellKind = 'e' // the elements of a `parallel for` under way, by the path of its track
	cellInbox    persist.CellKind = 'i' // a signal that is not consumed, by number
	cellField    persist.CellKind = 'f' // a large state field, by name
	cellWaiter   persist.CellKind = 'w' // who awaits the end of this instance
	cellCounter  persist.CellKind = 'c' // store: last number of an automatic id, by workflow
	cellClock    persist.CellKind = 'k' // store: highest engine time noted
	cellKey      persist.CellKind = 'y' // an idempotency key that was used, with the answer
	cellSpawnKey persist.CellKind = 'q' // store: what was spawned under an idempotency key; an instance: the key
	cellEntity   persist.CellKind = 'p' // store: the newest program that declares an entity, by its name
	cellStart    persist.CellKind = 's' // store: a start that nothing has been committed after, see careful
	cellRun      persist.CellKind = 'r' // store: a run of a program that is not reported, by its main's number
	cellOutput   persist.CellKind = 'o' // store: output recorded but not known to be shown, by number
)

// rowVersion is the format of row bodies, cells and journal records.
const rowVersion = 1

// bigField is the encoded size in bytes from which a state field has a cell of
// its own, so that a step pays for it only when it changes it.
const bigField = 512

// A row is the present of an instance, as its row in the store keeps it.
type row struct {
	number   uint64
	id       string
	workflow string
	program  string
	version  uint64

	created   int64 // Unix nanoseconds
	updated   int64
	seed      uint64
	origin    uint64 // number of the main that spawned it, directly or not; 0: none
	parent    string // id of the spawner
	lastSeq   uint64 // of the journal
	lastInbox uint64
	waited    bool   // somebody awaits its end
	spent     uint64 // tokens that its calls have used
	entity    bool   // of its declaration
	state     flow.State
}

// encode gives the row for the store, and the cells of large fields that are
// among the changed ones, or of all of them. names are the field names by slot.
func (r *row) encode(names []program.StateField, changed []int, all bool) (*persist.Row, []persist.Cell, error) {
	e := enc{b: make([]byte, 0, 256)}
	e.byte(rowVersion)
	e.fix64(uint64(r.created))
	e.fix64(uint64(r.updated))
	e.fix64(r.seed)
	e.uint(r.origin)
	e.string(r.parent)
	e.uint(r.lastSeq)
	e.uint(r.lastInbox)
	e.bool(r.waited)
	cells := e.fields(names, r.state.Fields, changed, all)
	e.state(&r.state)
	if r.spent > 0 {
		e.uint(r.spent)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	return &persist.Row{Number: r.number, ID: r.id, Workflow: r.workflow, Status: r.status(),
		Program: r.program, Version: r.version, Runnable: r.state.Active > 0 && r.state.Driven(), Body: e.b}, cells, nil
}

// statusReady is the status of entities: they wait for commands.
const statusReady = "ready"

// status is the status as listings say it.
func (r *row) status() string {
	if r.entity {
		return statusReady
	}
	return r.state.Status.String()
}

// fields writes the set fields: name, then the value, or a mark that a cell has it.
func (e *enc) fields(names []program.StateField, vals []value.Value, changed []int, all bool) []persist.Cell {
	n := 0
	for _, v := range vals {
		if !v.IsNil() {
			n++
		}
	}
	e.uint(uint64(n))
	var cells []persist.Cell
	for i, v := range vals {
		if v.IsNil() {
			continue
		}
		e.string(names[i].Name)
		mark := len(e.b)
		e.byte(0)
		if value.Size(v) <= bigField/2 {
			e.value(v)
			continue
		}
		start := len(e.b)
		e.value(v)
		if len(e.b)-start < bigField {
			continue
		}
		if all || slices.Contains(changed, i) {
			cells = append(cells, persist.Cell{Kind: cellField, Key: names[i].Name, Body: append([]byte{rowVersion}, e.b[start:]...)})
		}
		e.b = e.b[:start]
		e.b[mark] = 1
	}
	return cells
}

// decodeRow reads a row. The workflow's fields give the slots; big fields are
// fetched by the given function.
func decodeRow(p persist.Row, w *program.Workflow, big func(name string) ([]byte, error)) (*row, error) {
	d := dec{b: p.Body}
	if v := d.byte(); v != rowVersion {
		d.fail("version")
	}
	r := &row{entity: w.Entity, number: p.Number, id: p.ID, workflow: p.Workflow, program: p.Program, version: p.Version}
	r.created, r.updated, r.seed = int64(d.fix64()), int64(d.fix64()), d.fix64()
	r.origin, r.parent = d.uint(), d.string()
	r.lastSeq, r.lastInbox, r.waited = d.uint(), d.uint(), d.bool()
	fields, err := d.fields(w, big)
	if err != nil {
		return nil, err
	}
	d.state(&r.state)
	r.state.Fields = fields
	if len(d.b) > 0 {
		r.spent = d.uint()
	}
	return r, d.done()
}

func (d *dec) fields(w *program.Workflow, big func(string) ([]byte, error)) ([]value.Value, error) {
	vals := make([]value.Value, len(w.Fields))
	for range d.count() {
		name := d.string()
		external := d.bool()
		var v value.Value
		if external {
			b, err := big(name)
			if err != nil {
				return nil, err
			}
			bd := dec{b: b}
			bd.byte()
			v = bd.value()
			if err := bd.done(); err != nil {
				return nil, err
			}
		} else {
			v = d.value()
		}
		if slot := w.Field(name); slot >= 0 {
			vals[slot] = v
		}
	}
	return vals, nil
}

func (e *enc) state(s *flow.State) {
	e.byte(byte(s.Status))
	e.byte(byte(s.Ending))
	e.value(s.Result)
	e.uint(uint64(len(s.Retries)))
	for _, c := range s.Retries {
		e.string(c.Step)
		e.uint(uint64(c.Count))
	}
	e.failure(s.Failure)
	e.failure(s.Last)
	e.failure(s.Cause)
	e.bool(s.Pause != nil)
	if p := s.Pause; p != nil {
		e.string(p.Reason)
		e.int(p.Until)
		e.int(int64(p.Then))
		e.value(p.Input)
		e.int(int64(p.Next))
		e.value(p.NextInput)
	}
	e.track(&s.Root)
	e.compensation(s.Compensation)
	e.uint(uint64(max(s.Active, 0)))
	e.bool(s.Finished)
	e.int(s.Limit)
	e.int(s.Deadline)
}

func (d *dec) state(s *flow.State) {
	s.Status, s.Ending = flow.Status(d.byte()), flow.Ending(d.byte())
	s.Result = d.value()
	s.Retries = list(d, func() flow.StepCount { return flow.StepCount{Step: d.string(), Count: int(d.uint())} })
	s.Failure, s.Last, s.Cause = d.failure(), d.failure(), d.failure()
	if d.bool() {
		s.Pause = &flow.Pause{Reason: d.string(), Until: d.int(), Then: int(d.int()), Input: d.value(),
			Next: int(d.int()), NextInput: d.value()}
	}
	s.Root = d.track()
	s.Compensation = d.compensation()
	s.Active = int(d.uint())
	s.Finished, s.Limit, s.Deadline = d.bool(), d.int(), d.int()
}

func encodeUndo(u *flow.Undo) ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.places(u.Where)
	e.int(int64(u.Item))
	e.uint(uint64(u.Visit))
	e.string(u.Step)
	e.value(u.Input)
	e.values(u.Elems)
	e.value(u.Value)
	e.bool(u.Completed)
	e.failure(u.Failure)
	return e.b, e.err
}

func decodeUndo(key string, b []byte) (*flow.Undo, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	u := &flow.Undo{Key: key, Where: d.places(), Item: int(d.int()), Visit: uint32(d.uint()), Step: d.string(),
		Input: d.value(), Elems: d.values(), Value: d.value(), Completed: d.bool(), Failure: d.failure()}
	return u, d.done()
}

func encodeElements(vs []value.Value) ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.values(vs)
	return e.b, e.err
}

func decodeElements(b []byte) ([]value.Value, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	vs := d.values()
	return vs, d.done()
}

// A signal in the inbox. Taken says that a wait has it; it is consumed, or put
// back, by the transition that ends the attempt.
type signal struct {
	number  uint64
	name    string
	payload value.Value
	taken   bool
}

func (s *signal) encode() ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.string(s.name)
	e.value(s.payload)
	e.bool(s.taken)
	return e.b, e.err
}

func decodeSignal(number uint64, b []byte) (*signal, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	s := &signal{number: number, name: d.string(), payload: d.value(), taken: d.bool()}
	return s, d.done()
}

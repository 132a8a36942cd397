package engine

import (
	"slices"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/persist"
)

// touched is a track that a part may have changed, with its deadline before.
type touched struct {
	path     string
	deadline int64
}

// A tx gathers everything that becomes true together, over one or more
// instances, and queues it as one batch. It is made, filled and committed in one
// go on the loop.
type tx struct {
	e     *Engine
	now   int64
	parts []*part
	first part // room for the only part that most have
	batch batch
	store []persist.Cell // of the store itself
	err   error          // something could not be encoded: a value that is no data
}

// A part is what a tx does to one instance.
type part struct {
	x         *tx
	in        *instance
	change    persist.Change
	row       bool  // the row changes
	slots     []int // changed fields
	create    bool
	deleted   bool
	limit     int64     // the workflow's deadline before this tx
	run       []string  // tracks to run once it is durable
	touched   []touched // in the order of first change
	isTouched map[string]bool
}

func (e *Engine) begin() *tx { return &tx{e: e, now: e.Now()} }

// part is the tx's part for the instance.
func (x *tx) part(in *instance) *part {
	for _, p := range x.parts {
		if p.in == in {
			return p
		}
	}
	p := &x.first
	if p.in != nil {
		p = &part{}
	}
	p.x, p.in = x, in
	p.change = persist.Change{Number: in.number, Expect: in.version}
	p.limit = in.state.Deadline
	x.parts = append(x.parts, p)
	return p
}

func (x *tx) failed(err error) {
	if err != nil && x.err == nil {
		x.err = err
	}
}

// record appends to the instance's journal.
func (p *part) record(r Record) {
	if r.Time == 0 {
		r.Time = p.x.now
	}
	body, err := encodeRecord(&r)
	p.x.failed(err)
	p.row = p.row || r.Usage.Tokens > 0 // it has the sum
	p.in.lastSeq++
	r.Seq = p.in.lastSeq
	p.in.keepAnswer(&r)
	p.change.Journal = append(p.change.Journal, persist.Entry{Seq: p.in.lastSeq, Body: body})
	if r.Print {
		p.x.shows(p.in, &r)
	}
}

func (p *part) cell(kind persist.CellKind, key string, body []byte, err error) {
	p.x.failed(err)
	p.change.Cells = append(p.change.Cells, persist.Cell{Kind: kind, Key: key, Body: body})
}

// apply makes the transition of an event part of the tx. It reports whether the
// event still meant something; if not, nothing has changed.
func (p *part) apply(ev flow.Event) bool {
	in := p.in
	t, ok := flow.Next(in.wf, in, ev)
	if !ok {
		return false
	}
	p.row = true
	p.touch("")
	for _, tr := range t.Tracks {
		p.touch(tr.Path)
	}
	for _, path := range t.Gone {
		p.touch(path)
	}
	was := in.state
	in.state = t.State
	if was.Status.Terminal() && was.Compensation.Status == flow.CompensationRunning && in.state.Compensation.Status == flow.CompensationFailed {
		p.noteFailed() // what was tried again has failed again
	}
	for _, tr := range t.Tracks {
		if tr.From == 0 {
			tr.From = in.lastSeq + 1
			in.forgetAnswers(tr.Path)
		}
		in.putTrack(tr)
	}
	for _, path := range t.Gone {
		delete(in.tracks, path)
		in.forgetAnswers(path)
	}
	if in.state.Root.From == 0 {
		in.state.Root.From = in.lastSeq + 1
		in.forgetAnswers("")
	}
	for _, u := range t.Undos {
		in.putUndo(u)
		body, err := encodeUndo(u)
		p.cell(cellUndo, u.Key, body, err)
	}
	for _, key := range t.UndoGone {
		delete(in.undos, key)
		p.cell(cellUndo, key, nil, nil)
	}
	for _, el := range t.Elements {
		if el.List == nil {
			delete(in.elems, el.Path)
			p.cell(cellElements, el.Path, nil, nil)
			continue
		}
		in.elems[el.Path] = el.List
		body, err := encodeElements(el.List)
		p.cell(cellElements, el.Path, body, err)
	}
	p.signals(t)
	for _, c := range t.Commands {
		p.command(c)
	}
	if len(t.Returned) > 0 {
		p.offer()
	}
	return true
}

// offer gives what is in the inbox again, after signals have been put back, to
// whoever waits for it already.
func (p *part) offer() {
	for _, s := range slices.Clone(p.in.inbox) {
		if s.taken {
			continue
		}
		if t, arm := p.in.waitingFor(s.name); t != nil {
			p.wake(t, answerOfSignal(t.Wait, arm, s), s)
		}
	}
}

// knows reports whether the track was touched; a part that touches many keeps
// them in a map beside the list.
func (p *part) knows(path string) bool {
	const few = 16
	if len(p.touched) <= few {
		return slices.ContainsFunc(p.touched, func(t touched) bool { return t.path == path })
	}
	if p.isTouched == nil {
		p.isTouched = map[string]bool{}
		for _, t := range p.touched {
			p.isTouched[t.path] = true
		}
	}
	known := p.isTouched[path]
	p.isTouched[path] = true
	return known
}

// touch notes a track whose row or timer may change.
func (p *part) touch(path string) {
	if p.knows(path) {
		return
	}
	before := touched{path: path}
	if t, ok := p.in.Track(path); ok {
		before.deadline = deadline(&p.in.state, t)
	}
	p.touched = append(p.touched, before)
}

// signals removes consumed signals and puts returned ones back.
func (p *part) signals(t flow.Transition) {
	for _, n := range t.Consumed {
		for i, s := range p.in.inbox {
			if s.number == n {
				p.in.inbox = append(p.in.inbox[:i:i], p.in.inbox[i+1:]...)
				break
			}
		}
		p.cell(cellInbox, inboxKey(n), nil, nil)
	}
	for _, n := range t.Returned {
		for _, s := range p.in.inbox {
			if s.number == n {
				p.setTaken(s, false)
			}
		}
	}
}

func (p *part) setTaken(s *signal, taken bool) {
	s.taken = taken
	body, err := s.encode()
	p.cell(cellInbox, inboxKey(s.number), body, err)
}

// command notes what has to be done about a transition.
func (p *part) command(c flow.Command) {
	switch c.Kind {
	case flow.Run:
		p.run = append(p.run, c.Path)
	case flow.Cut:
		if a := p.in.attempts[c.Path]; a != nil {
			p.cut(a)
		}
	case flow.Finish:
		p.finished()
	}
}

// finished: the instance is terminal.
func (p *part) finished() {
	s := &p.in.state
	p.record(Record{Kind: RecEnded, What: s.Status.String(), Value: s.Result, Failure: s.Cause, N: len(p.in.inbox)})
	if s.Status == flow.Failed || s.Status == flow.Cancelled {
		p.noteFailed()
	}
	p.wakeWaiters()
}

// wakeWaiters wakes whoever awaits the instance by a timer that is due now: a
// wake-up that survives a crash like any other.
func (p *part) wakeWaiters() {
	in, x := p.in, p.x
	if !in.waited {
		return
	}
	ws, err := x.e.waiters(in)
	x.failed(err)
	for _, w := range ws {
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: w.number,
			Set: []persist.Timer{{At: x.now, Instance: w.number, Key: wakeKey + w.path}}})
		x.batch.set = x.now
	}
}

// noteFailed notes, once it is durable, that an instance which this engine drives
// has ended badly.
func (p *part) noteFailed() {
	e := p.x.e
	if !e.scope.has(p.in.number) {
		return
	}
	s := p.in.summary()
	p.x.batch.after = append(p.x.batch.after, func() {
		e.failed.Count++
		if len(e.failed.First) < 20 {
			e.failed.First = append(e.failed.First, s)
		}
	})
}

// event appends to the store-wide event log.
func (p *part) event(ev interp.Event, step string) uint64 {
	e := p.x.e
	e.lastEvent++
	rec := EventRecord{Instance: p.in.id, Workflow: p.in.workflow, Step: step, Time: p.x.now, Name: ev.Name, Names: ev.Names, Args: ev.Args}
	body, err := encodeEvent(&rec)
	p.x.failed(err)
	p.change.Events = append(p.change.Events, persist.Event{Number: e.lastEvent, Instance: p.in.number, Body: body})
	return e.lastEvent
}

package engine

import (
	"fmt"
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

// commit queues the batch. after runs on the loop once it is durable.
func (x *tx) commit(after ...func()) {
	e := x.e
	if x.err != nil {
		// What a script makes is checked before it reaches a tx, so this is a
		// bug of ours. Numbers are taken already: the engine cannot go on.
		e.fail(fmt.Errorf("internal error: encode batch: %w", x.err))
		return
	}
	for _, p := range x.parts {
		p.finish()
	}
	if e.fatal != nil {
		return
	}
	x.noteStore()
	x.batch.after = append(x.batch.after, after...)
	e.committer.enqueue(&x.batch)
}

// finish encodes the part into the batch.
func (p *part) finish() {
	x, in := p.x, p.in
	in.held++
	x.batch.insts = append(x.batch.insts, in)
	if p.deleted && !p.create {
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: in.number, Expect: p.change.Expect, Delete: true, Events: p.change.Events})
		return
	}
	p.deadline()
	for _, t := range p.touched {
		p.trackCell(t)
	}
	if p.row {
		in.updated = x.now
		in.version++
		row, cells, err := in.encode(in.wf.Fields, p.slots, p.create)
		if err != nil {
			x.e.fail(fmt.Errorf("internal error: encode row of %s: %w", in.id, err))
			return
		}
		p.change.Row = row
		p.change.Cells = append(p.change.Cells, cells...)
	} else {
		p.change.Expect = 0
	}
	x.batch.data.Changes = append(x.batch.data.Changes, p.change)
	if p.deleted { // by the command that created it
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: in.number, Expect: in.version, Delete: true})
		return
	}
	if len(p.run) > 0 {
		x.batch.after = append(x.batch.after, func() {
			for _, path := range p.run {
				x.e.start(in, path)
			}
		})
	}
}

// deadline sets or clears the timer of the workflow's own timeout.
func (p *part) deadline() {
	was, now := p.limit, p.in.state.Deadline
	if p.create {
		was = 0
	}
	if was == now {
		return
	}
	if was != 0 {
		p.change.Clear = append(p.change.Clear, persist.Timer{At: was, Instance: p.in.number, Key: limitKey})
	}
	if now != 0 {
		p.setTimer(now, limitKey)
	}
}

func (p *part) setTimer(at int64, key string) {
	p.change.Set = append(p.change.Set, persist.Timer{At: at, Instance: p.in.number, Key: key})
	if p.x.batch.set == 0 || at < p.x.batch.set {
		p.x.batch.set = at
	}
}

// trackCell writes or removes the cell of a track that changed, and sets or
// clears its timer: there is one exactly while its deadline is ahead.
func (p *part) trackCell(was touched) {
	in, path, before := p.in, was.path, was.deadline
	t, ok := in.Track(path)
	var now int64
	if ok {
		now = deadline(&in.state, t)
	}
	if before != now {
		if before != 0 {
			p.change.Clear = append(p.change.Clear, persist.Timer{At: before, Instance: in.number, Key: timerKey + path})
		}
		if now != 0 {
			p.setTimer(now, timerKey+path)
		}
	}
	switch {
	case path == "":
	case !ok:
		p.cell(cellTrack, path, nil, nil)
	default:
		body, err := encodeTrack(t)
		p.cell(cellTrack, path, body, err)
	}
}

// noteStore adds what the store keeps for the engine as a whole: shown output,
// and the time, which a later driver never goes below.
func (x *tx) noteStore() {
	e := x.e
	cells := x.store
	if len(e.shown) > 0 {
		x.batch.shown = e.shown
		cells = append(cells, e.shownCells()...)
	}
	if e.careful.noted && !e.isCareful() {
		e.careful = careful{}
		cells = append(cells, persist.Cell{Kind: cellStart})
	}
	if x.now-e.clockNoted >= clockNoteEvery {
		cells = append(cells, e.clockCell(x.now))
	}
	if len(cells) > 0 {
		x.batch.data.Changes = append(x.batch.data.Changes, persist.Change{Number: 0, Cells: cells})
	}
}

// clockNoteEvery is how far time may move, in nanoseconds, before it is noted.
const clockNoteEvery = 1_000_000_000

func (e *Engine) clockCell(now int64) persist.Cell {
	e.clockNoted = now
	c := enc{b: []byte{rowVersion}}
	c.int(now)
	return persist.Cell{Kind: cellClock, Key: "", Body: c.b}
}

// lastWrite notes what a closing engine would leave open: shown output, the time,
// and that the process has not died, whatever it has come to.
func (e *Engine) lastWrite() error {
	if e.fatal != nil || len(e.shown) == 0 && !e.careful.noted {
		return nil
	}
	cells := append(e.shownCells(), e.clockCell(e.Now()))
	if e.careful.noted {
		cells = append(cells, persist.Cell{Kind: cellStart})
	}
	return e.writeCells(cells)
}

// writeCells writes cells of the store itself, at once. Nothing else may be on
// its way to the store.
func (e *Engine) writeCells(cells []persist.Cell) error {
	if err := e.putCells(cells); err != nil {
		e.storeFailed(nil, err)
		return e.fatal
	}
	return nil
}

func (e *Engine) putCells(cells []persist.Cell) error {
	return e.committer.commit([]*batch{{data: persist.Batch{Changes: []persist.Change{{Number: 0, Cells: cells}}}}})
}

package engine

import (
	"fmt"

	"github.com/wf-lang/wf/persist"
)

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

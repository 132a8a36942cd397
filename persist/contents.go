package persist

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// contents is all that a Memory store keeps.
type contents struct {
	tail      Tail
	instances map[uint64]*instance // 0: the store's own cells and timers
	numbers   sorted[uint64]       // of the instances that have rows
	names     map[string]uint64
	events    []Event
	timers    sorted[Timer]
	programs  map[string][]byte
}

// instance is what belongs to one number.
type instance struct {
	row     Row
	journal [][]byte // the entry of Seq n is at n-1
	cells   map[CellKind]*sorted[Cell]
	timers  map[string]int64 // At by key
}

func newContents(storeID string, created time.Time) contents {
	return contents{
		tail:      Tail{StoreID: storeID, Created: created},
		instances: map[uint64]*instance{0: {}},
		numbers:   sorted[uint64]{less: func(a, b uint64) bool { return a < b }},
		names:     map[string]uint64{},
		timers:    sorted[Timer]{less: timerLess},
		programs:  map[string][]byte{},
	}
}

func timerLess(a, b Timer) bool {
	if a.At != b.At {
		return a.At < b.At
	}
	if a.Instance != b.Instance {
		return a.Instance < b.Instance
	}
	return a.Key < b.Key
}

func cellLess(a, b Cell) bool { return a.Key < b.Key }

// copied never gives nil, so that an empty body is not taken for none.
func copied(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }

// admission checks a group of changes against the contents without changing
// them: it keeps what the changes admitted so far would make of them.
type admission struct {
	data       *contents
	heads      map[uint64]head
	names      map[string]uint64 // 0: deleted
	lastNumber uint64
	lastEvent  uint64
}

// head is what has to be known of an instance to admit a change of it; the
// zero value is no instance.
type head struct {
	exists  bool
	version uint64
	seq     uint64
	id      string
}

func newAdmission(data *contents) *admission {
	return &admission{
		data:       data,
		heads:      map[uint64]head{},
		names:      map[string]uint64{},
		lastNumber: data.tail.LastNumber,
		lastEvent:  data.tail.LastEvent,
	}
}

func (a *admission) head(number uint64) head {
	if h, ok := a.heads[number]; ok {
		return h
	}
	in := a.data.instances[number]
	if in == nil {
		return head{}
	}
	return head{exists: true, version: in.row.Version, seq: uint64(len(in.journal)), id: in.row.ID}
}

func (a *admission) named(id string) bool {
	n, ok := a.names[id]
	if !ok {
		n = a.data.names[id]
	}
	return n != 0
}

func (a *admission) admit(c *Change) error {
	h := a.head(c.Number)
	switch {
	case c.Row == nil && !c.Delete:
		if !h.exists {
			return fmt.Errorf("no such row: %w", ErrConflict)
		}
	case h.version != c.Expect:
		return fmt.Errorf("version is %d, expected %d: %w", h.version, c.Expect, ErrConflict)
	case c.Delete:
		a.names[h.id] = 0
		h = head{}
	case c.Expect == 0:
		if c.Number <= a.lastNumber {
			return fmt.Errorf("number was used, the last one is %d: %w", a.lastNumber, ErrConflict)
		}
		if a.named(c.Row.ID) {
			return fmt.Errorf("id %q exists: %w", c.Row.ID, ErrConflict)
		}
		a.lastNumber = c.Number
		a.names[c.Row.ID] = c.Number
		h = head{exists: true, version: 1, id: c.Row.ID}
	default:
		if h.id != c.Row.ID {
			return fmt.Errorf("id %q becomes %q: %w", h.id, c.Row.ID, ErrConflict)
		}
		h.version = c.Row.Version
	}
	if n := len(c.Journal); n > 0 {
		if c.Journal[0].Seq != h.seq+1 {
			return fmt.Errorf("journal entry %d after %d: %w", c.Journal[0].Seq, h.seq, ErrConflict)
		}
		h.seq = c.Journal[n-1].Seq
	}
	if n := len(c.Events); n > 0 {
		if c.Events[0].Number != a.lastEvent+1 {
			return fmt.Errorf("event %d after %d: %w", c.Events[0].Number, a.lastEvent, ErrConflict)
		}
		a.lastEvent = c.Events[n-1].Number
	}
	a.heads[c.Number] = h
	return nil
}

// apply makes an admitted batch true.
func (d *contents) apply(b *Batch) {
	for _, p := range b.Programs {
		if _, ok := d.programs[p.Hash]; !ok {
			d.programs[strings.Clone(p.Hash)] = copied(p.Body)
		}
	}
	for i := range b.Changes {
		c := &b.Changes[i]
		if c.Delete {
			d.remove(c.Number)
		} else {
			d.change(c)
		}
		for _, e := range c.Events {
			d.events = append(d.events, Event{Number: e.Number, Instance: e.Instance, Body: copied(e.Body)})
			d.tail.LastEvent = e.Number
		}
	}
}

func (d *contents) remove(number uint64) {
	in := d.instances[number]
	delete(d.instances, number)
	delete(d.names, in.row.ID)
	d.numbers.remove(number)
	for _, key := range slices.Collect(maps.Keys(in.timers)) {
		d.timers.remove(Timer{At: in.timers[key], Instance: number, Key: key})
	}
}

func (d *contents) change(c *Change) {
	in := d.instances[c.Number]
	if in == nil {
		in = &instance{}
		d.instances[c.Number] = in
		d.numbers.put(c.Number)
		d.names[c.Row.ID] = c.Number
		d.tail.LastNumber = c.Number
	}
	if c.Row != nil {
		in.row = *c.Row
		in.row.Body = copied(c.Row.Body)
	}
	for _, cell := range c.Cells {
		in.setCell(cell)
	}
	for _, e := range c.Journal {
		in.journal = append(in.journal, copied(e.Body))
	}
	for _, t := range c.Clear {
		if at, ok := in.timers[t.Key]; ok && at == t.At {
			delete(in.timers, t.Key)
			d.timers.remove(t)
		}
	}
	for _, t := range c.Set {
		if at, ok := in.timers[t.Key]; ok {
			d.timers.remove(Timer{At: at, Instance: t.Instance, Key: t.Key})
		}
		if in.timers == nil {
			in.timers = map[string]int64{}
		}
		in.timers[t.Key] = t.At
		d.timers.put(t)
	}
}

func (in *instance) setCell(c Cell) {
	set := in.cells[c.Kind]
	if c.Body == nil {
		if set != nil {
			set.remove(c)
		}
		return
	}
	if set == nil {
		if in.cells == nil {
			in.cells = map[CellKind]*sorted[Cell]{}
		}
		set = &sorted[Cell]{less: cellLess}
		in.cells[c.Kind] = set
	}
	c.Body = copied(c.Body)
	set.put(c)
}

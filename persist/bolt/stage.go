package bolt

import (
	"encoding/binary"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// staged is what the group makes of one instance.
type staged struct {
	head
	number     uint64
	slot       int32        // of the head in the cache
	exists     bool         // there is a row now
	stored     bool         // there was one before the group
	wasRunning bool         // the row before the group was runnable
	row        *persist.Row // the last one given
	journaled  bool         // entries were added after the last row
}

// timerID names a timer.
type timerID struct {
	instance uint64
	key      string
}

// timerAt is where a timer stands.
type timerAt struct {
	at  int64
	set bool
}

// stage turns a group of batches into ops. It changes nothing that outlives the
// group; Store.finish does that after the commit. Its memory is used again.
type stage struct {
	store *Store
	tx    *bbolt.Tx // for reading, opened when first needed
	open  [kindCount]*bbolt.Cursor

	instances  []staged          // in the order in which they came
	index      map[uint64]int32  // of instances by number
	names      map[string]uint64 // 0: gone
	timers     map[timerID]timerAt
	programs   map[string]struct{}
	lastNumber uint64
	lastEvent  uint64

	ops [kindCount][]op
	mem arena
}

// keptEntries is how large a group may be for its memory to be used again:
// emptying a map costs what it once held.
const keptEntries = 1 << 14

// emptied gives m without its entries, or a new map.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	clear(m)
	return m
}

func (g *stage) reset(s *Store) {
	if cap(g.instances)+len(g.names)+len(g.timers)+len(g.programs) > keptEntries {
		*g = stage{}
	}
	clear(g.instances)
	g.instances = g.instances[:0]
	g.index, g.names = emptied(g.index), emptied(g.names)
	g.timers, g.programs = emptied(g.timers), emptied(g.programs)
	for k := range g.ops {
		clear(g.ops[k])
		g.ops[k] = g.ops[k][:0]
	}
	g.mem.reset()
	g.store, g.tx = s, nil
	g.lastNumber, g.lastEvent = s.tail.LastNumber, s.tail.LastEvent
}

// prepare checks the batches and makes their ops, sorted.
func (g *stage) prepare(batches []persist.Batch) (err error) {
	defer func() {
		if g.tx != nil {
			_ = g.tx.Rollback() // of a reading transaction: cannot fail
			g.tx, g.open = nil, [kindCount]*bbolt.Cursor{}
		}
	}()
	for i := range batches {
		for j := range batches[i].Programs {
			if err := g.program(&batches[i].Programs[j]); err != nil {
				return fmt.Errorf("batch %d: %w", i, err)
			}
		}
		for j := range batches[i].Changes {
			c := &batches[i].Changes[j]
			if err := g.change(c); err != nil {
				return fmt.Errorf("batch %d, instance %d: %w", i, c.Number, err)
			}
		}
	}
	for i := range g.instances {
		g.settle(&g.instances[i])
	}
	g.putTail()
	for k := range g.ops {
		g.ops[k] = sortOps(g.ops[k])
	}
	return nil
}

func (g *stage) add(k kind, key, value []byte) {
	g.ops[k] = append(g.ops[k], op{key: key, value: value, front: front(key), n: len(g.ops[k])})
}

// record adds a put of a value with a short body.
func (g *stage) record(k kind, key, body []byte) {
	value := append(g.mem.take(headerLen + len(body))[:headerLen], body...)
	seal(k, key, value)
	g.add(k, key, value)
}

// recordNumber adds a put of a value with a number as its body.
func (g *stage) recordNumber(k kind, key []byte, n uint64) {
	value := binary.LittleEndian.AppendUint64(g.mem.take(headerLen + 8)[:headerLen], n)
	seal(k, key, value)
	g.add(k, key, value)
}

func (g *stage) key(number uint64) []byte {
	return appendNumber(g.mem.take(8), number)
}

func (g *stage) program(p *persist.Program) error {
	if _, ok := g.programs[p.Hash]; ok {
		return nil
	}
	if _, ok := g.store.hashes[p.Hash]; ok {
		return nil
	}
	hash := strings.Clone(p.Hash)
	value, err := g.find(kindPrograms, []byte(hash))
	if err != nil {
		return err
	}
	g.programs[hash] = struct{}{}
	if value == nil {
		g.record(kindPrograms, []byte(hash), p.Body)
	}
	return nil
}

func (g *stage) change(c *persist.Change) error {
	in, err := g.instance(c.Number)
	if err != nil {
		return err
	}
	switch {
	case c.Row == nil && !c.Delete:
		if !in.exists {
			return fmt.Errorf("no such row: %w", persist.ErrConflict)
		}
	case in.version != c.Expect:
		return fmt.Errorf("version is %d, expected %d: %w", in.version, c.Expect, persist.ErrConflict)
	case c.Delete:
		err = g.remove(c.Number, in)
	case c.Expect == 0:
		err = g.create(c.Row, in)
	default:
		if in.id != c.Row.ID {
			err = fmt.Errorf("id %q becomes %q: %w", in.id, c.Row.ID, persist.ErrConflict)
		}
		in.version, in.runnable, in.row, in.journaled = c.Row.Version, c.Row.Runnable, c.Row, false
	}
	if err != nil {
		return err
	}
	g.cells(c)
	if err := g.journal(c, in); err != nil {
		return err
	}
	if err := g.events(c); err != nil {
		return err
	}
	return g.setTimers(c)
}

func (g *stage) create(r *persist.Row, in *staged) error {
	if r.Number <= g.lastNumber {
		return fmt.Errorf("number was used, the last one is %d: %w", g.lastNumber, persist.ErrConflict)
	}
	number, known := g.names[r.ID]
	key := append(g.mem.take(len(r.ID)), r.ID...)
	if !known {
		value, err := g.find(kindNames, key)
		if err != nil {
			return err
		}
		if value != nil {
			number = r.Number // which one does not matter
		}
	}
	if number != 0 {
		return fmt.Errorf("id %q exists: %w", r.ID, persist.ErrConflict)
	}
	g.lastNumber = r.Number
	id := strings.Clone(r.ID) // it stays in the cache
	g.names[id] = r.Number
	in.exists, in.row = true, r
	in.head = head{id: id, version: r.Version, runnable: r.Runnable}
	g.recordNumber(kindNames, key, r.Number)
	return nil
}

// numberBody is the body of a name's record.
func numberBody(number uint64) []byte { return binary.LittleEndian.AppendUint64(nil, number) }

func (g *stage) cells(c *persist.Change) {
	for i := range c.Cells {
		cell := &c.Cells[i]
		key := appendNumber(g.mem.take(9+len(cell.Key)), c.Number)
		key = append(append(key, byte(cell.Kind)), cell.Key...)
		if cell.Body == nil {
			g.add(kindCells, key, nil)
			continue
		}
		g.record(kindCells, key, cell.Body)
	}
}

func (g *stage) journal(c *persist.Change, in *staged) error {
	for i := range c.Journal {
		e := &c.Journal[i]
		if e.Seq != in.seq+1 {
			return fmt.Errorf("journal entry %d after %d: %w", e.Seq, in.seq, persist.ErrConflict)
		}
		key := appendNumber(appendNumber(g.mem.take(16), c.Number), e.Seq)
		value := append(g.mem.take(headerLen + len(e.Body))[:headerLen], e.Body...)
		in.chain = sealChained(key, value, in.chain)
		in.seq, in.journaled = e.Seq, true
		g.add(kindJournal, key, value)
	}
	return nil
}

func (g *stage) events(c *persist.Change) error {
	for i := range c.Events {
		e := &c.Events[i]
		if e.Number != g.lastEvent+1 {
			return fmt.Errorf("event %d after %d: %w", e.Number, g.lastEvent, persist.ErrConflict)
		}
		g.lastEvent = e.Number
		key := g.key(e.Number)
		value := binary.LittleEndian.AppendUint64(g.mem.take(headerLen + 8 + len(e.Body))[:headerLen], e.Instance)
		value = append(value, e.Body...)
		seal(kindEvents, key, value)
		g.add(kindEvents, key, value)
	}
	return nil
}

// settle adds the ops of an instance that depend on the whole group.
func (g *stage) settle(in *staged) {
	if in.number == 0 {
		return
	}
	key := g.key(in.number)
	switch {
	case !in.exists:
		if in.stored {
			g.add(kindRows, key, nil)
		}
	case in.row != nil:
		value := appendRow(g.mem.take(rowSize(in.row))[:headerLen], in.row, &in.head)
		seal(kindRows, key, value)
		g.add(kindRows, key, value)
	case in.journaled:
		value := appendJournalHead(g.mem.take(headerLen + 12)[:headerLen], &in.head)
		seal(kindHeads, key, value)
		g.add(kindHeads, key, value)
	}
	if running := in.exists && in.runnable; running != in.wasRunning {
		if running {
			g.record(kindRunnable, key, nil)
		} else {
			g.add(kindRunnable, key, nil)
		}
	}
}

func (g *stage) putTail() {
	if g.lastNumber == g.store.tail.LastNumber && g.lastEvent == g.store.tail.LastEvent {
		return
	}
	g.record(kindMeta, metaTail, appendNumber(appendNumber(nil, g.lastNumber), g.lastEvent))
}

// empty tells whether there is nothing to write.
func (g *stage) empty() bool {
	for k := range g.ops {
		if len(g.ops[k]) > 0 {
			return false
		}
	}
	return true
}

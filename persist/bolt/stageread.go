package bolt

import "go.etcd.io/bbolt"

// reading opens the transaction for reading.
func (g *stage) reading() (err error) {
	if g.tx == nil {
		g.tx, err = g.store.db.Begin(false)
	}
	return err
}

// cursor gives a cursor that is used again in the transaction for reading, which
// must be open.
func (g *stage) cursor(k kind) *bbolt.Cursor {
	if g.open[k] == nil {
		g.open[k] = cursor(g.tx, k)
	}
	return g.open[k]
}

// find looks for a record of before the group.
func (g *stage) find(k kind, key []byte) ([]byte, error) {
	if err := g.reading(); err != nil {
		return nil, err
	}
	return find(g, k, key)
}

// instance gives what stands of an instance, until the next call.
func (g *stage) instance(number uint64) (*staged, error) {
	if i, ok := g.index[number]; ok {
		return &g.instances[i], nil
	}
	h, slot := g.store.heads.get(number)
	ok := slot != noSlot
	if !ok && number != 0 && number <= g.store.tail.LastNumber {
		err := g.reading()
		if err == nil {
			h, ok, err = readHead(g, number)
		}
		if err != nil {
			return nil, err
		}
	}
	g.index[number] = int32(len(g.instances))
	g.instances = append(g.instances, staged{head: h, number: number, slot: slot, exists: ok || number == 0, stored: ok, wasRunning: h.runnable})
	return &g.instances[len(g.instances)-1], nil
}

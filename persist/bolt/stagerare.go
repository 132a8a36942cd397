package bolt

import (
	"bytes"

	"github.com/wf-lang/wf/persist"
)

// setTimers clears and sets the timers of a change. Two buckets are kept in
// step: one by instant, one by instance and key, which knows the instant.
func (g *stage) setTimers(c *persist.Change) error {
	for _, t := range c.Clear {
		now, err := g.timer(timerID{t.Instance, t.Key})
		if err != nil {
			return err
		}
		if now.set && now.at == t.At {
			g.clearTimer(t)
		}
	}
	for _, t := range c.Set {
		now, err := g.timer(timerID{t.Instance, t.Key})
		if err != nil {
			return err
		}
		if now.set && now.at == t.At {
			continue
		}
		if now.set {
			g.clearTimer(persist.Timer{At: now.at, Instance: t.Instance, Key: t.Key})
		}
		g.timers[timerID{t.Instance, t.Key}] = timerAt{at: t.At, set: true}
		g.record(kindTimers, appendTimer(g.mem.take(16+len(t.Key)), t), nil)
		g.recordNumber(kindTimerKeys, g.timerKey(t.Instance, t.Key), uint64(t.At))
	}
	return nil
}

func (g *stage) timerKey(instance uint64, key string) []byte {
	return append(appendNumber(g.mem.take(8+len(key)), instance), key...)
}

// timer gives where a timer stands after the changes so far.
func (g *stage) timer(id timerID) (timerAt, error) {
	if at, ok := g.timers[id]; ok {
		return at, nil
	}
	if i, ok := g.index[id.instance]; ok && !g.instances[i].stored && id.instance != 0 {
		return timerAt{}, nil
	}
	key := g.timerKey(id.instance, id.key)
	value, err := g.find(kindTimerKeys, key)
	if value == nil {
		return timerAt{}, err
	}
	at, err := decodeTimerKey(key, value)
	return timerAt{at: at, set: err == nil}, err
}

// decodeTimerKey gives the instant of a timer from its record by key.
func decodeTimerKey(key, value []byte) (int64, error) {
	body, err := unseal(kindTimerKeys, key, value)
	if err != nil {
		return 0, err
	}
	d := decoder{rest: body}
	at := int64(d.uint64())
	if d.bad || len(key) < 8 {
		return 0, damaged(kindTimerKeys, key, "malformed")
	}
	return at, nil
}

func (g *stage) clearTimer(t persist.Timer) {
	g.timers[timerID{t.Instance, t.Key}] = timerAt{}
	g.add(kindTimers, appendTimer(g.mem.take(16+len(t.Key)), t), nil)
	g.add(kindTimerKeys, g.timerKey(t.Instance, t.Key), nil)
}

// remove deletes an instance: what is stored of it and what the group has added.
func (g *stage) remove(number uint64, in *staged) error {
	g.names[in.id] = 0
	g.add(kindNames, []byte(in.id), nil)
	if in.stored {
		if err := g.removeStored(number); err != nil {
			return err
		}
	}
	for id, now := range g.timers {
		if id.instance == number && now.set {
			g.clearTimer(persist.Timer{At: now.at, Instance: number, Key: id.key})
		}
	}
	prefix := numberKey(number)
	for _, k := range [...]kind{kindCells, kindJournal} {
		for _, o := range g.ops[k] {
			if o.value != nil && bytes.HasPrefix(o.key, prefix) {
				g.add(k, o.key, nil)
			}
		}
	}
	*in = staged{number: number, slot: in.slot, stored: in.stored, wasRunning: in.wasRunning}
	return nil
}

// removeStored deletes what the file has of an instance. Damage of its own
// records does not matter any more, but a timer has to be found.
func (g *stage) removeStored(number uint64) error {
	if err := g.reading(); err != nil {
		return err
	}
	prefix := numberKey(number)
	g.add(kindHeads, prefix, nil)
	for _, k := range [...]kind{kindCells, kindJournal, kindTimerKeys} {
		c := g.cursor(k)
		for key, value := c.Seek(prefix); key != nil && bytes.HasPrefix(key, prefix); key, value = c.Next() {
			if k != kindTimerKeys {
				g.add(k, bytes.Clone(key), nil)
				continue
			}
			id := timerID{number, string(key[8:])}
			if _, known := g.timers[id]; known {
				continue
			}
			at, err := decodeTimerKey(key, value)
			if err != nil {
				return err
			}
			g.clearTimer(persist.Timer{At: at, Instance: number, Key: id.key})
		}
	}
	return nil
}

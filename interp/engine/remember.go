package engine

import (
	"context"
	"hash/fnv"

	"github.com/wf-lang/wf/lang/value"
)

// bodyHash tells whether two requests under one key are the same.
func bodyHash(what, name string, args []value.Value, argNames []string) uint64 {
	e := enc{}
	e.string(what)
	e.string(name)
	e.values(args)
	e.strings(argNames)
	h := fnv.New64a()
	h.Write(e.b)
	return h.Sum64()
}

// remembered finds the answer that was given under a key.
func (e *Engine) remembered(in *instance, key string, body uint64) (value.Value, bool, error) {
	for _, r := range in.newKeys {
		if r.key == key {
			return r.check(body)
		}
	}
	for c, err := range e.store.Cells(context.Background(), in.number, cellKey, key) {
		if err != nil {
			return value.Nil, false, err
		}
		if c.Key != key {
			continue
		}
		d := dec{b: c.Body}
		d.byte()
		d.fix64()
		r := rememberedKey{key: key, body: d.fix64(), answer: d.value()}
		if err := d.done(); err != nil {
			return value.Nil, false, err
		}
		return r.check(body)
	}
	return value.Nil, false, nil
}

// A rememberedKey is an idempotency key with what was asked and answered.
type rememberedKey struct {
	key    string
	body   uint64
	answer value.Value
}

func (r rememberedKey) check(body uint64) (value.Value, bool, error) {
	if r.body != body {
		return value.Nil, false, refuse("conflict", "the key %q was used for another request", r.key)
	}
	return r.answer, true, nil
}

// remember keeps the answer to a request under its key, "" for none.
func (p *part) remember(key string, body uint64, answer value.Value) {
	if key == "" {
		return
	}
	cellBody, err := encodeRemembered(body, answer, p.x.now)
	p.cell(cellKey, key, cellBody, err)
	p.in.newKeys = append(p.in.newKeys, rememberedKey{key, body, answer})
	p.x.batch.after = append(p.x.batch.after, func() { p.in.newKeys = p.in.newKeys[1:] }) // the store has it
}

func encodeRemembered(body uint64, answer value.Value, now int64) ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.fix64(uint64(now))
	e.fix64(body)
	e.value(answer)
	return e.b, e.err
}

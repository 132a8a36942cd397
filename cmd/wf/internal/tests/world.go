package tests

import (
	"context"
	"errors"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// A callID names a call: the same one made again after a crash has the same.
type callID struct {
	instance, key string
	attempt       int
}

// made is a call that was made.
type made struct {
	call    engine.Call
	mock    *mock       // nil: none is for it
	respond value.Value // gives the answer
	began   int64       // when it was made first, in Unix nanoseconds
	times   int         // how often it was made: a crash makes it again
	cutAt   int64       // when the timeout of its step is over, as it was made last; 0: never
}

// A world is the world outside of one run of a test: mocks, and a list of calls.
// It outlives the engines that die in the run, as the real one does.
type world struct {
	trial *trial
	stage *call.Stage
	mocks []*mock
	calls []*made
	byID  map[callID]*made
	// stray is the first call that no mock is for, broken what went wrong in the
	// choice of a mock.
	stray  *engine.Call
	broken error
}

func newWorld(t *trial) *world {
	return &world{trial: t, stage: call.NewStage(stageClock{t}), byID: map[callID]*made{}}
}

// stageClock is the clock of a trial.
type stageClock struct{ trial *trial }

// Now gives the virtual time in Unix nanoseconds.
func (c stageClock) Now() int64 { return c.trial.lab.Now() }

// Delay is how long a call takes: what its mock says, or its `timeout:`. The time
// of a call that a crash has made again is that of the first one, so that a run
// with a crash can come to the same.
func (w *world) Delay(c engine.Call) time.Duration {
	if m := w.find(c); m.mock != nil {
		gone := time.Duration(w.trial.lab.Now() - m.began)
		return max(0, w.stage.Takes(c, m.mock.after)-gone)
	}
	return 0
}

// Call answers a call by the mock that is for it.
func (w *world) Call(_ context.Context, c engine.Call) (value.Value, error) {
	m := w.find(c)
	m.times++
	if m.mock == nil {
		if v, err, known := w.stage.Knows(c); known {
			return v, err
		}
		if w.stray == nil {
			w.stray = &m.call
		}
		return value.Nil, &interp.Fault{Code: "denied", Message: c.Op.FullName() + " has no mock in this test", Index: -1}
	}
	if err := w.stage.Late(c, m.mock.after); err != nil {
		return value.Nil, err
	}
	v, err := w.trial.apply(m.respond)
	if err != nil {
		return value.Nil, err
	}
	v, err = w.stage.Answer(c, v)
	var wrong *call.Unusable
	if errors.As(err, &wrong) && w.broken == nil {
		w.broken = &interp.Fault{Code: "bad_argument", Message: wrong.Message, Span: m.mock.at, Index: -1}
	}
	return v, err
}

// find gives a call that was made already, or notes a new one and chooses its
// mock.
func (w *world) find(c engine.Call) *made {
	id := callID{c.Instance, c.Key, c.Attempt}
	now := w.trial.lab.Now()
	m := w.byID[id]
	if m == nil {
		m = &made{call: c, began: now}
		w.byID[id] = m
		w.calls = append(w.calls, m)
		m.mock, m.respond = w.choose(c)
		if m.mock != nil {
			m.mock.hits++
			m.mock.last = len(w.calls)
		}
	}
	if m.cutAt = 0; c.Limit > 0 {
		m.cutAt = now + int64(c.Limit)
	}
	return m
}

// longer reports whether a crash has given a call more time than it had in the
// run without one, where the timeout of its step cut it: the time that a step was
// at work is not kept in the store, so its timeout begins anew.
func (w *world) longer(without *world) bool {
	for id, m := range without.byID {
		cut := m.mock != nil && m.cutAt != 0 && int64(w.stage.Takes(m.call, m.mock.after)) >= m.cutAt-m.began
		if again := w.byID[id]; cut && again != nil && again.cutAt > m.cutAt {
			return true
		}
	}
	return false
}

// record is a call as `calls` lists it: what it was given, by parameter.
func (m *made) record() value.Value {
	var keys []string
	var vals []value.Value
	for i, p := range m.call.Op.Params {
		if i < len(m.call.Args) && !m.call.Args[i].IsNil() {
			keys, vals = append(keys, p.Name), append(vals, m.call.Args[i])
		}
	}
	if n := len(m.call.Op.Params); m.call.Op.Rest && len(m.call.Args) > n {
		keys, vals = append(keys, "rest"), append(vals, value.List(m.call.Args[n:]...))
	}
	return value.NewRecord(keys, vals)
}

// trouble is the failure that the world has in store for the test, nil if there
// is none.
func (w *world) trouble() error {
	switch {
	case w.broken != nil:
		return w.trial.fault(w.broken)
	case w.stray != nil:
		return &failError{w.unmocked(w.stray)}
	}
	return nil
}

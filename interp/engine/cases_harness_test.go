package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// The cases are public bug reports about comparable systems, retold for this
// language. A case that says "kill" is played with a crash before and after
// every store write, besides the moment that it names.

// A scene is a script with what somebody outside does about it, and when.
type scene struct {
	text  string
	setup func(m *machine) // before the first start; may be nil
	deeds []deed           // by time
	down  time.Duration    // how long the process stays down after a crash
}

// A deed is something that somebody outside does.
type deed struct {
	at   time.Duration // since the start of the scene
	id   string        // of the instance it is done to
	do   func(m *machine) error
	want string // part of the error that it has to give; "" for none
}

func sends(at time.Duration, id, name string, payload value.Value) deed {
	return deed{at: at, id: id, do: func(m *machine) error { return m.e.Signal(m.t.Context(), id, name, payload, "") }}
}

func cancels(at time.Duration, id string) deed {
	return deed{at: at, id: id, do: func(m *machine) error { return m.e.Cancel(m.t.Context(), id) }}
}

func asks(at time.Duration, workflow, id, command string) deed {
	return deed{at: at, id: id, do: func(m *machine) error {
		_, err := m.e.Call(m.t.Context(), handle(workflow, id), command, nil, "", m.prog)
		return err
	}}
}

func (d deed) refused(want string) deed {
	d.want = want
	return d
}

// A player plays a scene on a machine, move by move.
type player struct {
	*machine
	scene *scene
	start int64
	moves int
	watch func(move int) // before every move; may be nil
}

// play plays the scene to its end: nothing is left that moves by itself.
func (s *scene) play(t testing.TB, plan func(int, []persist.Batch) persist.Fault) *machine {
	p := s.player(t)
	p.plan = plan
	p.play()
	return p.machine
}

func (s *scene) player(t testing.TB) *player {
	m := newMachine(t, s.text)
	if s.setup != nil {
		s.setup(m)
	}
	return &player{machine: m, scene: s, start: m.clock.now}
}

func (p *player) play() {
	if err := p.begin(); err != nil {
		p.revive(err)
	}
	for i := 0; ; {
		p.rest()
		at, timer := p.e.NextTimer()
		if i < len(p.scene.deeds) {
			d := p.scene.deeds[i]
			if due := p.start + int64(d.at); !timer || due <= at {
				p.clock.now = max(p.clock.now, due)
				p.perform(d)
				i++
				continue
			}
		}
		if !timer {
			return
		}
		p.clock.now = max(p.clock.now, at)
	}
}

// rest steps until nothing moves without the clock. A crash that was planned is
// followed by a new engine.
func (p *player) rest() {
	for {
		require.Less(p.t, p.moves, 1_000_000, "the engine does not come to rest")
		if p.watch != nil {
			p.watch(p.moves)
		}
		p.moves++
		if p.e.Step() {
			continue
		}
		if p.e.Err() == nil {
			return
		}
		p.revive(p.e.Err())
	}
}

// revive starts a new engine after a crash, and after the time that it was down.
func (p *player) revive(err error) {
	require.ErrorIs(p.t, err, persist.ErrCrash)
	p.crash()
	p.clock.now += int64(p.scene.down)
	if err := p.begin(); err != nil {
		p.revive(err)
	}
}

// perform does a deed. When a crash leaves open whether it was done, the journal
// tells, and it is done again if not.
func (p *player) perform(d deed) {
	before := p.heard(d.id)
	err := d.do(p.machine)
	for errors.Is(err, persist.ErrCrash) {
		p.revive(err)
		if err = nil; p.heard(d.id) == before {
			err = d.do(p.machine)
		}
	}
	if d.want == "" {
		require.NoError(p.t, err)
		return
	}
	require.ErrorContains(p.t, err, d.want)
	require.ErrorIs(p.t, err, engine.ErrRefused)
}

// heard counts what an instance has heard from outside.
func (m *machine) heard(id string) int {
	n := 0
	for _, r := range m.history(id) {
		switch r.Kind {
		case engine.RecSignal, engine.RecCommand, engine.RecCancelled, engine.RecTerminate, engine.RecRetried:
			n++
		}
	}
	return n
}

// everyCrash plays the scene without a fault, then with a crash before and after
// every store write, and checks each. Unless the process stays down for a while,
// all have to come to the same.
func (s *scene) everyCrash(t *testing.T, check func(t testing.TB, m *machine)) {
	t.Helper()
	whole := s.play(t, nil)
	check(t, whole)
	want := whole.transcript()
	for n := 1; n <= whole.store.Commits(); n++ {
		for _, f := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			t.Run(fmt.Sprintf("%s write %d", f, n), func(t *testing.T) {
				got := s.play(t, func(i int, _ []persist.Batch) persist.Fault {
					if i == n {
						return f
					}
					return persist.NoFault
				})
				require.Equal(t, 1, got.crashes)
				check(t, got)
				if s.down == 0 {
					require.Equal(t, want, got.transcript())
				}
			})
		}
	}
}

// everyMoment plays the scene again and again, with something done to it one
// move later each time, and checks each.
func (s *scene) everyMoment(t *testing.T, act func(m *machine), check func(t testing.TB, m *machine)) {
	t.Helper()
	for at, done := 0, true; done; at++ {
		done = false
		t.Run(fmt.Sprintf("move %d", at), func(t *testing.T) {
			p := s.player(t)
			p.watch = func(move int) {
				if move == at {
					done = true
					act(p.machine)
				}
			}
			p.play()
			check(t, p.machine)
		})
	}
}

// dice is a picker that decides by a seed.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) Pick(n int) int { return d.IntN(n) }

// elapsed is the virtual time since a machine was made.
func (m *machine) elapsed() time.Duration { return time.Duration(m.clock.now - newVirtual().now) }

// wantNoTimer checks that neither the engine nor the store has a timer left.
func wantNoTimer(t testing.TB, m *machine) {
	t.Helper()
	_, pending := m.e.NextTimer()
	require.False(t, pending, "the engine waits for a time")
	due, err := m.store.Due(t.Context(), 1<<62, 10)
	require.NoError(t, err)
	require.Empty(t, due, "a timer is left in the store")
}

// journaled counts the journal records of a kind.
func (m *machine) journaled(id string, kind engine.RecordKind) int {
	n := 0
	for _, r := range m.history(id) {
		if r.Kind == kind {
			n++
		}
	}
	return n
}

// fieldText is a field of an instance in the language's notation, "nil" if unset.
func (m *machine) fieldText(id, name string) string {
	for _, f := range m.show(id).Fields {
		if f.Name == name {
			return f.Value.String()
		}
	}
	return "nil"
}

// answers makes the world answer by what is asked.
func (w *world) answers(f func(what string, n int) (value.Value, error)) {
	w.answer = func(n int, c engine.Call) (value.Value, error) { return f(c.Args[0].Text(), n) }
}

// takes makes every call take the time.
func (w *world) takes(d time.Duration) {
	w.delay = func(int, engine.Call) time.Duration { return d }
}

// fault is an error answer of the world with a code.
func fault(code, message string) error { return &interp.Fault{Code: code, Message: message, Index: -1} }

// refusals compiles a text and gives the messages of the checker, each with its
// place, if it refuses it; nil if it does not.
func refusals(t testing.TB, text string) []string {
	t.Helper()
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", text))
	prog, ds := engine.Compile(set, builtins())
	if prog != nil {
		return nil
	}
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%v %s", set.Position(d.Span), d.Message))
	}
	require.NotEmpty(t, out, "refused without a word")
	return out
}

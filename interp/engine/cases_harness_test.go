package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
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
	from  int64 // its clock began
	moves int
	watch func(move int) // before every move; may be nil
}

// play plays the scene to its end: nothing is left that moves by itself.
func (s *scene) play(t testing.TB, plan persist.Plan) *machine {
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
	return &player{machine: m, scene: s, from: m.clock.now}
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
			if due := p.from + int64(d.at); !timer || due <= at {
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
				got := s.play(t, persist.FaultAt(n, f))
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

// everywhere runs a script to rest, then again with a crash before and after
// every single store write, then in ten other orders of work and commits. After
// each run check looks at what came of it.
func everywhere(t *testing.T, text string, prepare func(m *machine), check func(t *testing.T, m *machine)) {
	t.Helper()
	run := func(t *testing.T, plan persist.Plan, p engine.Picker) *machine {
		m := newMachine(t, text)
		m.plan, m.picker = plan, p
		if prepare != nil {
			prepare(m)
		}
		m.run()
		return m
	}
	whole := run(t, nil, nil)
	check(t, whole)
	writes := whole.commits + whole.store.Commits()
	require.NotZero(t, writes)
	for n := 1; n <= writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			ok := t.Run(fmt.Sprintf("%s write %d", fault, n), func(t *testing.T) {
				m := run(t, persist.FaultAt(n, fault), nil)
				require.Equal(t, 1, m.crashes)
				check(t, m)
			})
			if !ok {
				return
			}
		}
	}
	for seed := range uint64(10) {
		ok := t.Run(fmt.Sprintf("order %d", seed), func(t *testing.T) {
			check(t, run(t, nil, newDice(seed)))
		})
		if !ok {
			return
		}
	}
}

// onceEach has the world check that nothing is called for a step that the
// journal has as completed. The argument of a call is the name of its step.
func onceEach(m *machine) {
	m.world.answer = func(_ int, c engine.Call) (value.Value, error) {
		for _, r := range m.records(c.Instance, engine.RecCompleted) {
			require.NotEqual(m.t, r.Step, c.Args[0].Text(), "a step that is done runs again")
		}
		return value.String("ok"), nil
	}
}

// refusals compiles a text and gives the messages of the checker, each with its
// place, if it refuses it; nil if it does not.
func refusals(t testing.TB, text string) []string {
	t.Helper()
	prog, ds, set := compileText("test.wf", text)
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

// refused compiles what must not pass the checks, and gives the first error with
// its place, as "line:column code message".
func refused(t testing.TB, text string) string {
	t.Helper()
	prog, ds, set := compileText("test.wf", text)
	require.Nil(t, prog, "the program passes the checks:\n%s", text)
	for _, d := range ds {
		if d.Severity == diag.Error {
			at := set.Position(d.Span)
			require.Positive(t, at.Line)
			require.Positive(t, at.Column)
			return fmt.Sprintf("%d:%d %s %s", at.Line, at.Column, d.Code, d.Message)
		}
	}
	t.Fatal("no program, and no error either")
	return ""
}

// fill puts texts in the places of words, given in pairs.
func fill(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

// how puts a word in the place of HOW.
func how(text, word string) string { return strings.Replace(text, "HOW", word, 1) }

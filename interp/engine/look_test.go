package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// What tests do to a machine, and look at.

func (m *machine) signal(id, name string, payload value.Value) {
	require.NoError(m.t, m.e.Signal(context.Background(), id, name, payload, ""))
	m.settle()
}

// cancel cancels an instance and lets it undo.
func (m *machine) cancel(id string) {
	require.NoError(m.t, m.e.Cancel(m.t.Context(), id))
	m.settle()
}

func (m *machine) show(id string) engine.Summary {
	s, err := m.e.Show(context.Background(), id)
	require.NoError(m.t, err)
	return s
}

func (m *machine) events(id string) []string {
	var out []string
	require.NoError(m.t, m.e.Events(context.Background(), id, 1, func(e *engine.EventRecord) bool {
		out = append(out, e.String())
		return true
	}))
	return out
}

func (m *machine) history(id string) []*engine.Record {
	var out []*engine.Record
	require.NoError(m.t, m.e.History(context.Background(), id, func(r *engine.Record) bool {
		out = append(out, r)
		return true
	}))
	return out
}

// printed lists the lines that an instance's journal has as printed, in order.
func (m *machine) printed(id string) []string {
	var out []string
	for _, r := range m.history(id) {
		if r.Print {
			out = append(out, strings.TrimSuffix(r.Value.Text(), "\n"))
		}
	}
	return out
}

// records lists the records of a kind in an instance's journal.
func (m *machine) records(id string, k engine.RecordKind) []*engine.Record {
	var out []*engine.Record
	for _, r := range m.history(id) {
		if r.Kind == k {
			out = append(out, r)
		}
	}
	return out
}

// stepsOf lists the steps that an instance's journal speaks of, each once.
func (m *machine) stepsOf(id string) []string {
	var out []string
	for _, r := range m.history(id) {
		if r.Step != "" && !slices.Contains(out, r.Step) {
			out = append(out, r.Step)
		}
	}
	return out
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

func (m *machine) query(id, name string, args ...value.Value) value.Value {
	v, err := m.e.Query(context.Background(), id, name, args)
	require.NoError(m.t, err)
	return v
}

// lifecycle gives a field of the lifecycle query.
func (m *machine) lifecycle(id, name string) value.Value {
	r, ok := m.query(id, engine.LifecycleQuery).AsRecord()
	require.True(m.t, ok)
	v, has := r.Get(name)
	require.True(m.t, has, "lifecycle has no %q", name)
	return v
}

// field gives a state field of an instance, nil if it has no value.
func (m *machine) field(id, name string) value.Value {
	for _, f := range m.show(id).Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return value.Nil
}

// elapsed is the virtual time since a machine was made.
func (m *machine) elapsed() time.Duration { return since(m.clock.now) }

// noTimers says that nothing is left, in the engine or in the store, that the clock
// could move.
func (m *machine) noTimers(t testing.TB) {
	t.Helper()
	at, pending := m.e.NextTimer()
	require.False(t, pending, "a timer is left at %s", since(at))
	due, err := m.store.Due(t.Context(), 1<<62, 10)
	require.NoError(t, err)
	require.Empty(t, due, "a timer is left in the store")
}

// transcript is what a run comes to, for comparison: output, events and prints
// per instance and branch, and final states. Order between instances is not
// part of it.
func (m *machine) transcript() string {
	var all []string
	require.NoError(m.t, m.e.List(context.Background(), persist.Filter{}, func(s engine.Summary, err error) bool {
		require.NoError(m.t, err)
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s %s step %d %s", s.ID, s.Workflow, s.Status, s.StepIndex, s.Step)
		if s.Failure != nil {
			fmt.Fprintf(&b, " failure %s %q in %s at %s", s.Failure.Code, s.Failure.Message, s.Failure.Step, s.Failure.Place)
		}
		fmt.Fprintf(&b, " undo %s %v result %s\n", s.Undo.Status, s.Undo.Failed, s.Result)
		for _, f := range s.Fields {
			fmt.Fprintf(&b, "  %s = %s\n", f.Name, f.Value)
		}
		for _, e := range m.events(s.ID) {
			fmt.Fprintf(&b, "  %s\n", e)
		}
		for _, r := range m.history(s.ID) {
			switch {
			case r.Print:
				fmt.Fprintf(&b, "  [%s] prints %q\n", r.Path, r.Value.Text())
			case r.Kind == engine.RecCompleted:
				fmt.Fprintf(&b, "  [%q] %s %s %s\n", r.Path, r.What, r.Step, r.Value)
			}
		}
		all = append(all, b.String())
		return true
	}))
	slices.Sort(all)
	return strings.Join(all, "")
}

package flow_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// instance is a flow.View in plain maps.
type instance struct {
	w      *program.Workflow
	state  flow.State
	tracks map[string]*flow.Track
	undos  map[string]*flow.Undo
	elems  map[string][]value.Value
	log    []flow.Command
}

func newInstance(w *program.Workflow, fields int) *instance {
	in := &instance{w: w, tracks: map[string]*flow.Track{}, undos: map[string]*flow.Undo{}, elems: map[string][]value.Value{}}
	in.state.Fields = make([]value.Value, fields)
	return in
}

func (in *instance) State() *flow.State { return &in.state }
func (in *instance) Track(path string) (*flow.Track, bool) {
	t, ok := in.tracks[path]
	return t, ok
}
func (in *instance) Undo(key string) (*flow.Undo, bool) { u, ok := in.undos[key]; return u, ok }
func (in *instance) Elements(path string) []value.Value { return in.elems[path] }
func (in *instance) Tracks() iter.Seq[*flow.Track] {
	return func(yield func(*flow.Track) bool) {
		for _, k := range slices.Sorted(maps.Keys(in.tracks)) {
			if !yield(in.tracks[k]) {
				return
			}
		}
	}
}
func (in *instance) Undos(prefix string) iter.Seq[*flow.Undo] {
	return func(yield func(*flow.Undo) bool) {
		for _, k := range slices.Backward(slices.Sorted(maps.Keys(in.undos))) {
			if strings.HasPrefix(k, prefix) && !yield(in.undos[k]) {
				return
			}
		}
	}
}

// happen applies an event; it reports whether it was taken.
func (in *instance) happen(e flow.Event) bool {
	t, ok := flow.Next(in.w, in, e)
	if !ok {
		return false
	}
	in.state = t.State
	for _, tr := range t.Tracks {
		in.tracks[tr.Path] = tr
	}
	for _, p := range t.Gone {
		delete(in.tracks, p)
	}
	for _, u := range t.Undos {
		in.undos[u.Key] = u
	}
	for _, k := range t.UndoGone {
		delete(in.undos, k)
	}
	for _, e := range t.Elements {
		in.elems[e.Path] = e.List
		if e.List == nil {
			delete(in.elems, e.Path)
		}
	}
	in.log = append(in.log, t.Commands...)
	return true
}

func (in *instance) all() []*flow.Track {
	return append([]*flow.Track{&in.state.Root}, slices.Collect(in.Tracks())...)
}

func (in *instance) active() []string { return slices.Collect(flow.ActivePaths(in)) }

// name says what a track works on, for logs.
func (in *instance) name(path string) string {
	t := &in.state.Root
	if path != "" {
		t = in.tracks[path]
	}
	if t.Undoing != "" {
		return "undo " + in.undos[t.Undoing].Step
	}
	return flow.CurrentItem(in.w, t).Name()
}

func step(name string, undo bool) *program.Item {
	s := &program.Step{Name: name, Else: -1, Body: &program.Func{}}
	if undo {
		s.Compensate = &program.Compensation{Body: &program.Func{}}
	}
	return &program.Item{Step: s}
}

func block(undo bool, branches ...*program.Branch) *program.Item {
	b := &program.Parallel{Else: -1, Branches: branches}
	if undo {
		b.Compensate = &program.Compensation{Body: &program.Func{}}
	}
	return &program.Item{Parallel: b}
}

func branch(name string, items ...*program.Item) *program.Branch {
	return &program.Branch{Name: name, Items: items}
}

func workflow(items ...*program.Item) *program.Workflow {
	return &program.Workflow{Name: "W", Items: items}
}

func TestSequenceRunsItemsInOrderAndCompletes(t *testing.T) {
	in := newInstance(workflow(step("a", false), step("b", false)), 1)
	in.happen(flow.Begin{})
	require.Equal(t, "a", in.name(""))
	require.True(t, in.happen(flow.StepDone{Effect: flow.Effect{Value: value.Int(1), Writes: []flow.Field{{Slot: 0, Value: value.Int(7)}}}}))
	require.Equal(t, "b", in.name(""))
	require.Equal(t, 1, flow.StepIndex(&in.state))
	require.Equal(t, value.Int(1), in.state.Root.Input, "the value of a step is the input of the next")
	require.True(t, in.happen(flow.StepDone{Effect: flow.Effect{Value: value.Int(2)}}))
	require.Equal(t, flow.Completed, in.state.Status)
	require.Equal(t, value.Int(2), in.state.Result)
	require.Equal(t, value.Int(7), in.state.Fields[0])
	require.Equal(t, "b", flow.Step(in.w, &in.state))
	require.False(t, in.happen(flow.Cancel{}), "terminal is terminal")
}

func TestGotoCountsVisitsAndMovesThePosition(t *testing.T) {
	in := newInstance(workflow(step("a", false), step("b", false), step("c", false)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{Effect: flow.Effect{How: flow.Goto, Item: 2, Input: value.String("x")}})
	require.Equal(t, 2, flow.StepIndex(&in.state))
	require.Equal(t, value.String("x"), in.state.Root.Input)
	in.happen(flow.StepDone{Effect: flow.Effect{How: flow.Goto, Item: 0}})
	require.EqualValues(t, 2, in.state.Root.Visit())
}

func TestFailureUndoesItsOwnStepFirst(t *testing.T) {
	in := newInstance(workflow(step("a", true), step("b", true), step("c", true), step("d", true)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{Effect: flow.Effect{Value: value.Int(1)}})
	in.happen(flow.StepDone{})
	in.happen(flow.StepFailed{Failure: flow.Failure{Code: "declined"}})
	var order []string
	for in.state.Status == flow.Running {
		path := in.active()[0]
		u := in.undos[in.tracks[path].Undoing]
		order = append(order, fmt.Sprintf("%s %t %s", u.Step, u.Completed, u.Value))
		require.True(t, in.happen(flow.StepDone{Path: path}))
	}
	require.Equal(t, []string{"c false nil", "b true nil", "a true 1"}, order)
	require.Equal(t, flow.Failed, in.state.Status)
	require.Equal(t, "declined", in.state.Cause.Code)
	require.Equal(t, flow.CompensationDone, in.state.Compensation.Status)
	require.Equal(t, 2, flow.StepIndex(&in.state), "a failure does not move the position")
}

func TestFailedCompensationIsListedAndTheRestRuns(t *testing.T) {
	in := newInstance(workflow(step("a", true), step("b", true), step("c", false)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{})
	in.happen(flow.StepDone{})
	in.happen(flow.StepFailed{Failure: flow.Failure{Code: "x"}})
	in.happen(flow.StepFailed{Path: in.active()[0], Failure: flow.Failure{Code: "undo", Message: "no"}})
	in.happen(flow.StepDone{Path: in.active()[0]})
	require.Equal(t, flow.Failed, in.state.Status)
	require.Equal(t, "x", in.state.Cause.Code)
	require.Equal(t, flow.Compensation{Status: flow.CompensationFailed, Failed: []flow.UndoFailure{{Step: "b", Code: "undo", Message: "no"}}}, in.state.Compensation)
	require.Len(t, in.undos, 1, "the failed row stays, to be run again")
}

// What has ended stays so: an instance that cannot go on with compensations that
// it tries again gives them up, and they can be tried once more.
func TestParkAfterTheEnd(t *testing.T) {
	in := newInstance(workflow(step("a", true), step("b", true), step("c", false)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{})
	in.happen(flow.StepDone{})
	in.happen(flow.Terminate{})
	require.Equal(t, flow.Cancelled, in.state.Status)
	for range 2 {
		require.True(t, in.happen(flow.Retry{}))
		require.Equal(t, "undo b", in.name(in.active()[0]))
		require.True(t, in.happen(flow.Park{Reason: "no"}))
		require.Equal(t, flow.Cancelled, in.state.Status)
		require.Equal(t, flow.Compensation{Status: flow.CompensationFailed,
			Failed: []flow.UndoFailure{{Step: "b", Code: "parked", Message: "no"}, {Step: "a", Code: "parked", Message: "no"}}}, in.state.Compensation)
		require.Empty(t, in.tracks)
		require.Empty(t, in.active())
	}
	require.True(t, in.happen(flow.Retry{}))
	for range 2 {
		require.True(t, in.happen(flow.StepDone{Path: in.active()[0]}))
	}
	require.Equal(t, flow.Cancelled, in.state.Status)
	require.Equal(t, flow.CompensationDone, in.state.Compensation.Status)
	require.Empty(t, in.undos)
}

func TestRetriesThenFailover(t *testing.T) {
	a := step("a", true)
	a.Step.Else = 1
	in := newInstance(workflow(a, step("plan_b", false)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.StepFailed{Failure: flow.Failure{Code: "x"}, Again: true, RetryAt: 50})
	require.Equal(t, flow.Backoff, in.state.Root.Phase)
	require.False(t, in.happen(flow.StepDone{}), "nothing runs during a backoff")
	require.True(t, in.happen(flow.TimeUp{}))
	require.EqualValues(t, 2, in.state.Root.Attempt)
	in.happen(flow.StepFailed{Failure: flow.Failure{Code: "y"}})
	require.Equal(t, "plan_b", in.name(""))
	require.Equal(t, "y", in.state.Failure.Code)
	require.Nil(t, in.state.Cause)
	in.happen(flow.StepDone{})
	require.Equal(t, flow.Completed, in.state.Status, "a failover that succeeds undoes nothing")
	require.Empty(t, in.undos)
}

func TestFailDecidesWithoutFailover(t *testing.T) {
	a := step("a", true)
	a.Step.Else = 1
	in := newInstance(workflow(a, step("plan_b", false)), 1)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{Effect: flow.Effect{How: flow.Decided, Cause: &flow.Failure{Code: "no"}, Writes: []flow.Field{{Value: value.Int(1)}}}})
	require.Equal(t, "undo a", in.name(in.active()[0]))
	require.Equal(t, value.Int(1), in.state.Fields[0], "fail applies its writes")
}

func TestPauseResumeAndTime(t *testing.T) {
	w := workflow(step("a", false), step("b", false), step("late", false))
	for name, c := range map[string]struct {
		event flow.Event
		want  string
	}{
		"resumed":   {flow.Resume{}, "b"},
		"time":      {flow.TimeUp{}, "late"},
		"cancelled": {flow.Cancel{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstance(w, 0)
			in.happen(flow.Begin{})
			in.happen(flow.StepDone{Effect: flow.Effect{How: flow.Pausing, Reason: "approval", Until: 99, Item: 2}})
			require.Equal(t, flow.Paused, in.state.Status)
			require.Equal(t, "a", flow.Step(in.w, &in.state))
			require.Equal(t, 1, flow.StepIndex(&in.state))
			require.True(t, in.happen(c.event))
			if c.want == "" {
				require.Equal(t, flow.Cancelled, in.state.Status)
				return
			}
			require.Equal(t, c.want, in.name(""))
		})
	}
}

func TestParallelBranchesDoNotSeeEachOther(t *testing.T) {
	in := newInstance(workflow(step("before", false), block(false, branch("x", step("x1", false), step("x2", false)), branch("y", step("y1", false))), step("after", false)), 2)
	in.happen(flow.Begin{})
	in.happen(flow.StepDone{Effect: flow.Effect{Writes: []flow.Field{{Slot: 0, Value: value.Int(1)}, {Slot: 1, Value: value.Int(1)}}}})
	paths := in.active()
	require.Len(t, paths, 2)
	in.happen(flow.StepDone{Path: paths[0], Effect: flow.Effect{Writes: []flow.Field{{Slot: 0, Value: value.Int(5)}}}})
	require.Equal(t, value.Int(5), in.state.Fields[0], "a completed branch step is visible outside")
	require.Equal(t, value.Int(1), flow.Base(in, in.tracks[paths[1]])[0], "and not to its sibling")
	require.Equal(t, value.Int(5), flow.Base(in, in.tracks[paths[0]])[0], "but to its own branch")
	in.happen(flow.StepDone{Path: paths[1], Effect: flow.Effect{Value: value.String("y")}})
	require.Equal(t, "x2", in.name(in.active()[0]))
	in.happen(flow.StepDone{Path: paths[0], Effect: flow.Effect{Value: value.String("x")}})
	require.Equal(t, "after", in.name(""))
	require.Equal(t, `{ x: "x", y: "y" }`, in.state.Root.Input.String())
	require.Equal(t, value.Int(5), flow.Base(in, &in.state.Root)[0])
	require.Empty(t, in.tracks)
}

func TestFailedBranchCutsItsSiblings(t *testing.T) {
	in := newInstance(workflow(block(true, branch("x", step("x", true)), branch("y", step("y", true)), branch("z", step("z", true)))), 0)
	in.happen(flow.Begin{})
	paths := in.active()
	in.happen(flow.StepDone{Path: paths[0]})
	in.happen(flow.StepFailed{Path: paths[1], Failure: flow.Failure{Code: "declined", Step: "y"}})
	require.Contains(t, in.log, flow.Command{Kind: flow.Cut, Path: paths[2]})
	require.False(t, in.happen(flow.StepDone{Path: paths[2]}), "a late result is dropped")
	var order []string
	for in.state.Status == flow.Running {
		order = append(order, in.name(in.active()[0]))
		in.happen(flow.StepDone{Path: in.active()[0]})
	}
	require.Equal(t, []string{"undo z", "undo y", "undo x", "undo parallel"}, order)
	require.Equal(t, "declined", in.state.Cause.Code)
}

func TestSignalsAreConsumedOrReturned(t *testing.T) {
	in := newInstance(workflow(step("a", false)), 0)
	in.happen(flow.Begin{})
	in.happen(flow.Suspended{Wait: flow.Wait{Signals: []string{"go"}}})
	require.Zero(t, in.state.Active)
	require.True(t, in.happen(flow.Woken{Signal: 3}))
	tr, ok := flow.Next(in.w, in, flow.StepFailed{Failure: flow.Failure{}, Again: true})
	require.True(t, ok)
	require.Equal(t, []uint64{3}, tr.Returned)
	tr, _ = flow.Next(in.w, in, flow.StepDone{})
	require.Equal(t, []uint64{3}, tr.Consumed)
}

// Random workflows and random events keep the invariants, and undo what started
// in the reverse order, each once.
func TestRandomWorkflows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		w := workflow(randomItems(t, 2, &n)...)
		if rapid.Bool().Draw(t, "own undo") {
			w.Compensate = &program.Compensation{Body: &program.Func{}}
		}
		if rapid.Bool().Draw(t, "finally") {
			w.Finally = &program.Compensation{Body: &program.Func{}}
		}
		in := newInstance(w, 2)
		in.happen(flow.Begin{})
		var undone []string
		for moves := 0; !in.state.Status.Terminal() && moves < 200; moves++ {
			checkInvariants(t, in)
			undone = append(undone, randomMove(t, in)...)
		}
		if !in.state.Status.Terminal() {
			return // a loop of gotos
		}
		for path, left := range in.tracks { // a `finally` that failed stays, to be shown
			require.Equal(t, flow.FinalPath, path)
			require.Equal(t, flow.Broken, left.Phase)
			require.NotNil(t, left.Failure)
		}
		require.Empty(t, in.active())
		require.Empty(t, in.elems)
		if !hasUnits(w.Items) { // branches that are undone on their own have their own order
			if in.state.Status == flow.Completed {
				require.Empty(t, undone)
			}
			require.True(t, slices.IsSortedFunc(undone, func(a, b string) int { return -cmpString(a, b) }), "undone %q", undone)
		}
		slices.Sort(undone)
		require.Len(t, slices.Compact(slices.Clone(undone)), len(undone), "undone once")
		for key := range in.undos {
			require.NotNil(t, in.undos[key].Failure, "only failed rows are left")
		}
	})
}

func hasUnits(items []*program.Item) bool {
	for _, it := range items {
		if b := it.Parallel; b != nil {
			if b.Mode != program.All {
				return true
			}
			for _, br := range b.Branches {
				if hasUnits(br.Items) {
					return true
				}
			}
		}
	}
	return false
}

func cmpString(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func randomItems(t *rapid.T, depth int, n *int) []*program.Item {
	var items []*program.Item
	for range rapid.IntRange(1, 3).Draw(t, "items") {
		*n++
		if depth > 0 && rapid.IntRange(0, 3).Draw(t, "block") == 0 {
			var bs []*program.Branch
			for i := range rapid.IntRange(1, 3).Draw(t, "branches") {
				bs = append(bs, branch(fmt.Sprint("b", i), randomItems(t, depth-1, n)...))
			}
			b := block(rapid.Bool().Draw(t, "undo"), bs...)
			b.Parallel.Mode = program.Mode(rapid.IntRange(0, 2).Draw(t, "mode"))
			if b.Parallel.Mode == program.First {
				b.Parallel.First = &program.Func{}
			}
			if rapid.IntRange(0, 2).Draw(t, "for") == 0 {
				b.Parallel.For, b.Parallel.In, b.Parallel.Branches = true, &program.Func{}, bs[:1]
			}
			for _, br := range bs {
				if rapid.IntRange(0, 2).Draw(t, "branch undo") == 0 {
					br.Compensate = &program.Compensation{Body: &program.Func{}}
				}
			}
			items = append(items, b)
			continue
		}
		items = append(items, step(fmt.Sprint("s", *n), rapid.Bool().Draw(t, "undo")))
	}
	return items
}

// randomMove lets something happen and gives the key of what was undone by it.
func randomMove(t *rapid.T, in *instance) []string {
	var paths []string
	for _, tr := range in.all() {
		if tr.Phase == flow.Active || tr.Phase == flow.Waiting || tr.Phase == flow.Backoff {
			paths = append(paths, tr.Path)
		}
	}
	if in.state.Status == flow.Paused {
		in.happen(flow.Resume{})
		return nil
	}
	path := rapid.SampledFrom(paths).Draw(t, "track")
	tr := &in.state.Root
	if path != "" {
		tr = in.tracks[path]
	}
	undoing := tr.Undoing
	done := func(e flow.Event) []string {
		require.True(t, in.happen(e))
		if undoing != "" {
			return []string{undoing}
		}
		return nil
	}
	if it := flow.CurrentItem(in.w, tr); it != nil && it.Parallel != nil && tr.Phase == flow.Active {
		e := flow.Entered{Path: path, Need: rapid.IntRange(0, 3).Draw(t, "need"), Max: rapid.IntRange(0, 2).Draw(t, "max"), Elements: []value.Value{}}
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			e.Elements = append(e.Elements, value.Int(int64(i)))
		}
		require.True(t, in.happen(e))
		return nil
	}
	switch tr.Phase {
	case flow.Waiting:
		require.True(t, in.happen(flow.Woken{Path: path}))
		return nil
	case flow.Backoff:
		require.True(t, in.happen(flow.TimeUp{Path: path}))
		return nil
	}
	switch rapid.IntRange(0, 11).Draw(t, "move") {
	case 0:
		return done(flow.StepFailed{Path: path, Failure: flow.Failure{Code: "x"}})
	case 1:
		require.True(t, in.happen(flow.StepFailed{Path: path, Failure: flow.Failure{Code: "x"}, Again: true, RetryAt: 1}))
		return nil
	case 2:
		require.True(t, in.happen(flow.Suspended{Path: path, Wait: flow.Wait{}}))
		return nil
	case 3:
		if path == "" {
			return done(flow.StepDone{Effect: flow.Effect{How: flow.Pausing, Item: -1}})
		}
	case 4:
		if in.state.Ending == flow.NotEnding && rapid.IntRange(0, 5).Draw(t, "cancel") == 0 {
			require.True(t, in.happen(flow.Cancel{}))
			return nil
		}
	case 5:
		if rapid.IntRange(0, 5).Draw(t, "command") == 0 {
			e := flow.Commanded{Effect: flow.Effect{How: flow.How(rapid.IntRange(0, 3).Draw(t, "how")), Writes: []flow.Field{{Slot: 1, Value: value.Int(9)}}}}
			require.Equal(t, e.How == flow.FellThrough || in.state.Ending == flow.NotEnding, in.happen(e), "a decided ending takes no transition")
			return nil
		}
		if path == "" && undoing == "" {
			return done(flow.StepDone{Effect: flow.Effect{How: flow.Goto, Item: rapid.IntRange(0, len(in.w.Items)-1).Draw(t, "target")}})
		}
	}
	return done(flow.StepDone{Path: path, Effect: flow.Effect{Writes: []flow.Field{{Slot: 0, Value: value.Int(int64(len(in.log)))}}}})
}

func checkInvariants(t *rapid.T, in *instance) {
	require.Equal(t, len(in.active()), in.state.Active, "the count of active tracks")
	if in.state.Status == flow.Running {
		reasons := 0
		for _, tr := range in.all() {
			if tr.Phase == flow.Active || tr.Phase == flow.Waiting || tr.Phase == flow.Backoff {
				reasons++
			}
			if tr.Phase == flow.InBlock {
				require.Positive(t, tr.Open, "a block without open branches has joined")
				if tr.Max > 0 {
					require.LessOrEqual(t, tr.Open, tr.Max)
				}
			}
		}
		require.Positive(t, reasons, "a live instance has a reason to wake")
	}
}

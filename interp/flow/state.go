// Package flow decides what an instance does next.
//
// It is one pure function over plain data: Next takes the workflow, the
// instance as it stands and what has happened, and gives the changes to the
// instance and the commands for the engine. Sequencing, retries, failover, the
// join of parallel branches, pauses and the order of compensations live here
// and nowhere else; no clock, store or goroutine is known.
//
// A workflow's body is a track: a sequence of items with a position. A parallel
// block gives every branch a track of its own below the block's, and a
// compensation runs on a track as well. An event concerns one track; when a
// branch settles, its parent hears of it in the same call. So the work of an
// event does not depend on how many branches there are, but for the join.
package flow

import (
	"cmp"
	"encoding/binary"
	"iter"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// Status is what the outside sees of an instance's life.
type Status uint8

// The statuses. The last three are terminal.
const (
	Running Status = iota
	Paused
	Completed
	Failed
	Cancelled
)

// String is the status as lifecycle and listings say it.
func (s Status) String() string {
	return [...]string{"running", "paused", "completed", "failed", "cancelled"}[s]
}

// Terminal reports whether nothing happens to the instance any more.
func (s Status) Terminal() bool { return s >= Completed }

// Ending is the decision by which an instance ends; it is taken once.
type Ending uint8

// The endings.
const (
	NotEnding Ending = iota
	ByFailure
	ByEnd
	ByCancel
	ByTimeout   // the workflow's own timeout has passed
	ByTerminate // stopped at once: nothing is undone
)

// String is the ending as lifecycle says it, "" while there is none.
func (e Ending) String() string {
	return [...]string{"", "failure", "end", "cancel", "timeout", "terminate"}[e]
}

// FinalStatus is the status that the decided ending leads to.
func FinalStatus(s *State) Status { return s.Ending.status() }

// status is the status that an ending leads to.
func (e Ending) status() Status {
	switch e {
	case ByEnd:
		return Completed
	case ByCancel, ByTerminate:
		return Cancelled
	}
	return Failed
}

// A Failure says why a step or an instance failed.
type Failure struct {
	Code    string
	Message string
	Step    string      // wire name of the step
	Index   int64       // element of a `parallel for`, -1 if none
	Place   string      // file:line:column
	Detail  value.Value // what the error carried, or the failures of siblings
	Input   value.Value // of the failed step
	Span    source.Span // in the program the instance runs
	Decided bool        // by `fail`: no failover takes over
}

// A State is what is kept once for an instance.
type State struct {
	Status       Status
	Ending       Ending
	Fields       []value.Value // by slot, as last committed
	Result       value.Value
	Failure      *Failure    // of the most recent step that failed for good; nil before
	Retries      []StepCount // attempts beyond the first, by step, over all visits
	Last         *Failure    // of the last attempt that failed and is tried again
	Cause        *Failure    // why the instance fails; nil unless Ending is ByFailure
	Pause        *Pause
	Root         Track
	Compensation Compensation
	Active       int   // tracks in phase Active: there is something to do now
	Finished     bool  // Status is terminal and stays; failed compensations may run again
	Limit        int64 // the workflow's timeout in nanoseconds, until it begins to run; 0: none
	Deadline     int64 // when it passes, Unix nanoseconds; 0: none, or not begun
}

// Driven reports whether attempts of the instance may go on: it runs, or runs
// failed compensations again after its end.
func (s *State) Driven() bool {
	return s.Status == Running || s.Finished && s.Compensation.Status == CompensationRunning
}

// A StepCount counts something of a step.
type StepCount struct {
	Step  string
	Count int
}

// counted adds one to the count of a step, in a copy of the list.
func counted(list []StepCount, step string) []StepCount {
	out := append([]StepCount(nil), list...)
	for i := range out {
		if out[i].Step == step {
			out[i].Count++
			return out
		}
	}
	return append(out, StepCount{step, 1})
}

// A Pause is why and until when an instance is Paused, and what follows: Next
// when it is resumed, and also when the time passes, unless Then names a step
// for that.
type Pause struct {
	Reason    string
	Until     int64 // Unix nanoseconds; 0: until somebody acts
	Then      int   // the item that runs after the time, -1: Next; see parked
	Input     value.Value
	Next      int
	NextInput value.Value
}

// Compensation is how far the undoing of an instance is.
type Compensation struct {
	Status CompensationStatus
	Failed []UndoFailure
}

// CompensationStatus is its summary.
type CompensationStatus uint8

// The statuses of a compensation.
const (
	CompensationNone CompensationStatus = iota
	CompensationRunning
	CompensationDone
	CompensationFailed
)

// String is the status as lifecycle says it.
func (c CompensationStatus) String() string {
	return [...]string{"none", "running", "done", "failed"}[c]
}

// An UndoFailure is a compensation that failed for good.
type UndoFailure struct {
	Step, Code, Message string
}

// Phase is what a track is doing.
type Phase uint8

// The phases.
const (
	Idle    Phase = iota // between items, or the instance is paused
	Active               // an attempt can go on
	Waiting              // the attempt waits for a signal, an instance or a time
	Backoff              // the next attempt waits for its time
	InBlock              // its branches are running
	Done                 // the sequence is through
	Broken               // the sequence failed, or was cut, and is settled
	ToUndo               // a branch failed or lost in `settle` or `first`, and waits to be undone
	Undoing              // and is being undone
)

// A Place is one level of a branch's address: the block's item and visit in the
// track above, the branch in the block.
type Place struct {
	Item   int
	Visit  uint32
	Branch int
}

// A Track is one sequence of items under way, or a compensation.
type Track struct {
	Path    string  // "" for the workflow's own; see childPath
	Where   []Place // address of a branch; of a compensation, that of the track it undoes
	Undoing string  // key of the undo row that it works off; "" for a sequence
	Unit    string  // of a compensation: path of the branch that is undone; "" for the whole workflow
	Final   bool    // it runs the workflow's `finally`

	Phase   Phase
	Item    int      // index of the current (or next) item
	Visits  []uint32 // visits so far, by item
	Attempt uint32   // of the current visit, from 1
	Input   value.Value
	Value   value.Value // of the last completed item
	Started uint32      // visits of this track so far
	Order   string      // undo key of the current visit
	From    uint64      // first journal record of the current item; the engine's

	Own []Field // what a branch has assigned since its block began
	// Shadow has fields that others have changed since this attempt, or while
	// InBlock this block, began, with their values then.
	Shadow []Field

	Wait  *Wait
	Taken []uint64 // numbers of the signals that this attempt took
	Retry int64    // in Backoff: when the next attempt is due, Unix nanoseconds
	Used  int64    // nanoseconds that this attempt was driven before it waited

	// While InBlock.
	Total   int      // branches, or elements
	Begun   int      // elements begun so far
	Open    int      // branches that have begun and not settled
	Need    int      // of `first`: successes that it takes
	Max     int      // of `for`: branches at once; 0: no bound
	Won     []int    // of `first`: branches that succeeded, in order
	Lost    int      // branches that failed
	Over    bool     // decided: no further branch begins
	Queue   []int    // branches ToUndo, in the order in which that was found
	Failure *Failure // of a Broken track, or the first of a block's branches
}

// A Field is a state field with a value.
type Field struct {
	Slot  int
	Value value.Value
}

// A Wait is what an attempt waits for. Signals and Deadlines belong to arms by
// index; an arm of the other kind has "" or 0 there.
type Wait struct {
	N         int    // number of the request within the attempt
	Hash      uint64 // of the request, and its place: kept for the answer's record
	Span      source.Span
	Select    bool // a select: the answer says which arm
	Kind      WaitKind
	Signals   []string
	Deadlines []int64 // Unix nanoseconds
	Instance  string  // store id of the awaited instance
}

// SignalNames are the signals that end the wait: the arms of a select that wait
// for a time have none.
func (w *Wait) SignalNames() []string {
	var names []string
	for _, s := range w.Signals {
		if s != "" {
			names = append(names, s)
		}
	}
	return names
}

// WaitKind says which request waits.
type WaitKind uint8

// The kinds of waits.
const (
	WaitSignal WaitKind = iota // Signal.wait and select
	WaitTimer                  // Timer.sleep, Timer.until
	WaitEnd                    // await
)

// Visit is the number of the current visit.
func (t Track) Visit() uint32 {
	if t.Item < len(t.Visits) {
		return t.Visits[t.Item]
	}
	return 0
}

// An Undo row remembers a visit that started and has a compensation.
type Undo struct {
	Key       string  // ascending in the order of starting, see order
	Where     []Place // of the track the visit belongs to
	Item      int     // of the visit; -1: the branch's or workflow's own compensation
	Visit     uint32
	Step      string // wire name of what is undone
	Input     value.Value
	Elems     []value.Value // elements of the `parallel for` blocks around, outermost first
	Value     value.Value
	Completed bool
	Failure   *Failure // its compensation failed for good
}

// Elements are the elements of a `parallel for` that is under way.
type Elements struct {
	Path string // of the block's track
	List []value.Value
}

// A View is an instance as it stands.
type View interface {
	State() *State
	// Track finds a branch or compensation track.
	Track(path string) (*Track, bool)
	// Tracks gives all branch and compensation tracks, in the order of ComparePaths.
	Tracks() iter.Seq[*Track]
	// Undos gives the undo rows whose keys begin with the prefix, by descending
	// key.
	Undos(prefix string) iter.Seq[*Undo]
	// Undo finds an undo row.
	Undo(key string) (*Undo, bool)
	// Elements finds the elements of the block that the track is in.
	Elements(path string) []value.Value
}

// items are the items of the sequence at an address.
func items(w *program.Workflow, where []Place) []*program.Item {
	list := w.Items
	for _, p := range where {
		list = branchOf(list[p.Item].Parallel, p.Branch).Items
	}
	return list
}

// branchOf is the branch of a number: all elements share one.
func branchOf(b *program.Parallel, i int) *program.Branch {
	if b.For {
		return b.Branches[0]
	}
	return b.Branches[i]
}

// CurrentItem is the item that a track is at, nil behind the last one.
func CurrentItem(w *program.Workflow, t *Track) *program.Item {
	list := items(w, t.Where)
	if t.Undoing != "" || t.Final || t.Item >= len(list) {
		return nil
	}
	return list[t.Item]
}

// StepIndex is the position of an instance: the index of the item that runs or
// would run next.
func StepIndex(s *State) int {
	if s.Status == Paused && !s.Pause.IsParked() {
		return s.Pause.Next
	}
	return s.Root.Item
}

// Step is the wire name of the item an instance is at: while it is paused the
// one that paused or was cut, at the end the last one.
func Step(w *program.Workflow, s *State) string {
	i := s.Root.Item
	if s.Ending == ByEnd || s.Ending != NotEnding && s.Root.Phase == Done {
		i--
	}
	if i < 0 || i >= len(w.Items) {
		return ""
	}
	return w.Items[i].Name()
}

// childPath is the path of a branch's track: "/item.visit:branch" for each level.
func childPath(parent string, p Place) string {
	b := append([]byte(parent), '/')
	b = strconv.AppendInt(b, int64(p.Item), 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, uint64(p.Visit), 10)
	b = append(b, ':')
	return string(strconv.AppendInt(b, int64(p.Branch), 10))
}

// Branches are the numbers of the branches, of a `parallel for` those of the
// elements, that lead to a track, the outermost first; none of a compensation.
func Branches(path string) []int {
	var out []int
	for _, level := range strings.Split(path, "/")[1:] {
		_, branch, _ := strings.Cut(level, ":")
		n, err := strconv.Atoi(branch)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// ComparePaths orders paths of tracks: those of branches by the numbers in them,
// so that a lower branch comes before a higher one.
func ComparePaths(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			x, y = 1, 1
		}
		if c := cmp.Or(cmp.Compare(x, y), cmp.Compare(a[:x], b[:y])); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts the digits that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// undoPath is the path of the track that works off an undo row.
func undoPath(key string) string { return "~" + key }

// order appends a number to an undo key. Keys sort by the order of starting; a
// block's key is a prefix of those of its branches, a branch's of its steps', so
// that descending order is the order of undoing: the last branch first, each as
// a whole, then what stands around it.
func order(key string, n uint32) string {
	return string(binary.BigEndian.AppendUint32([]byte(key), n))
}

// CompensationOf finds the code that an undo row calls for.
func CompensationOf(w *program.Workflow, u *Undo) *program.Compensation {
	if u.Item >= 0 {
		return compensationOf(items(w, u.Where)[u.Item])
	}
	if len(u.Where) == 0 {
		return w.Compensate
	}
	last := u.Where[len(u.Where)-1]
	return branchOf(items(w, u.Where[:len(u.Where)-1])[last.Item].Parallel, last.Branch).Compensate
}

// Elems are the elements of the `parallel for` blocks around a place, outermost
// first: the first arguments of every body there.
func Elems(w *program.Workflow, v View, where []Place) []value.Value {
	var out []value.Value
	list, path := w.Items, ""
	for _, p := range where {
		b := list[p.Item].Parallel
		if b.For {
			if es := v.Elements(path); p.Branch < len(es) {
				out = append(out, es[p.Branch])
			}
		}
		path = childPath(path, p)
		list = branchOf(b, p.Branch).Items
	}
	return out
}

// Index is the element that a place belongs to, -1 if it is in no `parallel for`.
func Index(w *program.Workflow, where []Place) int64 {
	list, index := w.Items, int64(-1)
	for _, p := range where {
		b := list[p.Item].Parallel
		if b.For {
			index = int64(p.Branch)
		}
		list = branchOf(b, p.Branch).Items
	}
	return index
}

func compensationOf(it *program.Item) *program.Compensation {
	if it.Step != nil {
		return it.Step.Compensate
	}
	return it.Parallel.Compensate
}

// Base is the state as an attempt on the track sees it: as committed when it
// began; in a branch as it was when the block began, with what the branch has
// assigned.
func Base(v View, t *Track) []value.Value {
	s := v.State()
	if len(t.Where) == 0 || t.Undoing != "" || t.Final {
		if len(t.Shadow) == 0 {
			return s.Fields
		}
		fields := append([]value.Value(nil), s.Fields...)
		overlay(fields, t.Shadow)
		return fields
	}
	fields := append([]value.Value(nil), s.Fields...)
	at, path := &s.Root, ""
	for i, p := range t.Where {
		overlay(fields, at.Shadow)
		path = childPath(path, p)
		if i == len(t.Where)-1 {
			at = t
		} else {
			at, _ = v.Track(path)
		}
		overlay(fields, at.Own)
	}
	return fields
}

func overlay(fields []value.Value, over []Field) {
	for _, f := range over {
		fields[f.Slot] = f.Value
	}
}

// set replaces or adds a field of the list, which it copies.
func set(list []Field, slot int, v value.Value) []Field {
	out := append([]Field(nil), list...)
	for i := range out {
		if out[i].Slot == slot {
			out[i].Value = v
			return out
		}
	}
	return append(out, Field{slot, v})
}

func has(list []Field, slot int) bool {
	for _, f := range list {
		if f.Slot == slot {
			return true
		}
	}
	return false
}

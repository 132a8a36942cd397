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
	"iter"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

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

// An UndoFailure is a compensation that failed for good.
type UndoFailure struct {
	Step, Code, Message string
}

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

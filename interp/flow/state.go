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
	"encoding/binary"
	"iter"
	"strconv"

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
)

// String is the ending as lifecycle says it, "" while there is none.
func (e Ending) String() string {
	return [...]string{"", "failure", "end", "cancel"}[e]
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
	Failure      *Failure // of the most recent step that failed for good; nil before
	Cause        *Failure // why the instance fails; nil unless Ending is ByFailure
	Pause        *Pause
	Root         Track
	Compensation Compensation
	Active       int // tracks in phase Active: there is something to do now
}

// A Pause is why and until when an instance is Paused.
type Pause struct {
	Reason string
	Until  int64 // Unix nanoseconds; 0: until somebody acts
	Then   int   // the item that runs after the time, -1: the next one
	Input  value.Value
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
	Broken               // the sequence failed, or was cut
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

	Phase   Phase
	Item    int      // index of the current (or next) item
	Visits  []uint32 // visits so far, by item
	Attempt uint32   // of the current visit, from 1
	Input   value.Value
	Value   value.Value // of the last completed item
	Started uint32      // visits of this track so far
	Order   string      // undo key of the current visit
	From    uint64      // first journal record of the current item; the engine's

	Own    []Field // what a branch has assigned since its block began
	Shadow []Field // while InBlock: fields changed since the block began, with their values then

	Wait  *Wait
	Taken []uint64 // numbers of the signals that this attempt took
	Retry int64    // in Backoff: when the next attempt is due, Unix nanoseconds

	Open    int      // while InBlock: branches that have not settled
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
	Value     value.Value
	Completed bool
	Failure   *Failure // its compensation failed for good
}

// A View is an instance as it stands.
type View interface {
	State() *State
	// Track finds a branch or compensation track.
	Track(path string) (*Track, bool)
	// Tracks gives all branch and compensation tracks, ordered by path.
	Tracks() iter.Seq[*Track]
	// Undos gives the undo rows by descending key.
	Undos() iter.Seq[*Undo]
	// Undo finds an undo row.
	Undo(key string) (*Undo, bool)
}

// items are the items of the sequence at an address.
func items(w *program.Workflow, where []Place) []*program.Item {
	list := w.Items
	for _, p := range where {
		list = list[p.Item].Parallel.Branches[p.Branch].Items
	}
	return list
}

// CurrentItem is the item that a track is at, nil behind the last one.
func CurrentItem(w *program.Workflow, t *Track) *program.Item {
	list := items(w, t.Where)
	if t.Undoing != "" || t.Item >= len(list) {
		return nil
	}
	return list[t.Item]
}

// StepIndex is the position of an instance: the index of the item that runs or
// would run next.
func StepIndex(s *State) int {
	if s.Status == Paused && !s.Pause.IsParked() {
		return s.Root.Item + 1
	}
	return s.Root.Item
}

// Step is the wire name of the item an instance is at: while it is paused the
// one that paused, at a good end the last one.
func Step(w *program.Workflow, s *State) string {
	i := s.Root.Item
	if s.Ending == ByEnd {
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
	return items(w, u.Where[:len(u.Where)-1])[last.Item].Parallel.Branches[last.Branch].Compensate
}

func compensationOf(it *program.Item) *program.Compensation {
	if it.Step != nil {
		return it.Step.Compensate
	}
	return it.Parallel.Compensate
}

// Base is the state as an attempt on the track sees it: as last committed; in a
// branch as it was when the block began, with what the branch has assigned.
func Base(v View, t *Track) []value.Value {
	s := v.State()
	if len(t.Where) == 0 || t.Undoing != "" {
		return s.Fields
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

package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// An Event is what has happened to an instance.
type Event interface{ event() }

type (
	// Begin starts an instance whose fields are set.
	Begin struct{}
	// StepDone: the attempt on the track ended as Outcome says.
	StepDone struct {
		Path   string
		Writes []Field
		Value  value.Value
		How    How
		Item   int         // Goto: target; Pausing: target after the time, -1 for the next item
		Input  value.Value // Goto, Pausing
		Reason string      // Pausing
		Until  int64       // Pausing: Unix nanoseconds, 0 if none
		Cause  *Failure    // Decided
	}
	// StepFailed: the attempt on the track ended in a fault. Again says that
	// its policy allows one more attempt, at the instant RetryAt (0: at once).
	StepFailed struct {
		Path    string
		Failure Failure
		Again   bool
		RetryAt int64
	}
	// Suspended: the attempt on the track waits.
	Suspended struct {
		Path string
		Wait Wait
	}
	// Woken: what the track waits for is there; Signal is the number of the
	// signal that it took, 0 if none.
	Woken struct {
		Path   string
		Signal uint64
	}
	// Took: a running attempt took a signal from the inbox without waiting.
	Took struct {
		Path   string
		Signal uint64
	}
	// TimeUp: the time of a backoff or pause has come.
	TimeUp struct{ Path string }
	// Resume: somebody ends a pause; the next item runs.
	Resume struct{}
	// Cancel: somebody cancels the instance.
	Cancel struct{}
	// Park: the engine pauses the instance because something about it is
	// wrong; Resume lets its attempts go on.
	Park struct{ Reason string }
)

func (Begin) event()      {}
func (StepDone) event()   {}
func (StepFailed) event() {}
func (Suspended) event()  {}
func (Woken) event()      {}
func (Took) event()       {}
func (TimeUp) event()     {}
func (Resume) event()     {}
func (Cancel) event()     {}
func (Park) event()       {}

// How says with which ending a body completed its step.
type How uint8

// The ways a step completes.
const (
	FellThrough How = iota
	Goto
	Pausing
	End
	Decided // `fail`
)

// A Command is what the engine has to do about a transition, after it is
// durable.
type Command struct {
	Kind CommandKind
	Path string // of the track
}

// CommandKind names a command.
type CommandKind uint8

// The commands.
const (
	Run    CommandKind = iota // start or go on with the track's attempt
	Cut                       // the track's attempt is over: cancel its calls, drop what comes late
	Finish                    // the instance is terminal
)

// A Transition is everything that becomes true together.
type Transition struct {
	State    State
	Tracks   []*Track // new or changed, the root not among them
	Gone     []string // paths of removed tracks
	Undos    []*Undo  // new or changed
	UndoGone []string
	Consumed []uint64 // signals that are used up
	Returned []uint64 // signals that go back to their places
	Commands []Command
}

// next carries a transition while it is being made.
type next struct {
	w  *program.Workflow
	v  View
	t  Transition
	tr map[string]*Track // changed tracks by path; nil for a removed one
	un map[string]*Undo  // changed undo rows by key; nil for a removed one
}

// Next gives the transition of an event. An event for a track that is not in a
// phase to have it (a late result) gives ok == false: it is dropped.
func Next(w *program.Workflow, v View, e Event) (Transition, bool) {
	n := &next{w: w, v: v}
	n.t.State = *v.State()
	ok := n.apply(e)
	return n.t, ok
}

func (n *next) apply(e Event) bool {
	s := &n.t.State
	if s.Status.Terminal() {
		return false
	}
	switch e := e.(type) {
	case Begin:
		n.begin()
	case Resume:
		return n.resume()
	case Cancel:
		if s.Ending != NotEnding {
			return false
		}
		n.end(ByCancel)
	case Park:
		if s.Status == Paused {
			return false
		}
		s.Status, s.Pause = Paused, &Pause{Reason: e.Reason, Then: parked}
	case StepDone:
		return n.onTrack(e.Path, func(t *Track) bool { return t.Phase == Active }, func(t *Track) { n.done(t, e) })
	case StepFailed:
		return n.onTrack(e.Path, func(t *Track) bool { return t.Phase == Active }, func(t *Track) { n.failed(t, e) })
	case Suspended:
		return n.onTrack(e.Path, func(t *Track) bool { return t.Phase == Active }, func(t *Track) {
			n.phase(t, Waiting)
			t.Wait = &e.Wait
		})
	case Woken:
		return n.onTrack(e.Path, func(t *Track) bool { return t.Phase == Waiting }, func(t *Track) {
			t.Wait = nil
			n.take(t, e.Signal)
			n.activate(t)
		})
	case Took:
		return n.onTrack(e.Path, func(t *Track) bool { return t.Phase == Active }, func(t *Track) { n.take(t, e.Signal) })
	case TimeUp:
		return n.timeUp(e.Path)
	}
	return true
}

// parked marks a pause that the engine made: its attempts go on where they were.
const parked = -2

// IsParked reports whether the pause is the engine's and not the script's.
func (p *Pause) IsParked() bool { return p != nil && p.Then == parked }

func (n *next) take(t *Track, signal uint64) {
	if signal != 0 {
		t.Taken = append(slices.Clip(t.Taken), signal)
	}
}

// onTrack runs f on a changeable copy of the track if it is as it should be.
func (n *next) onTrack(path string, fits func(*Track) bool, f func(*Track)) bool {
	t := n.track(path)
	if t == nil || !fits(t) {
		return false
	}
	f(t)
	return true
}

// track gives the changeable copy of a track, nil if there is none.
func (n *next) track(path string) *Track {
	if path == "" {
		return &n.t.State.Root
	}
	if t, ok := n.tr[path]; ok {
		return t
	}
	old, ok := n.v.Track(path)
	if !ok {
		return nil
	}
	t := *old
	return n.put(&t)
}

func (n *next) put(t *Track) *Track {
	if n.tr == nil {
		n.tr = map[string]*Track{}
	}
	n.tr[t.Path] = t
	n.t.Tracks = append(n.t.Tracks, t)
	return t
}

func (n *next) drop(path string) {
	if n.tr == nil {
		n.tr = map[string]*Track{}
	}
	n.tr[path] = nil
	n.t.Tracks = slices.DeleteFunc(n.t.Tracks, func(t *Track) bool { return t.Path == path })
	n.t.Gone = append(n.t.Gone, path)
}

func (n *next) putUndo(u *Undo) {
	if n.un == nil {
		n.un = map[string]*Undo{}
	}
	n.dropUndoPut(u.Key)
	n.un[u.Key] = u
	n.t.Undos = append(n.t.Undos, u)
}

func (n *next) dropUndoPut(key string) {
	n.t.Undos = slices.DeleteFunc(n.t.Undos, func(u *Undo) bool { return u.Key == key })
}

func (n *next) dropUndo(key string) {
	if n.un == nil {
		n.un = map[string]*Undo{}
	}
	n.dropUndoPut(key)
	n.un[key] = nil
	n.t.UndoGone = append(n.t.UndoGone, key)
}

func (n *next) undo(key string) *Undo {
	if u, ok := n.un[key]; ok {
		return u
	}
	if u, ok := n.v.Undo(key); ok {
		c := *u
		return &c
	}
	return nil
}

// changedUndo reports whether this transition has put or removed the row.
func (n *next) changedUndo(key string) bool {
	_, changed := n.un[key]
	return changed
}

// lastUndo is the row to be undone next: the highest key whose compensation has
// not failed; nil if there is none.
func (n *next) lastUndo() *Undo {
	var best *Undo
	for _, u := range n.t.Undos {
		if u.Failure == nil && (best == nil || u.Key > best.Key) {
			best = u
		}
	}
	for u := range n.v.Undos() {
		if best != nil && u.Key <= best.Key {
			break
		}
		if n.changedUndo(u.Key) || u.Failure != nil {
			continue
		}
		return u
	}
	return best
}

func (n *next) command(k CommandKind, path string) {
	n.t.Commands = append(n.t.Commands, Command{k, path})
}

// phase changes a track's phase and keeps the count of active ones.
func (n *next) phase(t *Track, p Phase) {
	if t.Phase == Active {
		n.t.State.Active--
	}
	if p == Active {
		n.t.State.Active++
	}
	t.Phase = p
}

func (n *next) activate(t *Track) {
	n.phase(t, Active)
	n.command(Run, t.Path)
}

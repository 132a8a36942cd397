package flow

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// next carries a transition while it is being made. What it changes lies in maps
// until the end, so that an event that touches thousands of rows stays linear.
type next struct {
	w       *program.Workflow
	v       View
	t       Transition
	tracks  map[string]*Track // changed tracks by path; nil for a removed one
	paths   []string          // of tracks, in the order of first change
	undos   map[string]*Undo  // changed undo rows by key; nil for a removed one
	undoKey []string          // of undos, in the order of first change
}

// Next gives the transition of an event. An event that comes too late, or for a
// track that is not in a phase to have it, gives ok == false: it is dropped.
func Next(w *program.Workflow, v View, e Event) (Transition, bool) {
	n := &next{w: w, v: v}
	n.t.State = *v.State()
	if !n.apply(e) {
		return Transition{}, false
	}
	for _, path := range n.paths {
		if t := n.tracks[path]; t != nil {
			n.t.Tracks = append(n.t.Tracks, t)
		} else {
			n.t.Gone = append(n.t.Gone, path)
		}
	}
	for _, key := range n.undoKey {
		if u := n.undos[key]; u != nil {
			n.t.Undos = append(n.t.Undos, u)
		} else {
			n.t.UndoGone = append(n.t.UndoGone, key)
		}
	}
	return n.t, true
}

func (n *next) apply(e Event) bool {
	s := &n.t.State
	if _, retry := e.(Retry); s.Status.Terminal() && !retry && !s.Driven() {
		return false
	}
	switch e := e.(type) {
	case Begin:
		n.begin(e)
	case Commanded:
		return n.commanded(e)
	case Resume:
		return n.resume(e.Now)
	case Cancel:
		return n.decide(ByCancel, nil)
	case TimedOut:
		return n.timedOut(e)
	case Terminate:
		return n.terminate()
	case Retry:
		return n.retry()
	case Park:
		return n.park(e.Reason)
	case TimeUp:
		return n.timeUp(e.Path)
	default:
		return n.onTrack(e)
	}
	return true
}

// onTrack applies an event that concerns one track.
func (n *next) onTrack(e Event) bool {
	path, phase := "", Active
	switch e := e.(type) {
	case StepDone:
		path = e.Path
	case StepFailed:
		path = e.Path
	case Suspended:
		path = e.Path
	case Took:
		path = e.Path
	case Entered:
		path = e.Path
	case Woken:
		path, phase = e.Path, Waiting
	}
	t := n.track(path)
	if t == nil || t.Phase != phase {
		return false
	}
	switch e := e.(type) {
	case StepDone:
		n.done(t, e)
	case StepFailed:
		n.failed(t, e)
	case Entered:
		n.enter(t, e)
	case Suspended:
		n.phase(t, Waiting)
		t.Wait, t.Used = &e.Wait, e.Used
	case Took:
		n.take(t, e.Signal)
	case Woken:
		t.Wait = nil
		n.take(t, e.Signal)
		n.activate(t)
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

// track gives the changeable copy of a track, nil if there is none.
func (n *next) track(path string) *Track {
	if path == "" {
		return &n.t.State.Root
	}
	if t, ok := n.tracks[path]; ok {
		return t
	}
	old, ok := n.v.Track(path)
	if !ok {
		return nil
	}
	t := *old
	return n.put(&t)
}

// peek gives a track to look at, nil if there is none.
func (n *next) peek(path string) *Track {
	if path == "" {
		return &n.t.State.Root
	}
	if t, ok := n.tracks[path]; ok {
		return t
	}
	t, _ := n.v.Track(path)
	return t
}

func (n *next) put(t *Track) *Track {
	n.change(t.Path, t)
	return t
}

func (n *next) drop(path string) { n.change(path, nil) }

func (n *next) change(path string, t *Track) {
	if n.tracks == nil {
		n.tracks = map[string]*Track{}
	}
	if _, changed := n.tracks[path]; !changed {
		n.paths = append(n.paths, path)
	}
	n.tracks[path] = t
}

func (n *next) putUndo(u *Undo)     { n.changeUndo(u.Key, u) }
func (n *next) dropUndo(key string) { n.changeUndo(key, nil) }

func (n *next) changeUndo(key string, u *Undo) {
	if n.undos == nil {
		n.undos = map[string]*Undo{}
	}
	if _, changed := n.undos[key]; !changed {
		n.undoKey = append(n.undoKey, key)
	}
	n.undos[key] = u
}

func (n *next) undo(key string) *Undo {
	if u, ok := n.undos[key]; ok {
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
	_, changed := n.undos[key]
	return changed
}

// lastUndo is the row to be undone next of those whose keys begin with the
// prefix: the highest key whose compensation has not failed; nil if there is
// none.
func (n *next) lastUndo(prefix string) *Undo {
	var best *Undo
	for _, key := range n.undoKey {
		u := n.undos[key]
		if u != nil && u.Failure == nil && hasPrefix(key, prefix) && (best == nil || key > best.Key) {
			best = u
		}
	}
	for u := range n.v.Undos(prefix) {
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

func hasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

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

// attempt begins an attempt of the current visit: it sees what is committed now.
func (n *next) attempt(t *Track) {
	t.Shadow, t.Used = nil, 0
	n.activate(t)
}

// elements gives the elements of a block, those of this transition included.
func (n *next) elements(path string) []value.Value {
	for _, e := range n.t.Elements {
		if e.Path == path {
			return e.List
		}
	}
	return n.v.Elements(path)
}

package engine

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// An instance in memory: only while something is under way for it. It stands as
// of the last queued batch, so it may be ahead of the store; nothing of that is
// let out before the commit. It implements flow.View.
type instance struct {
	row
	prog *program.Program
	wf   *program.Workflow

	tracks   map[string]*flow.Track
	paths    sortedKeys[*flow.Track]
	undos    map[string]*flow.Undo
	undoKeys sortedKeys[*flow.Undo]
	elems    map[string][]value.Value // of `parallel for` blocks under way, by the path of their track
	inbox    []*signal                // by number

	attempts map[string]*attempt // under way, by track path
	answers  map[string][]Record // see Engine.answers; nil: not read
	held     int                 // batches on their way
	cutting  int                 // outside calls of cut attempts that have not come back

	queued     []*command      // commands that wait for an atomic step to end
	deleted    bool            // by a batch that is on its way
	resting    bool            // among Engine.resting
	newKeys    []rememberedKey // used, by batches that are on their way
	newWaiters []waiter        // registered, by batches that are on their way
	spawnKey   string          // that it was spawned under, since it was read
	born       *value.Record   // the given fields, if it was spawned since it was read
	tally      *Tally          // see tokens
}

// tokens counts what the calls of the instance use.
func (in *instance) tokens() *Tally {
	if in.tally == nil {
		in.tally = &Tally{}
	}
	in.tally.atLeast(in.spent)
	return in.tally
}

func (in *instance) State() *flow.State { return &in.state }

func (in *instance) Track(path string) (*flow.Track, bool) {
	if path == "" {
		return &in.state.Root, true
	}
	t, ok := in.tracks[path]
	return t, ok
}

func (in *instance) Tracks() iter.Seq[*flow.Track] {
	return func(yield func(*flow.Track) bool) {
		for _, path := range in.paths.sorted(in.tracks, flow.ComparePaths) {
			if t, ok := in.tracks[path]; ok && !yield(t) {
				return
			}
		}
	}
}

func (in *instance) Undos(prefix string) iter.Seq[*flow.Undo] {
	return func(yield func(*flow.Undo) bool) {
		keys := in.undoKeys.sorted(in.undos, strings.Compare)
		end, _ := slices.BinarySearchFunc(keys, prefix, func(key, prefix string) int {
			if strings.HasPrefix(key, prefix) {
				return -1
			}
			return strings.Compare(key, prefix)
		})
		for _, key := range slices.Backward(keys[:end]) {
			if !strings.HasPrefix(key, prefix) {
				return
			}
			if u, ok := in.undos[key]; ok && !yield(u) {
				return
			}
		}
	}
}

// sortedKeys are the keys of a map in order, sorted again only when one has been
// added. Keys of removed entries may linger.
type sortedKeys[V any] struct {
	keys []string
	new  bool // the map has keys that are not among them
}

func (s *sortedKeys[V]) sorted(m map[string]V, order func(a, b string) int) []string {
	if s.new || len(s.keys) > 2*len(m)+16 {
		s.keys = slices.SortedFunc(maps.Keys(m), order)
		s.new = false
	}
	return s.keys
}

func (in *instance) putTrack(t *flow.Track) {
	if _, old := in.tracks[t.Path]; !old {
		in.paths.new = true
	}
	in.tracks[t.Path] = t
}

func (in *instance) putUndo(u *flow.Undo) {
	if _, old := in.undos[u.Key]; !old {
		in.undoKeys.new = true
	}
	in.undos[u.Key] = u
}

// Elements are those of the block that the track is in.
func (in *instance) Elements(path string) []value.Value { return in.elems[path] }

func (in *instance) Undo(key string) (*flow.Undo, bool) {
	u, ok := in.undos[key]
	return u, ok
}

// step is the wire name of the step (or undone step) a track is at.
func (in *instance) step(t *flow.Track) string {
	if t.Undoing != "" {
		if u, ok := in.undos[t.Undoing]; ok {
			return u.Step
		}
		return ""
	}
	if t.Final {
		return flow.FinalPath
	}
	if it := flow.CurrentItem(in.wf, t); it != nil {
		return it.Name()
	}
	return ""
}

// takeSignal finds the oldest signal that one of the names may take.
func (in *instance) takeSignal(names []string) (*signal, int) {
	for _, s := range in.inbox {
		if s.taken {
			continue
		}
		if i := slices.Index(names, s.name); i >= 0 && s.name != "" {
			return s, i
		}
	}
	return nil, -1
}

func inboxKey(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

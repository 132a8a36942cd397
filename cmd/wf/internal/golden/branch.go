package golden

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/wf-lang/wf/lang/program"
)

// A lane is a part of an instance in which things happen one after the other:
// its own sequence of steps, or a branch of a parallel block. Things in
// different lanes of one instance have no order that counts.
type lane struct {
	order string // sorts the lanes of an instance as they were declared; "" is its own sequence
	name  string // for people
}

// laneOf finds the lane of a journal record by its path: "" and "~…" for a step
// and a compensation of the instance itself, "/item.visit:branch" for each block
// around a step.
func laneOf(w *program.Workflow, path, step string) lane {
	if w == nil || path == "" {
		return lane{}
	}
	if key, undo := strings.CutPrefix(path, "~"); undo {
		return undoLane(w, key, step)
	}
	var l lane
	items := w.Items
	for _, level := range strings.Split(path, "/")[1:] {
		var item, visit, branch int
		if n, err := fmt.Sscanf(level, "%d.%d:%d", &item, &visit, &branch); err != nil || n != 3 || item >= len(items) {
			return lane{order: path, name: path}
		}
		block := items[item].Parallel
		if block == nil {
			return lane{order: path, name: path}
		}
		l.order += fmt.Sprintf("/%08d.%08d:%08d", item, visit, branch)
		if l.name != "" {
			l.name += ", "
		}
		b := block.Branches[0]
		if block.For {
			l.name += fmt.Sprintf("element %d", branch)
		} else {
			b = block.Branches[branch]
			l.name += "branch " + b.Name
		}
		if visit > 1 {
			l.name += fmt.Sprintf(" in visit %d", visit)
		}
		items = b.Items
	}
	return l
}

// undoLane is the lane of a compensation. Those of a failing workflow run one
// after the other, across all branches; those of a branch that fails by itself
// in `settle` or `first` run beside the other branches.
func undoLane(w *program.Workflow, key, step string) lane {
	if len(key) <= 4 || !undoneAlone(w.Items, step) {
		return lane{}
	}
	visit, branch := binary.BigEndian.Uint32([]byte(key)), uint32(0)
	if len(key) >= 8 {
		branch = binary.BigEndian.Uint32([]byte(key[4:]))
	}
	return lane{order: fmt.Sprintf("~%08d.%08d", visit, branch), name: fmt.Sprintf("undoing branch %d", branch+1)}
}

// undoneAlone reports whether a step or branch stands in a block whose branches
// may be undone by themselves.
func undoneAlone(items []*program.Item, step string) bool {
	for _, it := range items {
		if it.Parallel == nil {
			continue
		}
		for _, b := range it.Parallel.Branches {
			if it.Parallel.Mode != program.All && (b.Name == step || within(b.Items, step)) || undoneAlone(b.Items, step) {
				return true
			}
		}
	}
	return false
}

// within reports whether a step stands among the items, at any depth.
func within(items []*program.Item, step string) bool {
	for _, it := range items {
		if it.Name() == step {
			return true
		}
		if it.Parallel == nil {
			continue
		}
		for _, b := range it.Parallel.Branches {
			if b.Name == step || within(b.Items, step) {
				return true
			}
		}
	}
	return false
}

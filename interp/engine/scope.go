package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/wf-lang/wf/persist"
)

// scope says which instances this engine drives. All others stay as they are:
// they take signals and commands, but nothing of them runs and their timers wait
// for another driver. It is
// changed on the loop; before Drive, by the caller.
type scope struct {
	mu   sync.RWMutex    // guards the maps: anybody may ask
	left map[uint64]bool // left alone
	only map[uint64]bool // if not nil: nothing but these is driven
	ids  map[string]bool // their ids, to find what they spawn
}

func (s *scope) has(number uint64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return !s.left[number] && (s.only == nil || s.only[number])
}

// born decides about a new instance: it is driven if its parent is.
func (s *scope) born(number uint64, id, parent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.only != nil && s.ids[parent] {
		s.only[number], s.ids[id] = true, true
	}
}

// leave leaves an instance alone.
func (s *scope) leave(number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[number] = true
}

// Drives reports whether this engine drives the instance of a number.
func (e *Engine) Drives(number uint64) bool { return e.scope.has(number) }

// DriveOnly keeps this engine from driving anything but the instance and what it
// has spawned or will spawn, directly or not. Call it before Recover.
func (e *Engine) DriveOnly(ctx context.Context, id string) error {
	root, err := e.store.Lookup(ctx, id)
	if err != nil {
		return err
	}
	if root.Status == statusReady {
		return refuse("conflict", "%s %q is an entity; it runs when it is asked, and there is nothing to drive", root.Workflow, id)
	}
	s := &e.scope
	s.only, s.ids = map[uint64]bool{root.Number: true}, map[string]bool{id: true}
	for r, err := range e.store.List(ctx, persist.Filter{From: root.Number + 1}) {
		if err != nil {
			return fmt.Errorf("drive %q: %w", id, err)
		}
		_, parent, err := originOf(r)
		if err != nil {
			return fmt.Errorf("drive %q: %w", id, err)
		}
		s.born(r.Number, r.ID, parent)
	}
	if err := e.readOwnTimers(ctx); err != nil {
		return fmt.Errorf("drive %q: %w", id, err)
	}
	return e.refreshTimers(ctx)
}

package engine

import (
	"context"
	"sync"
)

// A Tally counts the tokens that the calls of one instance use, also while some of
// them are under way side by side. The zero Tally has counted nothing.
type Tally struct {
	mu    sync.Mutex
	used  uint64
	held  uint64        // the most that calls under way are thought to use
	calls int           // under way
	freed chan struct{} // closed when one has come back; nil: nobody waits
}

// Used is what calls that have come back have used.
func (t *Tally) Used() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.used
}

// atLeast makes Used no less than what the instance's row says.
func (t *Tally) atLeast(n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.used = max(t.used, n)
}

// Hold begins a call that is thought to use at most so many tokens. If it does not
// fit into the budget beside what is used and what calls under way may use, it
// waits for those; alone it always fits. within is false if the budget is used up,
// a budget of 0 is none. Free ends the call.
func (t *Tally) Hold(ctx context.Context, most, budget uint64) (within bool, err error) {
	for {
		t.mu.Lock()
		switch {
		case budget > 0 && t.used >= budget:
			t.mu.Unlock()
			return false, nil
		case budget == 0, t.calls == 0, t.held <= budget-t.used && most <= budget-t.used-t.held:
			t.held += most
			t.calls++
			t.mu.Unlock()
			return true, nil
		}
		if t.freed == nil {
			t.freed = make(chan struct{})
		}
		freed := t.freed
		t.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// Free ends a call that Hold has begun and that has used so many tokens.
func (t *Tally) Free(most, used uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held -= most
	t.used += used
	t.calls--
	if t.freed != nil {
		close(t.freed)
		t.freed = nil
	}
}

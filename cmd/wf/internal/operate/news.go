package operate

import "sync"

// News lets any number of readers wait until something has come. The zero value
// is ready.
type News struct {
	mu   sync.Mutex
	come chan struct{} // closed when something comes; nil if nobody waits; guarded by mu
}

// Next gives a channel that is closed when Tell is called next.
func (n *News) Next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.come == nil {
		n.come = make(chan struct{})
	}
	return n.come
}

// Tell wakes everybody who waits. It never blocks.
func (n *News) Tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.come != nil {
		close(n.come)
		n.come = nil
	}
}

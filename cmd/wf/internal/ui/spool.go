package ui

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A Spool writes lines in a goroutine of its own: whoever has something to say
// never waits for somebody to read it. When too much is waiting lines are left
// out, and how many is said. Its methods may be called from anywhere.
type Spool struct {
	w     io.Writer
	limit int
	done  chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex // guards what follows
	some    sync.Cond
	text    []byte
	left    int // lines left out behind text
	closing bool
}

// NewSpool gives a Spool that keeps at most about limit bytes.
func NewSpool(w io.Writer, limit int) *Spool {
	s := &Spool{w: w, limit: limit, done: make(chan struct{})}
	s.some.L = &s.mu
	go s.run()
	return s
}

// Say writes a line, some time.
func (s *Spool) Say(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return
	}
	if len(s.text)+len(line) >= s.limit || s.left > 0 {
		s.left++
		return
	}
	s.text = append(append(s.text, line...), '\n')
	s.some.Signal()
}

func (s *Spool) run() {
	defer close(s.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.text) == 0 && !s.closing {
			s.some.Wait()
		}
		if len(s.text) == 0 {
			return
		}
		text := s.text
		if s.left > 0 {
			text = fmt.Appendf(text, "… and %d more lines, which nobody was there to read\n", s.left)
		}
		s.text, s.left = nil, 0
		s.mu.Unlock()
		_, err := s.w.Write(text)
		s.mu.Lock()
		if err != nil {
			s.closing = true // nobody will ever read it
			return
		}
	}
}

// Close writes what is left, unless that takes longer than the time given.
func (s *Spool) Close(within time.Duration) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.some.Signal()
	select {
	case <-s.done:
	case <-time.After(within):
	}
}

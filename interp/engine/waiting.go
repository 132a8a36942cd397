package engine

import (
	"fmt"
	"time"

	"github.com/wf-lang/wf/interp/flow"
)

// A Waiting is one thing that an instance waits for.
type Waiting struct {
	Kind    WaitingKind
	Step    string
	For     string   // in words: "signal approve", "timer", "end of Order-1", "attempt 2", "resume"
	Until   int64    // Unix nanoseconds, 0 if there is no deadline
	Signals []string // WaitsForSignal: any of these
	// Payload is what the first of Signals carries, if that is declared: a
	// literal with types in < > where values belong, else "".
	Payload string
}

// WaitingKind says what would end a wait.
type WaitingKind uint8

// The kinds of waits.
const (
	WaitsForSignal WaitingKind = iota
	WaitsForTimer
	WaitsForEnd    // of another instance
	WaitsForRetry  // the next attempt, after one that failed
	WaitsForResume // somebody has to resume it
)

// String says it in one line.
func (w Waiting) String() string {
	s := w.For
	if w.Until != 0 {
		s += " until " + time.Unix(0, w.Until).UTC().Format(time.RFC3339)
	}
	return s
}

// waits lists what the instance waits for.
func (in *instance) waits() []Waiting {
	s := &in.state
	if s.Status.Terminal() {
		return nil
	}
	if s.Status == flow.Paused {
		w := Waiting{Kind: WaitsForResume, Step: in.currentStep(), For: "resume"}
		if s.Pause.Reason != "" {
			w.For += " (" + s.Pause.Reason + ")"
		}
		w.Until = s.Pause.Until
		return []Waiting{w}
	}
	var out []Waiting
	add := func(t *flow.Track) {
		switch t.Phase {
		case flow.Waiting:
			w := waitingOf(in.step(t), t.Wait, deadline(s, t))
			if w.Kind == WaitsForSignal {
				w.Payload = skeleton(in.wf.Signal(w.Signals[0]))
			}
			out = append(out, w)
		case flow.Backoff:
			out = append(out, Waiting{Kind: WaitsForRetry, Step: in.step(t), For: fmt.Sprintf("attempt %d", t.Attempt), Until: t.Retry})
		}
	}
	add(&s.Root)
	for t := range in.Tracks() {
		add(t)
	}
	return out
}

func waitingOf(step string, w *flow.Wait, until int64) Waiting {
	out := Waiting{Kind: WaitsForTimer, Step: step, For: waitWords(w), Until: until, Signals: w.SignalNames()}
	switch {
	case w.Kind == flow.WaitEnd:
		out.Kind = WaitsForEnd
	case len(out.Signals) > 0:
		out.Kind = WaitsForSignal
	}
	return out
}

package flow

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
	ByTimeout   // the workflow's own timeout has passed
	ByTerminate // stopped at once: nothing is undone
)

// String is the ending as lifecycle says it, "" while there is none.
func (e Ending) String() string {
	return [...]string{"", "failure", "end", "cancel", "timeout", "terminate"}[e]
}

// FinalStatus is the status that the decided ending leads to.
func FinalStatus(s *State) Status { return s.Ending.status() }

// status is the status that an ending leads to.
func (e Ending) status() Status {
	switch e {
	case ByEnd:
		return Completed
	case ByCancel, ByTerminate:
		return Cancelled
	}
	return Failed
}

// CompensationStatus sums a Compensation up.
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
	Broken               // the sequence failed, or was cut, and is settled
	ToUndo               // a branch failed or lost in `settle` or `first`, and waits to be undone
	Undoing              // and is being undone
)

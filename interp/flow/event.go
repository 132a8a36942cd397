package flow

import "github.com/wf-lang/wf/lang/value"

// An Event is what has happened to an instance.
type Event interface{ event() }

type (
	// Begin starts an instance whose fields are set. Limit is the workflow's
	// timeout in nanoseconds, 0 for none, and Now the time.
	Begin struct {
		Limit int64
		Now   int64
	}
	// StepDone: the attempt on the track ended as Outcome says.
	StepDone struct {
		Path string
		Effect
	}
	// StepFailed: the attempt on the track ended in a fault. Again says that
	// its policy allows one more attempt, at the instant RetryAt (0: at once).
	StepFailed struct {
		Path    string
		Failure Failure
		Again   bool
		RetryAt int64
	}
	// Entered: the head of the block that the track is at has been computed.
	Entered struct {
		Path     string
		Elements []value.Value // of a `for`
		Need     int           // of a `first`
		Max      int           // of a `for`; 0: no bound
	}
	// Suspended: the attempt on the track waits.
	Suspended struct {
		Path string
		Wait Wait
		Used int64 // nanoseconds that it was driven so far
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
	// TimedOut: the workflow's timeout has passed.
	TimedOut struct{ Now int64 }
	// Commanded: a command was accepted.
	Commanded struct {
		Effect
		Now int64
	}
	// Resume: somebody ends a pause.
	Resume struct{ Now int64 }
	// Cancel: somebody cancels the instance.
	Cancel struct{}
	// Terminate: somebody stops the instance at once.
	Terminate struct{}
	// Retry: somebody wants failed compensations, or what was parked, to be
	// tried anew.
	Retry struct{}
	// Park: the engine pauses the instance because something about it is
	// wrong; Resume lets its attempts go on. One that has ended gives up the
	// compensations that run again; Retry tries them once more.
	Park struct{ Reason string }
)

// An Effect is what a body that completed does to its instance.
type Effect struct {
	Writes []Field
	Value  value.Value
	How    How
	Item   int         // Goto: target; Pausing: target after the time, -1 for none
	Input  value.Value // Goto, Pausing
	Reason string      // Pausing
	Until  int64       // Pausing: Unix nanoseconds, 0 if none
	Cause  *Failure    // Decided
}

func (Begin) event()      {}
func (StepDone) event()   {}
func (StepFailed) event() {}
func (Entered) event()    {}
func (Suspended) event()  {}
func (Woken) event()      {}
func (Took) event()       {}
func (TimeUp) event()     {}
func (TimedOut) event()   {}
func (Commanded) event()  {}
func (Resume) event()     {}
func (Cancel) event()     {}
func (Terminate) event()  {}
func (Retry) event()      {}
func (Park) event()       {}

// How says with which ending a body completed.
type How uint8

// The ways a body completes. A command that falls through transitions nothing.
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
	Elements []Elements // new; List is nil for those of a block that is through
	Consumed []uint64   // signals that are used up
	Returned []uint64   // signals that go back to their places
	Commands []Command
}

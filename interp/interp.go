// Package interp evaluates bodies: steps, compensations, handlers, functions.
//
// The evaluator is pure. It knows no clock, no goroutine, no store; everything
// that is not computation goes through one door, Host.Do. What a body assigns
// and emits is collected in an Outcome and has not happened yet: the engine
// makes it true in the transition that ends the step. The same call over the
// same answers gives the same outcome, which is what lets a crashed or sleeping
// step be run again over the answers it already had.
package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A Host answers requests. An error is a *Fault (which a script may catch
// unless it is Final) or anything else, which unwinds the evaluation and comes
// out of Run as it is: that is how a step that waits is put away.
type Host interface {
	Do(Request) (value.Value, error)
}

// RequestKind tells requests apart.
type RequestKind uint8

// The kinds of requests.
const (
	Perform RequestKind = iota // Op, Args, Once
	Spawn                      // Name (workflow), ID (if HasID), Args[0] the record of fields
	Ask                        // Target, Name, Args, ArgNames
	Await                      // Target, Deadline (a Duration) if HasDeadline
	Signal                     // Target, Name, Args[0] the payload (nil if none)
	Select                     // Arms; the answer is a tuple (index of the arm, payload)
)

// String is the word of the language for the kind.
func (k RequestKind) String() string {
	return [...]string{"perform", "spawn", "ask", "await", "signal", "select"}[k]
}

// A Request is something the evaluator wants from outside of itself.
type Request struct {
	Kind        RequestKind
	Span        source.Span
	Op          *program.Builtin
	Once        bool
	Name        string
	ID          string
	HasID       bool
	Target      value.Handle
	Args        []value.Value // of a Perform by parameter (defaults filled in), then the rest
	ArgNames    []string      // of an Ask: names of named arguments, nil if there are none
	Deadline    value.Value
	HasDeadline bool
	Arms        []Arm
}

// An Arm of a select: a signal's name, or a deadline (a Duration or a Time).
type Arm struct {
	Signal   string
	Deadline value.Value // Nil for a signal
}

// A Fault is an error of a script: thrown, or a bad operation, or an effect
// that failed.
type Fault struct {
	Code    string
	Message string
	Span    source.Span
	Stack   []Frame
	Detail  value.Value
	Step    string // set by the engine when it is known
	Index   int64  // element of a `parallel for`; -1 if none
	Final   bool   // no script may catch it: limits, the step's timeout
}

func (f *Fault) Error() string { return f.Message }

// A Frame is a call under way when a fault happened.
type Frame struct {
	Name string
	Span source.Span // of the call
}

// A Write sets a state field.
type Write struct {
	Field int
	Value value.Value
}

// An Event was emitted. Names has the declared names of its arguments, if any.
type Event struct {
	Name  string
	Names []string
	Args  []value.Value
}

// EndingKind says how a body ended.
type EndingKind uint8

// The endings of language: FellThrough is also what `return` gives.
const (
	FellThrough EndingKind = iota
	Goto
	Pause
	End
	Failed   // `fail`: a decision
	Deleted  // `delete`
	Replied  // a command's `reply`
	Rejected // a command's or init's `reject`: no writes, no events
)

// Ending is how a body ended, with what belongs to it.
type Ending struct {
	Kind     EndingKind
	Item     int         // Goto: the target; Pause: the target after the time, -1 for the next item
	Input    value.Value // Goto, Pause: the target's input
	HasInput bool
	Reason   string      // Pause
	Until    value.Value // Pause: a Duration (for), a Time (until), or Nil
	Fault    *Fault      // Failed, Rejected: code and message
	Reply    value.Value
	HasReply bool
}

// An Outcome is what a body would do. Nothing of it has happened.
type Outcome struct {
	Result value.Value
	Ending Ending
	Writes []Write // at most one for a field, in order of first assignment
	Events []Event
}

// Self is what a body sees of its instance.
type Self struct {
	Workflow  *program.Workflow
	Fields    []value.Value // by slot; Nil if unset
	ID        string
	Step      string
	StepIndex int
	Failure   value.Value
}

// Limits bound one run. Zero values mean the defaults.
type Limits struct {
	Fuel   int64        // evaluations between effects (256 bytes copied count as one); default 10,000,000
	Depth  int          // calls within calls; default 1,000
	Memory int64        // bytes of values held at once, roughly; default 64 MiB
	Tick   func() error // called every 256 evaluations; its error unwinds the run
}

// A Call is one body to run. Fn's parameters get Args in order (missing ones
// are nil).
type Call struct {
	Fn     *program.Func
	Args   []value.Value
	Self   *Self // nil for a function that may not read it
	Limits Limits
	// Program finds functions that a value names, Builtin pure builtins
	// ("List.map"); both may be nil if no value can name one.
	Program *program.Program
	Builtin func(name string) *program.Builtin
}

package engine

import (
	"context"
	"io"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A Clock tells the time in Unix nanoseconds. It may jump; the engine's own
// time never runs backward.
type Clock interface{ Now() int64 }

// A Caller makes the calls to the world outside: everything that `perform` asks
// for and the engine does not know itself. Call may take its time and must
// return soon after ctx is done. An error that is an *interp.Fault is the
// script's to catch.
type Caller interface {
	Call(ctx context.Context, c Call) (value.Value, error)
}

// A Call is one request to the world outside. Key is its idempotency key: equal
// for every repetition of the same request until an error has settled it (Settles).
type Call struct {
	Op       *program.Builtin
	Args     []value.Value
	Key      string
	Instance string
	// Attempt is the number of the attempt that makes the call, from 1. The same
	// key again in the same attempt is a repetition after a crash.
	Attempt int
	At      source.Span   // where the script makes it
	Once    bool          // it must not be made a second time, by no layer below either
	Limit   time.Duration // what is left of the step's time, 0: it has no bound; ctx ends then
	Tokens  *Tally        // what the calls of the instance use, those under way too
	Usage   *Usage        // for the caller to fill in before it returns, also with an error
}

// Usage is what a call has cost: the journal keeps it with the answer, and the
// instance's row the sum of all tokens, those of dropped answers too.
type Usage struct {
	Tokens uint64
	Took   time.Duration
}

// A Picker decides what happens next in a Serial engine: a number below n, n > 0.
type Picker interface{ Pick(n int) int }

// Config is what an engine is made of. Store, Builtins and Clock are required.
type Config struct {
	Store    persist.Store
	Builtins []*program.Builtin
	Clock    Clock
	Seed     func() uint64 // chance of new instances; required
	Caller   Caller        // nil: there is no world outside
	Output   io.Writer     // where IO.print shows; nil: nowhere. A goroutine of its own writes, unless Serial
	Log      func(Logged)  // where Log.info and its like show; nil: nowhere. Called like Output
	Trace    func(Trace)   // called after each commit, in order; nil: no
	// TraceWords has every Trace say in words what happened, not only those of
	// instances that pause or end: words take their time.
	TraceWords bool
	Limits     interp.Limits
	Workers    int    // bodies computed at once; default 2
	Serial     bool   // stepped by its owner, see Step
	Picker     Picker // for Serial; nil: the oldest job first, commits last
	Passive    bool   // commits and answers, but does not drive
	// Room is told, on the loop, when the store is found full (false) and when
	// there is room again (true). nil: a full store stops the engine, as any other
	// error does.
	Room func(bool)
	// Quiet is told, on the loop, when nothing can move soon without somebody
	// outside, and something is unfinished; nil: no. It must not wait.
	Quiet func()
	// Ran is told of every body that is about to be computed (again, after a
	// wait): of a step, compensation, handler, init or finally. It may be called
	// by several goroutines at once; nil: no.
	Ran func(*program.Func)
}

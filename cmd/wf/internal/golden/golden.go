// Package golden runs a script by itself and writes down what came of it: its
// transcript, which can be kept beside the script and compared with the next
// run's.
//
// A run has a fresh store in memory and a virtual clock that begins at
// 2030-01-01T00:00:00Z. Timers fire as soon as nothing else can move, so a month
// of waiting takes no time. There is no world outside: a script that calls one
// fails the run. So the same script gives the same transcript everywhere, and
// also when the process dies in the middle of it, which Crash tries out at every
// single write of the store.
package golden

import (
	"context"
	"fmt"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// Options say how a script is run. The zero value is good.
type Options struct {
	// Builtins are the operations that scripts may use; nil: the standard library.
	Builtins []*program.Builtin
	// MaxWork bounds how often a run is stepped, so that a script that never
	// comes to rest gives an error; 0: a million.
	MaxWork int
	// Timeout bounds the real time of one run; 0: none.
	Timeout time.Duration
	// Ran is told of every body that runs, Look may look at the engine when a
	// run is over; both may be nil.
	Ran  func(*program.Func)
	Look func(*engine.Engine) error
	// Wrap is put before the store; nil: nothing. Tests of this project have it
	// falsify what is written.
	Wrap func(persist.Store) persist.Store
}

func (o Options) withDefaults() Options {
	if o.Builtins == nil {
		o.Builtins = stdlib.Table()
	}
	if o.MaxWork == 0 {
		o.MaxWork = 1_000_000
	}
	return o
}

// A Script is a program that has passed the checks, and how it is to be run.
type Script struct {
	prog *program.Program
	opts Options
	stop stopAfter
}

// New makes a script of a program, the first file of which is the script itself.
// The error says what is wrong with its first line.
func New(prog *program.Program, opts Options) (*Script, error) {
	stop, err := readDirective(prog.Files.Files[0])
	if err != nil {
		return nil, err
	}
	return &Script{prog: prog, opts: opts.withDefaults(), stop: stop}, nil
}

// Run runs the script to its end and gives the transcript. A run ends when main
// has ended and nothing can move without a signal, a command, or a timer that is
// due more than 366 days after main ended; `// golden: stop after 30d` on the
// script's first line sets another time. It also ends when main waits for what
// will never come, and the transcript says for what.
//
// The error is an *OutsideError if the script called the world outside, a
// *RestlessError if it does not come to rest, a *lab.TimeoutError if it takes
// too long, and the cause of ctx when that has ended.
func (s *Script) Run(ctx context.Context) (Transcript, error) {
	r, err := s.run(ctx, nil)
	return r.transcript, err
}

// Crash runs the script once, and then again with a crash before and a crash
// after every single write to the store: the process dies, another one takes up
// what is there and goes on. Every run must come to the same transcript, where
// the order of output between instances, and between branches, does not count.
// It gives the number of crashes tried. The error is a *CrashError if a run came
// to something else, else one of those of Run.
func (s *Script) Crash(ctx context.Context) (points int, err error) {
	whole, err := s.run(ctx, nil)
	if err != nil {
		return 0, err
	}
	for n := 1; n <= whole.writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			if err := s.crashAt(ctx, n, fault, &whole.transcript); err != nil {
				return points, err
			}
			points++
		}
	}
	return points, nil
}

// crashAt runs the script with one crash and compares.
func (s *Script) crashAt(ctx context.Context, n int, fault persist.Fault, want *Transcript) error {
	r, err := s.run(ctx, persist.FaultAt(n, fault))
	if err != nil {
		return fmt.Errorf("crash %s write %d: %w", moment(fault), n, err)
	}
	if r.crashes != 1 {
		return fmt.Errorf("crash %s write %d: the run crashed %d times", moment(fault), n, r.crashes)
	}
	if diff := Diff(want.Canonical(), r.transcript.Canonical()); diff != "" {
		return &CrashError{Write: n, After: fault == persist.CrashAfter, Diff: diff}
	}
	if line, ok := r.transcript.unseen(); ok {
		return &CrashError{Write: n, After: fault == persist.CrashAfter, Diff: fmt.Sprintf("never shown: %q\n", line)}
	}
	return nil
}

func moment(f persist.Fault) string {
	if f == persist.CrashAfter {
		return "after"
	}
	return "before"
}

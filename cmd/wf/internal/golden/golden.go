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
	"fmt"
	"math"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
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

// Run runs a script to its end and gives the transcript. The first file of the
// set is the script itself. A run ends when main has ended and nothing can move
// without a signal, a command, or a timer that is due more than 366 days after
// main ended; `// golden: stop after 30d` on the script's first line sets another
// time. It also ends when main waits for what will never come, and the
// transcript says for what.
//
// The error is a *SourceError if the script does not pass the checks, an
// *OutsideError if it called the world outside, a *RestlessError if it does not
// come to rest.
func Run(set *source.Set, opts Options) (Transcript, error) {
	s, err := load(set, opts.withDefaults())
	if err != nil {
		return Transcript{}, err
	}
	r, err := s.run(nil)
	return r.transcript, err
}

// Crash runs a script once, and then again with a crash before and a crash after
// every single write to the store: the process dies, another one takes up what
// is there and goes on. Every run must come to the same transcript, where the
// order of output between instances, and between branches, does not count. It
// gives the number of crashes tried. The error is a *CrashError if a run came to
// something else, else one of those of Run.
func Crash(set *source.Set, opts Options) (points int, err error) {
	s, err := load(set, opts.withDefaults())
	if err != nil {
		return 0, err
	}
	whole, err := s.run(nil)
	if err != nil {
		return 0, err
	}
	for n := 1; n <= whole.writes; n++ {
		for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			if err := s.crashAt(n, fault, &whole.transcript); err != nil {
				return points, err
			}
			points++
		}
	}
	return points, nil
}

// crashAt runs the script with one crash and compares.
func (s *script) crashAt(n int, fault persist.Fault, want *Transcript) error {
	r, err := s.run(func(i int, _ []persist.Batch) persist.Fault {
		if i == n {
			return fault
		}
		return persist.NoFault
	})
	if err != nil {
		return fmt.Errorf("crash %s write %d: %w", moment(fault), n, err)
	}
	if r.crashes != 1 {
		return fmt.Errorf("crash %s write %d: the run crashed %d times", moment(fault), n, r.crashes)
	}
	if diff := Diff(want.canonical(), r.transcript.canonical()); diff != "" {
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

// A script is a program that has passed the checks, and how it is to be run.
type script struct {
	prog *program.Program
	opts Options
	stop stopAfter
}

func load(set *source.Set, opts Options) (*script, error) {
	if len(set.Files) == 0 || len(set.Files) > math.MaxUint16 {
		return nil, fmt.Errorf("a program of %d files cannot be run", len(set.Files))
	}
	stop, err := readDirective(set.Files[0])
	if err != nil {
		return nil, err
	}
	prog, ds := engine.Compile(set, opts.Builtins)
	if prog == nil {
		return nil, &SourceError{Set: set, Diagnostics: ds}
	}
	return &script{prog: prog, opts: opts, stop: stop}, nil
}

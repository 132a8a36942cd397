// Package sim_test is a simulation of the engine: random programs on an engine
// that is stepped in one goroutine, under a virtual clock, with random requests
// from outside, crashes and errors of the store. All of a run follows from its
// seed.
package sim_test

import (
	"flag"
	"runtime"
	"strings"
	"testing"
	"time"
)

var (
	simSeed  = flag.Uint64("sim.seed", 0, "the only seed that is simulated; 0: many")
	simSeeds = flag.Int("sim.seeds", 120, "how many seeds are simulated")
	simFirst = flag.Uint64("sim.first", 1, "the first of them")
	simTrace = flag.Bool("sim.trace", false, "show the program of the seed and what happens")
)

// enough seeds have failed when it is known that something is wrong.
const enough = 3

// TestSimulation plays many seeds. One that fails is played alone with
// -sim.seed=N, with -sim.trace to see everything.
func TestSimulation(t *testing.T) {
	first, n := *simFirst, uint64(*simSeeds)
	if *simSeed != 0 {
		first, n = *simSeed, 1
	}
	if testing.Short() {
		n = min(n, 30)
	}
	begun := time.Now()
	routines := runtime.NumGoroutine()
	failed := 0
	for seed := first; seed < first+n && failed < enough; seed++ {
		r := simulate(seed)
		if *simTrace {
			t.Logf("seed %d:\n%s\n%s", seed, r.design.text, r.trace.String())
		}
		if len(r.wrong) > 0 {
			failed++
			t.Errorf("seed %d (play it alone with -args -sim.seed=%d -sim.trace):\n%s", seed, seed, strings.Join(r.wrong, "\n"))
			continue
		}
		if seed%10 == 0 || n == 1 {
			if again := simulate(seed); again.sum() != r.sum() {
				t.Errorf("seed %d has come to something else the second time", seed)
			}
		}
	}
	if left := runtime.NumGoroutine() - routines; left > 0 {
		t.Errorf("%d goroutines are left", left)
	}
	t.Logf("%d seeds in %s", n, time.Since(begun).Round(time.Millisecond))
}

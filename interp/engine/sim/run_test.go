package sim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/persist"
)

// A run is one simulation: a random program on an engine that is stepped in one
// goroutine, and what is done to it. All of it follows from the seed.
type run struct {
	*rand.Rand
	design *design
	prog   *program.Program
	disk   *persist.Disk
	clock  wall
	world  *world
	out    output
	trace  bytes.Buffer // everything that happens, for a comparison

	store *persist.Faulty
	e     *engine.Engine
	fault persist.Fault // of the write that is `in` writes ahead
	in    int
	full  int // so many writes find no room
	calm  bool

	ledger ledger
	known  map[string]int // how long the lists of boxes are, by what was told after commits
	lazy   int            // see picker
	tags   int            // given to requests from outside so far
	wrong  []string
}

// wall is the machine's clock: it moves as it is told to, back too.
type wall struct{ now int64 }

func (c *wall) Now() int64 { return c.now }

// picker decides what the engine does next. It may be slow to commit, which is
// the last choice: then more is on its way to the store at a time.
type picker struct {
	*rand.Rand
	lazy int // percent
}

// Pick gives a number below n.
func (p picker) Pick(n int) int {
	if n > 1 && p.IntN(100) < p.lazy {
		n--
	}
	return p.IntN(n)
}

func newRun(seed uint64) *run {
	r := &run{Rand: rand.New(rand.NewPCG(seed, 1)), world: newWorld(seed), clock: wall{time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()}}
	r.disk = persist.NewDiskAs("sim", time.Unix(0, r.clock.now))
	r.design = newDesign(r.Rand)
	r.lazy = pick(r.Rand, []int{0, 50, 90})
	r.out.r = r
	r.ledger.init()
	set := &source.Set{}
	set.Add(source.NewFile("sim.wf", r.design.text))
	prog, ds := engine.Compile(set, builtins)
	if prog == nil {
		for _, d := range ds {
			r.complain("%v %s %s", set.Position(d.Span), d.Code, d.Message)
		}
	}
	r.prog = prog
	return r
}

// complain notes that something is wrong.
func (r *run) complain(format string, args ...any) {
	if len(r.wrong) < 20 {
		r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
	}
}

func (r *run) note(format string, args ...any) { fmt.Fprintf(&r.trace, format+"\n", args...) }

// sum identifies all that has happened.
func (r *run) sum() uint64 {
	h := fnv.New64a()
	h.Write(r.trace.Bytes())
	h.Write(r.out.Bytes())
	return h.Sum64()
}

// simulate plays a seed to its end and gives what is wrong.
func simulate(seed uint64) *run {
	r := newRun(seed)
	if r.prog == nil {
		return r
	}
	r.open()
	for moves := 40 + r.IntN(80); moves > 0 && len(r.wrong) == 0; moves-- {
		r.move()
	}
	r.rest()
	r.verify()
	if r.e != nil {
		if err := r.e.Close(); err != nil {
			r.complain("close: %v", err)
		}
	}
	return r
}

// open starts an engine over the disk, for as often as it dies at once.
func (r *run) open() {
	for range 50 {
		if err := r.tryOpen(); err == nil {
			r.known = map[string]int{}
			for _, box := range boxes {
				r.known["Box/"+box] = len(r.look("Box/"+box, "all"))
			}
			return
		} else if !lost(err) {
			r.complain("open: %v", err)
			return
		}
		r.bury()
	}
	r.complain("no engine comes up")
}

func (r *run) tryOpen() error {
	disk, err := r.disk.Open()
	if err != nil {
		return err
	}
	r.store = persist.NewFaulty(disk, func(int, []persist.Batch) persist.Fault { return r.nextFault() })
	ctx := context.Background()
	r.e, err = engine.Open(ctx, engine.Config{Store: r.store, Builtins: builtins, Clock: &r.clock, Seed: r.Uint64, Caller: r.world,
		Output: &r.out, Serial: true, Picker: picker{r.Rand, r.lazy}, TraceWords: true, Trace: r.told,
		Room: func(room bool) { r.note("room %t", room) }})
	if err != nil {
		return err
	}
	run, err := r.e.FindMain(ctx, r.prog)
	if err != nil {
		return err
	}
	if _, err = r.e.Recover(ctx); err == nil && run.ID == "" && !r.hasMain() {
		_, err = r.e.RunMain(ctx, r.prog)
	}
	if fatal := r.e.Err(); fatal != nil {
		err = fatal
	}
	if errors.Is(err, persist.ErrFull) {
		err = nil // there will be room for it later
	}
	return err
}

func (r *run) hasMain() bool {
	_, err := r.e.Show(context.Background(), "main-1")
	return err == nil
}

// lost reports whether an error is one of those that end an engine here.
func lost(err error) bool {
	return errors.Is(err, persist.ErrCrash) || errors.Is(err, persist.ErrRefused)
}

// nextFault is what happens to the next write.
func (r *run) nextFault() persist.Fault {
	if r.full > 0 {
		r.full--
		return persist.Full
	}
	if r.in--; r.in == 0 {
		r.note("%v", r.fault)
		return r.fault
	}
	return persist.NoFault
}

// bury ends an engine that has died, or kills it.
func (r *run) bury() {
	r.store.Crash()
	if r.e != nil {
		if err := r.e.Close(); err != nil && !lost(err) && !errors.Is(err, engine.ErrUnknown) {
			r.complain("close the crashed engine: %v", err)
		}
	}
	r.disk.Crash()
	r.e = nil
	r.note("crash at %s", time.Unix(0, r.clock.now).UTC().Format("02T15:04:05.000"))
}

// alive replaces an engine that has died.
func (r *run) alive() {
	if err := r.e.Err(); err != nil {
		if !lost(err) {
			r.complain("the engine has stopped: %v", err)
		}
		r.bury()
		r.open()
	}
}

// told is called after a commit, with what it made true.
func (r *run) told(t engine.Trace) {
	r.note("%s %s %s", time.Unix(0, t.Time).UTC().Format("02T15:04:05.000"), t.Instance, t.Text)
	if strings.HasPrefix(t.Text, "accepts add(") {
		r.known[t.Instance]++
	}
	if _, why, parked := strings.Cut(t.Text, "is parked: "); parked && why != wanted && !strings.HasPrefix(why, "the process has died") {
		r.complain("%s %s", t.Instance, t.Text)
	}
}

// step lets the engine do one thing.
func (r *run) step() bool {
	moved := r.e.Step()
	r.alive()
	if r.chance(3) {
		r.lookLive("Box/" + pick(r.Rand, boxes))
	}
	return moved
}

// settle steps until nothing moves without the clock.
func (r *run) settle() {
	for i := 0; r.step(); i++ {
		if i == 100_000 {
			r.complain("the engine does not come to rest")
			return
		}
	}
}

// nextTimer moves the clock to the next timer; it reports whether there is one.
func (r *run) nextTimer() bool {
	at, ok := r.e.NextTimer()
	r.alive()
	if !ok {
		return false
	}
	for r.e.Now() < at { // after a step back of the clock it takes longer
		r.clock.now += at - r.e.Now()
	}
	return true
}

// output is where scripts print. What is shown has to be durable already.
type output struct {
	bytes.Buffer
	r *run
}

// Write takes lines.
func (o *output) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		id, _, _ := strings.Cut(strings.TrimPrefix(line, "P "), "|")
		if id == "main" {
			id = "main-1"
		}
		recorded := o.r.ledger.deleted[id]
		err := o.r.e.History(context.Background(), id, func(rec *engine.Record) bool {
			recorded = recorded || rec.Print && rec.Value.Text() == line
			return !recorded
		})
		if !recorded && !errors.Is(err, persist.ErrCrash) {
			o.r.complain("%q is shown and is not recorded: %v", line, err)
		}
	}
	return o.Buffer.Write(b)
}

// move does one thing to the run.
func (r *run) move() {
	switch n := r.IntN(100); {
	case n < 30:
		for range 1 + r.IntN(25) {
			r.step()
		}
	case n < 42:
		r.settle()
	case n < 54:
		r.nextTimer()
	case n < 58:
		d := []time.Duration{time.Second, time.Minute, time.Hour, 30 * time.Hour}[r.IntN(4)]
		r.clock.now += r.Int64N(int64(d))
	case n < 60:
		r.clock.now -= r.Int64N(int64(2 * time.Hour))
	case n < 63:
		r.bury()
		r.open()
	case n < 68:
		r.fault = []persist.Fault{persist.CrashBefore, persist.CrashAfter, persist.Refuse, persist.Unknown}[r.IntN(4)]
		r.in = 1 + r.IntN(8)
	case n < 69:
		r.full = 1 + r.IntN(4)
	case n < 78:
		r.observe()
	default:
		r.act()
	}
}

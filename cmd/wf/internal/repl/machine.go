package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/console"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// MachineConfig is what a Machine is made of. Store, Builtins and Seed are
// required.
type MachineConfig struct {
	Store    persist.Store
	Dir      string // of a store on disk, for other commands to reach it; "" otherwise
	Virtual  bool   // the clock moves only when it is told to, or when a line waits
	Builtins []*program.Builtin
	Caller   engine.Caller // nil: there is no world outside
	Output   io.Writer     // where instances print
	Log      func(engine.Logged)
	Notice   func(engine.Trace)
	Seed     func() uint64
}

// A Machine is an engine that can be thrown away and made anew over its store.
// It belongs to one goroutine.
//
// With the real clock the engine drives itself in the background, and its store
// is served to other commands. Under a virtual clock it is stepped, by Settle and
// while a line waits.
type Machine struct {
	cfg    MachineConfig
	clock  *virtual // nil: the real one
	store  *persist.Faulty
	engine *engine.Engine
	wait   console.Wait
	news   operate.News

	// Of an engine that drives itself:
	driving context.Context // ends when it does
	stop    context.CancelCauseFunc
	ended   chan struct{}
	server  *operate.Server
}

// virtual is a clock that moves when it is told to.
type virtual struct{ now int64 }

// Now is the time in Unix nanoseconds.
func (c *virtual) Now() int64 { return c.now }

// virtualStart is where a virtual clock begins.
func virtualStart() int64 { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() }

// A Start is what a machine found in its store.
type Start struct {
	Taken     []engine.Summary // unfinished instances that it goes on with
	LeftAlone []engine.Summary // unfinished runs of programs
}

// errLeft ends the engine's loop when the machine is closed.
var errLeft = errors.New("the session has ended")

// NewMachine starts an engine over a store and takes up what is unfinished in it.
// The runs of programs are left alone: they belong to wf run.
func NewMachine(ctx context.Context, cfg MachineConfig) (*Machine, Start, error) {
	m := &Machine{cfg: cfg}
	if cfg.Virtual {
		m.clock = &virtual{virtualStart()}
	}
	s, err := m.start(ctx)
	return m, s, err
}

func (m *Machine) start(ctx context.Context) (s Start, err error) {
	m.store = persist.NewFaulty(m.cfg.Store, nil)
	var bell *console.Bell
	cfg := engine.Config{Store: m.store, Builtins: m.cfg.Builtins, Clock: engine.SystemClock(), Seed: m.cfg.Seed, Caller: m.cfg.Caller,
		Output: m.cfg.Output, Log: m.cfg.Log, TraceWords: true}
	cfg.Trace = func(t engine.Trace) {
		if bell != nil {
			bell.Ring()
		}
		if t.Kind == engine.TraceEmitted {
			m.news.Tell()
		}
		if m.cfg.Notice != nil {
			m.cfg.Notice(t)
		}
	}
	if m.clock != nil {
		cfg.Clock, cfg.Serial = m.clock, true
	}
	if m.engine, err = engine.Open(ctx, cfg); err != nil {
		return s, err
	}
	if m.clock == nil {
		bell = console.NewBell(m.engine.Now)
		m.wait = bell.Wait
	} else {
		m.wait = console.Stepping(m.engine, func(to int64) { m.clock.now = to }, m.stuck)
	}
	if s.LeftAlone, err = m.engine.LeaveMains(ctx, ""); err != nil {
		return s, errors.Join(err, m.engine.Close())
	}
	if s.Taken, err = m.engine.Recover(ctx); err != nil {
		return s, errors.Join(err, m.engine.Close())
	}
	if m.clock == nil {
		return s, m.drive(ctx)
	}
	return s, nil
}

// drive lets the engine run in the background, and serves its store.
func (m *Machine) drive(ctx context.Context) error {
	ctx, m.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	var over context.CancelCauseFunc
	m.driving, over = context.WithCancelCause(ctx)
	m.ended = make(chan struct{})
	e, ended := m.engine, m.ended
	go func() {
		defer close(ended)
		err := e.Drive(ctx, engine.UntilDone, func(ctx context.Context) error {
			<-ctx.Done() // it goes on when there is nothing to do
			return nil
		})
		over(err)
	}()
	disk, ok := m.cfg.Store.(*bolt.Store)
	if !ok || m.cfg.Dir == "" {
		return nil
	}
	var err error
	if m.server, err = operate.Serve(m.cfg.Dir, e, disk, &m.news); err != nil {
		return errors.Join(fmt.Errorf("other wf commands could not reach this store: %w", err), m.Close())
	}
	return nil
}

// Close ends the engine: whoever has asked for something is answered, what is
// queued is committed. The store stays open.
func (m *Machine) Close() (err error) {
	if m.server != nil {
		err = m.server.Shut()
	}
	if m.stop != nil {
		m.stop(errLeft)
		<-m.ended
	}
	err = errors.Join(err, m.engine.Close())
	if m.server != nil {
		m.server.Wait()
	}
	m.server, m.stop = nil, nil
	return err
}

// Crash throws the engine away without warning: whatever is not in the store is
// lost. Then it starts another one over the store, which goes on with what is
// unfinished.
func (m *Machine) Crash(ctx context.Context) (Start, error) {
	m.store.Crash()
	_ = m.Close() // it says that it has crashed
	return m.start(ctx)
}

// Within gives a context for what needs the engine: it ends with ctx, or when
// the engine does.
func (m *Machine) Within(ctx context.Context) (context.Context, func()) {
	driving := m.driving // of this engine: after a crash there is another one
	if driving == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(driving, func() { cancel(context.Cause(driving)) })
	return ctx, func() { stop(); cancel(nil) }
}

// Stopped reports whether the engine has ended by itself: its store has failed.
func (m *Machine) Stopped() bool {
	return m.driving != nil && m.driving.Err() != nil || m.driving == nil && m.engine.Err() != nil
}

// Settle lets everything happen that can happen without the clock, until ctx is
// done. With the real clock it happens by itself.
func (m *Machine) Settle(ctx context.Context) error {
	if m.clock == nil {
		return nil
	}
	for m.engine.Step() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return m.engine.Err()
}

// Advance moves a virtual clock, timer by timer.
func (m *Machine) Advance(ctx context.Context, d time.Duration) error {
	target := m.clock.now + int64(d)
	for {
		if err := m.Settle(ctx); err != nil {
			return err
		}
		next, ok := m.engine.NextTimer()
		if !ok || next > target {
			break
		}
		m.clock.now = max(next, m.clock.now)
	}
	m.clock.now = target
	return m.Settle(ctx)
}

// stuck is the error of a wait that nothing under a virtual clock can end: it
// names what is waited for.
func (m *Machine) stuck() error {
	text := "nothing is left that could move"
	var waits string
	err := m.engine.List(context.Background(), persist.Filter{Status: flow.Running.String()}, func(s engine.Summary, bad error) bool {
		for _, w := range s.Waiting {
			if bad == nil && waits == "" {
				waits = ": " + s.ID + " waits for " + w.For
			}
		}
		return waits == ""
	})
	if err != nil {
		return err
	}
	return &interp.Fault{Code: "stuck", Message: text + waits, Index: -1, Final: true}
}

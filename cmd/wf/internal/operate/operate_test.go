package operate_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
)

const script = `
event Added(n: Int)
workflow W {
    state n: Int = 0
    state price: Decimal = 1.50
    step a { perform Signal.wait("go") }
    step b { perform Signal.wait("never") }
    command add(n: Int) -> Int {
        if n < 0 { reject bad_request "not below zero" }
        self.n = self.n + n
        emit Added(self.n)
        self.n
    }
    command note(text: String) { self.n = self.n + 1 }
    command broken() { self.n = self.n / (self.n - self.n) }
    query total() -> Int { self.n }
}
`

func compile(t testing.TB) *program.Program {
	set := &source.Set{}
	set.Add(source.NewFile("test.wf", script))
	prog, ds := engine.Compile(set, stdlib.Table())
	require.NotNil(t, prog, "%v", ds)
	return prog
}

// An owner is what drives a store and serves it, as wf run does.
type owner struct {
	store  *bolt.Store
	engine *engine.Engine
	server *operate.Server
	leave  context.CancelFunc
	left   chan error
}

func own(t testing.TB, dir string) *owner {
	o := &owner{left: make(chan error, 1)}
	var err error
	o.store, err = bolt.Open(dir, bolt.Options{Timeout: time.Minute})
	require.NoError(t, err)
	var news operate.News
	o.engine, err = engine.Open(t.Context(), engine.Config{Store: o.store, Builtins: stdlib.Table(), Clock: engine.SystemClock(),
		Seed: func() uint64 { return 1 }, Trace: func(tr engine.Trace) {
			if tr.Kind == engine.TraceEmitted {
				news.Tell()
			}
		}})
	require.NoError(t, err)
	_, err = o.engine.Recover(t.Context())
	require.NoError(t, err)
	o.server, err = operate.Serve(dir, o.engine, o.store, &news)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	o.leave = cancel
	go func() {
		o.left <- o.engine.Drive(ctx, engine.UntilDone, func(ctx context.Context) error {
			<-ctx.Done() // stays while nothing is there
			return nil
		})
	}()
	return o
}

// end leaves in good order.
func (o *owner) end(t testing.TB) {
	o.leave()
	require.ErrorIs(t, <-o.left, context.Canceled)
	require.NoError(t, o.server.Shut())
	require.NoError(t, o.engine.Close())
	o.server.Wait()
	require.NoError(t, o.store.Close())
}

func with(t testing.TB, o operate.Options, f func(*operate.Operator)) {
	t.Helper()
	op, err := operate.Open(t.Context(), o)
	require.NoError(t, err)
	f(op)
	require.NoError(t, op.Close())
}

func none() value.Value { return value.NewRecord(nil, nil) }

// Both ways give the same answers, values and errors.
func TestBothWaysAreTheSame(t *testing.T) {
	defer goleak.VerifyNone(t)
	prog := compile(t)
	price, err := value.FromJSON([]byte("2.500"))
	require.NoError(t, err)
	run := func(dir string) []string {
		var told []string
		tell := func(what string, v any, err error) {
			var refused *engine.RefusedError
			var fault *interp.Fault
			kind := "error"
			switch {
			case err == nil:
				told = append(told, fmt.Sprint(what, ": ", v))
				return
			case errors.As(err, &refused):
				kind = "refused " + refused.Code
			case errors.As(err, &fault):
				kind = "fault " + fault.Code
			}
			told = append(told, fmt.Sprint(what, ": ", kind, ": ", err))
		}
		act := func(f func(o *operate.Operator)) { with(t, operate.Options{Dir: dir, Act: true, Create: true}, f) }
		look := func(f func(o *operate.Operator)) { with(t, operate.Options{Dir: dir}, f) }
		ctx := t.Context()
		act(func(o *operate.Operator) {
			s, err := o.Spawn(ctx, prog, "W", "w", value.NewRecord([]string{"price"}, []value.Value{price}), "k")
			tell("spawn", s.ID, err)
		})
		act(func(o *operate.Operator) {
			_, err := o.Spawn(ctx, prog, "W", "w", none(), "")
			tell("spawn other", nil, err)
		})
		act(func(o *operate.Operator) {
			_, err := o.Spawn(ctx, prog, "Vv", "", none(), "")
			tell("spawn unknown", nil, err)
		})
		act(func(o *operate.Operator) { // texts that are no UTF-8 would become others on their way
			_, err := o.Spawn(ctx, prog, "W", "w\xff", none(), "")
			tell("spawn bytes", nil, err)
			tell("signal key", nil, o.Signal(ctx, "w", "go", value.Nil, "k\xff"))
			_, err = o.Show(ctx, "w\xff")
			tell("show bytes", nil, err)
			tell("backup bytes", nil, o.Backup(ctx, "/b\xff"))
		})
		for _, args := range [][]value.Value{{value.Int(9007199254740993)}, {value.Int(-1)}, {value.String("x")}, nil} {
			act(func(o *operate.Operator) {
				v, err := o.Call(ctx, "w", "add", args, "")
				tell("add", v, err)
			})
		}
		act(func(o *operate.Operator) {
			_, err := o.Call(ctx, "w", "broken", nil, "")
			tell("broken", nil, err)
		})
		act(func(o *operate.Operator) { tell("signal", "", o.Signal(ctx, "w", "go", value.Duration(3), "s")) })
		act(func(o *operate.Operator) { tell("signal again", "", o.Signal(ctx, "w", "go", value.Duration(3), "s")) })
		act(func(o *operate.Operator) { tell("signal other", "", o.Signal(ctx, "w", "go", value.Nil, "s")) })
		act(func(o *operate.Operator) { tell("signal unknown", "", o.Signal(ctx, "w", "gone", value.Nil, "")) })
		act(func(o *operate.Operator) { tell("retry", "", o.Retry(ctx, "w")) })
		act(func(o *operate.Operator) { tell("delete", "", o.Delete(ctx, "w", false)) })
		look(func(o *operate.Operator) {
			v, err := o.Query(ctx, "w", "total", nil)
			tell("total", v, err)
			_, err = o.Query(ctx, "w", "totl", nil)
			tell("totl", nil, err)
			s, err := o.Show(ctx, "w")
			tell("show", fmt.Sprint(s.ID, s.Status, s.Fields), err)
			_, err = o.Show(ctx, "v")
			tell("show v", nil, err)
			tell("events", "", o.Events(ctx, "w", 1, func(ev *engine.EventRecord) bool {
				tell("event", ev, nil)
				return true
			}))
			tell("list", "", o.List(ctx, operate.Filter{Workflow: "W"}, func(s engine.Summary, err error) bool {
				tell("instance", s.ID, err)
				return true
			}))
			tell("verify", "", o.Verify(ctx, func(operate.Problem) bool {
				t.Error("a problem")
				return true
			}))
			info, err := o.Info(ctx)
			tell("info", info.Instances, err)
			backup := filepath.Join(t.TempDir(), "b")
			tell("backup", "", o.Backup(ctx, backup))
			require.Error(t, o.Backup(ctx, backup))
			require.FileExists(t, backup)
		})
		act(func(o *operate.Operator) { tell("terminate", "", o.Terminate(ctx, "w")) })
		act(func(o *operate.Operator) { tell("cancel", "", o.Cancel(ctx, "w")) })
		act(func(o *operate.Operator) { tell("delete", "", o.Delete(ctx, "w", false)) })
		return told
	}
	alone := run(filepath.Join(t.TempDir(), "store"))
	driven := filepath.Join(t.TempDir(), "store")
	o := own(t, driven)
	through := run(driven)
	o.end(t)
	require.Equal(t, alone, through)
	require.Contains(t, alone, "add: 9007199254740993")
	require.Contains(t, alone, "add: refused bad_request: not below zero")
	require.NoFileExists(t, filepath.Join(driven, "socket"))
}

func TestSocketIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	o := own(t, dir)
	defer o.end(t)
	info, err := os.Stat(filepath.Join(dir, "socket"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	info, err = os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// A path that does not fit into the address of a socket is reached all the same.
func TestLongPath(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("needs /proc")
	}
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 40), "store")
	require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o700))
	o := own(t, dir)
	with(t, operate.Options{Dir: dir}, func(op *operate.Operator) {
		require.Equal(t, os.Getpid(), op.Owner())
		_, err := op.Info(t.Context())
		require.NoError(t, err)
	})
	o.end(t)
	require.NoFileExists(t, filepath.Join(dir, "socket"))
}

// What a dead process left behind means nothing, and is no hindrance.
func TestStaleFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	own(t, dir).end(t)
	for _, name := range []string{"socket", "socket.new"} {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, name), Net: "unix"})
		require.NoError(t, err)
		l.SetUnlinkOnClose(false)
		require.NoError(t, l.Close())
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lock"), []byte("pid 1\n"), 0o600))
	with(t, operate.Options{Dir: dir}, func(op *operate.Operator) { require.Zero(t, op.Owner()) })
	o := own(t, dir)
	with(t, operate.Options{Dir: dir}, func(op *operate.Operator) { require.Equal(t, os.Getpid(), op.Owner()) })
	o.end(t)
}

// Many acting at once, while the owner comes and goes: each that is told of
// success happened once, none that was refused happened.
func TestRacingOperators(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "store")
	prog := compile(t)
	with(t, operate.Options{Dir: dir, Act: true, Create: true}, func(o *operate.Operator) {
		_, err := o.Spawn(t.Context(), prog, "W", "w", none(), "")
		require.NoError(t, err)
	})
	const clients, calls = 4, 15
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range calls {
				err := call(t.Context(), dir, 1)
				if err != nil {
					t.Errorf("call: %v", err)
				}
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		wg.Wait()
		close(finished)
	}()
	for going := true; going; {
		select {
		case <-finished:
			going = false
		default:
			o := own(t, dir)
			select {
			case <-finished:
			case <-time.After(5 * time.Millisecond):
			}
			o.end(t)
		}
	}
	with(t, operate.Options{Dir: dir}, func(o *operate.Operator) {
		v, err := o.Query(t.Context(), "w", "total", nil)
		require.NoError(t, err)
		require.Equal(t, value.Int(clients*calls), v)
	})
}

func call(ctx context.Context, dir string, n int64) error {
	// Whoever finds the store in use waits for its turn.
	o, err := operate.Open(ctx, operate.Options{Dir: dir, Act: true, Wait: time.Minute})
	if err != nil {
		return err
	}
	_, err = o.Call(ctx, "w", "add", []value.Value{value.Int(n)}, "")
	return errors.Join(err, o.Close())
}

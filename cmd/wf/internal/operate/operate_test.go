package operate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	"github.com/wf-lang/wf/persist"
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

// A fake owner holds the store and speaks as it is told to.
func fake(t *testing.T, dir string, speak func(c net.Conn, in *bufio.Reader)) (release func()) {
	s, err := bolt.Open(dir, bolt.Options{})
	require.NoError(t, err)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	require.NoError(t, err)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			speak(c, bufio.NewReader(c))
			_ = c.Close()
		}
	})
	var once sync.Once
	return func() {
		once.Do(func() {
			require.NoError(t, l.Close())
			wg.Wait()
			require.NoError(t, s.Close())
		})
	}
}

const greeting = `{"wf":1,"pid":77,"now":1}` + "\n"

// The owner dies in the middle of a request: whoever looks looks again, whoever
// acts is told that nobody knows, unless nothing was taken.
func TestOwnerDies(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "store")
	prog := compile(t)
	with(t, operate.Options{Dir: dir, Act: true, Create: true}, func(o *operate.Operator) {
		_, err := o.Spawn(t.Context(), prog, "W", "w", none(), "")
		require.NoError(t, err)
	})
	asked := 0
	var die func()
	hear := func(c net.Conn, in *bufio.Reader) {
		_, _ = io.WriteString(c, greeting)
		if _, err := in.ReadString('\n'); err == nil {
			asked++
		}
		_ = c.Close()
		go die()
	}
	die = fake(t, dir, hear)
	with(t, operate.Options{Dir: dir}, func(o *operate.Operator) {
		require.Equal(t, 77, o.Owner())
		s, err := o.Show(t.Context(), "w")
		require.NoError(t, err)
		require.Equal(t, "w", s.ID)
		require.Zero(t, o.Owner(), "it was looked up in the store itself")
	})
	require.Equal(t, 1, asked)

	die()
	die = fake(t, dir, hear)
	with(t, operate.Options{Dir: dir, Act: true}, func(o *operate.Operator) {
		_, err := o.Call(t.Context(), "w", "add", []value.Value{value.Int(1)}, "")
		require.ErrorIs(t, err, engine.ErrUnknown)
		require.ErrorContains(t, err, "77")
	})
	require.Equal(t, 2, asked)
	die()

	// It leaves before it takes anything: the command goes on by itself.
	die = fake(t, dir, func(c net.Conn, in *bufio.Reader) {
		_, _ = io.WriteString(c, greeting)
		if _, err := in.ReadString('\n'); err == nil {
			_, _ = io.WriteString(c, `{"end":true,"error":{"kind":"stopped","text":"engine stopped"}}`+"\n")
		}
		_ = c.Close()
		go die()
	})
	with(t, operate.Options{Dir: dir, Act: true}, func(o *operate.Operator) {
		v, err := o.Call(t.Context(), "w", "add", []value.Value{value.Int(1)}, "")
		require.NoError(t, err)
		require.Equal(t, value.Int(1), v)
	})
	die()
}

// Whoever lost the owner within a list goes on behind what it has.
func TestListGoesOnAfterALoss(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	prog := compile(t)
	var first []byte
	for i := range 3 {
		with(t, operate.Options{Dir: dir, Act: true, Create: true}, func(o *operate.Operator) {
			s, err := o.Spawn(t.Context(), prog, "W", fmt.Sprint("w", i), none(), "")
			require.NoError(t, err)
			if first == nil {
				first, err = s.MarshalBinary()
				require.NoError(t, err)
			}
		})
	}
	var die func()
	die = fake(t, dir, func(c net.Conn, in *bufio.Reader) {
		_, _ = io.WriteString(c, greeting)
		_, _ = in.ReadString('\n')
		line, _ := json.Marshal(map[string]any{"instance": first})
		_, _ = c.Write(append(append([]byte("\n"), line...), '\n'))
		_ = c.Close()
		go die()
	})
	with(t, operate.Options{Dir: dir}, func(o *operate.Operator) {
		var ids []string
		require.NoError(t, o.List(t.Context(), operate.Filter{}, func(s engine.Summary, err error) bool {
			require.NoError(t, err)
			ids = append(ids, s.ID)
			return true
		}))
		require.Equal(t, []string{"w0", "w1", "w2"}, ids)
	})
	die()
}

// An owner that is there and says nothing, or says what is not understood.
func TestOwnerThatCannotBeTalkedTo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	hold := make(chan struct{})
	for name, c := range map[string]struct {
		speak   func(c net.Conn, in *bufio.Reader)
		version bool
	}{
		"silent":  {speak: func(c net.Conn, _ *bufio.Reader) { <-hold }},
		"busy":    {speak: func(c net.Conn, _ *bufio.Reader) { _, _ = io.WriteString(c, `{"wf":1,"pid":7,"busy":true}`+"\n") }},
		"newer":   {speak: func(c net.Conn, _ *bufio.Reader) { _, _ = io.WriteString(c, `{"wf":99,"pid":7}`+"\n") }, version: true},
		"other":   {speak: func(c net.Conn, _ *bufio.Reader) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n") }},
		"endless": {speak: func(c net.Conn, _ *bufio.Reader) { _, _ = c.Write(make([]byte, 1<<20)) }},
	} {
		t.Run(name, func(t *testing.T) {
			end := fake(t, dir, c.speak)
			_, err := operate.Open(t.Context(), operate.Options{Dir: dir, Wait: 100 * time.Millisecond})
			var version *operate.VersionError
			if c.version {
				require.ErrorAs(t, err, &version)
				require.Equal(t, 7, version.PID)
			} else {
				var locked *persist.LockedError
				require.ErrorAs(t, err, &locked)
				require.Equal(t, os.Getpid(), locked.PID)
			}
			if name == "silent" {
				close(hold)
			}
			end()
		})
	}
}

func dialRaw(t *testing.T, dir string) (net.Conn, *bufio.Reader) {
	c, err := net.Dial("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	in := bufio.NewReader(c)
	line, err := in.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, `"wf":1`)
	return c, in
}

// Clients that behave badly cost nobody else anything.
func TestHostileClients(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "store")
	prog := compile(t)
	with(t, operate.Options{Dir: dir, Act: true, Create: true}, func(o *operate.Operator) {
		_, err := o.Spawn(t.Context(), prog, "W", "w", none(), "")
		require.NoError(t, err)
	})
	o := own(t, dir)
	for range 20 { // more than fits into a socket's buffer
		_, err := o.engine.Call(t.Context(), value.Handle{ID: "w"}, "note", []value.Value{value.String(strings.Repeat("x", 100_000))}, "", nil)
		require.NoError(t, err)
	}
	var open []net.Conn
	for _, line := range []string{
		"", "{", "null\n", "[]\n", "{}\n", `{"wf":2}` + "\n", `{"wf":1}` + "\n", `{"wf":1,"request":{"Op":"drop tables"}}` + "\n",
		`{"wf":1,"request":{"Op":"call","ID":"w","Name":"add","Args":"AAAA"}}` + "\n",
		`{"wf":1,"request":{"Op":"signal","ID":"w","Name":"go"}}` + "\n" + `{"wf":1,"request":{"Op":"cancel","ID":"w"}}` + "\n",
		`{"wf":1,"request":{"Op":"backup","Path":"relative"}}` + "\n",
		`{"wf":1,"request":{"Op":"spawn","Workflow":"W","Program":[{"Name":"x","Text":"workflow {"}]}}` + "\n",
		`{"wf":1,"request":{"Op":"spawn","Workflow":"W"}}` + "\n",
		`{"wf":1,"request":{"Op":"history","ID":"w"}}` + "\n", // and does not read
		`{"wf":1,"request":{"Op":"follow","From":1}}` + "\n",
	} {
		c, _ := dialRaw(t, dir)
		_, err := io.WriteString(c, line)
		require.NoError(t, err)
		open = append(open, c)
	}
	c, in := dialRaw(t, dir) // a line without an end
	go func() {
		_, _ = c.Write([]byte(strings.Repeat("x", 20<<20)))
		_ = c.Close()
	}()
	_, _ = io.Copy(io.Discard, in)
	with(t, operate.Options{Dir: dir, Act: true}, func(op *operate.Operator) {
		_, err := op.Call(t.Context(), "w", "add", []value.Value{value.Int(1)}, "")
		require.NoError(t, err)
	})
	with(t, operate.Options{Dir: dir}, func(op *operate.Operator) {
		s, err := op.Show(t.Context(), "w")
		require.NoError(t, err)
		require.Equal(t, "running", s.Status, "the second request of a connection was carried out")
		n := 0
		require.NoError(t, op.List(t.Context(), operate.Filter{}, func(engine.Summary, error) bool { n++; return true }))
		require.Equal(t, 1, n)
	})
	o.end(t) // does not wait for them
	for _, c := range open {
		_ = c.Close()
	}
}

// There is room for so many; one more is told to come again, and does.
func TestTooManyClients(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	o := own(t, dir)
	var open []net.Conn
	for range 32 {
		c, _ := dialRaw(t, dir)
		open = append(open, c)
	}
	c, err := net.Dial("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	line, err := bufio.NewReader(c).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, `"busy":true`)
	require.NoError(t, c.Close())
	go func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	with(t, operate.Options{Dir: dir}, func(op *operate.Operator) {
		_, err := op.Info(t.Context())
		require.NoError(t, err)
	})
	o.end(t)
}

// Following sees every event once, in order, whoever makes them: an owner, the
// next one, or a command while nobody drives.
func TestFollow(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "store")
	prog := compile(t)
	with(t, operate.Options{Dir: dir, Act: true, Create: true}, func(o *operate.Operator) {
		_, err := o.Spawn(t.Context(), prog, "W", "w", none(), "")
		require.NoError(t, err)
	})
	require.NoError(t, call(t.Context(), dir, 1))
	const total = 41
	ctx, cancel := context.WithCancelCause(t.Context())
	var wg sync.WaitGroup
	for _, from := range []uint64{0, 1, 7} {
		wg.Go(func() {
			next := max(from, 1)
			err := operate.Follow(ctx, dir, "w", from, func(ev *engine.EventRecord) bool {
				if ev.Number != next {
					t.Errorf("event %d, not %d", ev.Number, next)
				}
				next++
				return ev.Number < total
			})
			if err != nil {
				t.Errorf("follow: %v", err)
			}
		})
	}
	n := 1
	for range 4 {
		o := own(t, dir)
		for range 5 {
			require.NoError(t, call(t.Context(), dir, 1))
			n++
		}
		o.end(t)
		for range 5 {
			require.NoError(t, call(t.Context(), dir, 1))
			n++
		}
	}
	require.Equal(t, total, n)
	wg.Wait()
	cancel(io.EOF)
	require.ErrorIs(t, operate.Follow(ctx, dir, "", 1, func(*engine.EventRecord) bool { return true }), io.EOF)
	require.ErrorIs(t, operate.Follow(t.Context(), dir, "nobody", 1, func(*engine.EventRecord) bool { return true }), engine.ErrNotFound)
}

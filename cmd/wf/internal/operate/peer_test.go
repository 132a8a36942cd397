package operate_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

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

const greeting = `{"wf":2,"pid":77,"now":1}` + "\n"

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
	var asked atomic.Int64
	var die func()
	hear := func(c net.Conn, in *bufio.Reader) {
		_, _ = io.WriteString(c, greeting)
		if _, err := in.ReadString('\n'); err == nil {
			asked.Add(1)
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
	require.Equal(t, int64(1), asked.Load())

	die()
	die = fake(t, dir, hear)
	with(t, operate.Options{Dir: dir, Act: true}, func(o *operate.Operator) {
		_, err := o.Call(t.Context(), "w", "add", []value.Value{value.Int(1)}, "")
		require.ErrorIs(t, err, engine.ErrUnknown)
		require.ErrorContains(t, err, "77")
	})
	require.Equal(t, int64(2), asked.Load())
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
		"busy":    {speak: func(c net.Conn, _ *bufio.Reader) { _, _ = io.WriteString(c, `{"wf":2,"pid":7,"busy":true}`+"\n") }},
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
	require.Contains(t, line, `"wf":2`)
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
		"", "{", "null\n", "[]\n", "{}\n", `{"wf":3}` + "\n", `{"wf":2}` + "\n", `{"wf":2,"request":{"Op":"drop tables"}}` + "\n",
		`{"wf":2,"request":{"Op":"call","ID":"w","Name":"add","Args":"AAAA"}}` + "\n",
		`{"wf":2,"request":{"Op":"signal","ID":"w","Name":"go"}}` + "\n" + `{"wf":2,"request":{"Op":"cancel","ID":"w"}}` + "\n",
		`{"wf":2,"request":{"Op":"backup","Path":"relative"}}` + "\n",
		`{"wf":2,"request":{"Op":"spawn","Workflow":"W","Program":[{"Name":"x","Text":"workflow {"}]}}` + "\n",
		`{"wf":2,"request":{"Op":"spawn","Workflow":"W"}}` + "\n",
		`{"wf":2,"request":{"Op":"history","ID":"w"}}` + "\n", // and does not read
		`{"wf":2,"request":{"Op":"follow","From":1}}` + "\n",
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

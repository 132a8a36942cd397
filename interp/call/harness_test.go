package call_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// frozen is a clock that stands still.
type frozen int64

func (c frozen) Now() int64 { return int64(c) }

func noon() frozen { return frozen(time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC).UnixNano()) }

// A world is a Caller with rules for a test.
type world struct {
	t       *testing.T
	caller  *call.Caller
	limit   time.Duration
	tokens  engine.Tally
	once    bool
	usage   engine.Usage
	nothing bool
}

type option func(*call.Config, *allow.Config)

func environ(list ...string) option {
	return func(c *call.Config, _ *allow.Config) {
		c.Environ = append(c.Environ, list...)
		c.Secrets = secret.New(c.Environ, nil)
	}
}

func rules(f func(*allow.Config)) option { return func(_ *call.Config, a *allow.Config) { f(a) } }

func model(m call.Model) option { return func(c *call.Config, _ *allow.Config) { c.Model = m } }

// newWorld allows loopback addresses, and what the options say.
func newWorld(t *testing.T, options ...option) *world {
	t.Helper()
	a := allow.Config{Dir: t.TempDir(), LookPath: exec.LookPath}
	a.Allow[allow.Net] = allow.Entries{List: []string{"127.0.0.1", "localhost"}}
	c := call.Config{Clock: noon(), Secrets: secret.New(nil, nil)}
	for _, o := range options {
		o(&c, &a)
	}
	r, err := allow.New(a)
	require.NoError(t, err)
	c.Rules = r
	w := &world{t: t, caller: call.New(c)}
	t.Cleanup(w.caller.Close)
	return w
}

// do makes a call: arguments by position, then names with values.
func (w *world) do(ctx context.Context, name string, args []value.Value, named ...any) (value.Value, error) {
	w.t.Helper()
	b := operation(w.t, name)
	all := make([]value.Value, len(b.Params))
	copy(all, args)
	for i := 0; i < len(named); i += 2 {
		found := false
		for k, p := range b.Params {
			if p.Name == named[i] {
				all[k], found = named[i+1].(value.Value), true
			}
		}
		require.True(w.t, found, "%s has no %s", name, named[i])
	}
	return w.caller.Call(ctx, engine.Call{Op: b, Args: all, Key: "key-1", Instance: "w-1", Limit: w.limit, Tokens: &w.tokens, Once: w.once, Usage: &w.usage})
}

// operation finds an operation of the library.
func operation(t *testing.T, name string) *program.Builtin {
	t.Helper()
	for _, b := range stdlib.Table() {
		if b.FullName() == name {
			return b
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// used makes the instance have used more tokens.
func (w *world) used(n uint64) {
	within, err := w.tokens.Hold(w.t.Context(), 0, 0)
	require.True(w.t, within && err == nil)
	w.tokens.Free(0, n)
}

func (w *world) get(url string, named ...any) (value.Value, error) {
	w.t.Helper()
	return w.do(w.t.Context(), "Http.get", []value.Value{str(url)}, named...)
}

// fails checks the code of an error, and gives it.
func fails(t *testing.T, code string, err error) *interp.Fault {
	t.Helper()
	var f *interp.Fault
	require.True(t, errors.As(err, &f), "%v is no fault", err)
	require.Equal(t, code, f.Code, "%s", f.Message)
	return f
}

func str(s string) value.Value { return value.String(s) }

func list(vs ...value.Value) value.Value { return value.List(vs...) }

func rec(kv ...any) value.Value {
	var keys []string
	var vals []value.Value
	for i := 0; i < len(kv); i += 2 {
		keys, vals = append(keys, kv[i].(string)), append(vals, kv[i+1].(value.Value))
	}
	return value.NewRecord(keys, vals)
}

// at follows fields of records.
func at(t *testing.T, v value.Value, names ...string) value.Value {
	t.Helper()
	for _, name := range names {
		r, ok := v.AsRecord()
		require.True(t, ok, "%s is no record", v.Short(80))
		v, _ = r.Get(name)
	}
	return v
}

func serve(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// raw serves bytes as they are: one connection, one answer.
func raw(t *testing.T, answer func(c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			buf := make([]byte, 4096)
			_, _ = c.Read(buf)
			answer(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return "http://" + l.Addr().String()
}

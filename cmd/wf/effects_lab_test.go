package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/golden"
	"github.com/wf-lang/wf/cmd/wf/internal/lab"
	"github.com/wf-lang/wf/cmd/wf/internal/services"
	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// A rehearsal is a stage whose script runs in a lab: its clock never waits, its
// store dies when it is told to, but what it calls outside is real.
type rehearsal struct {
	*stage
	lab    *lab.Lab
	caller *call.Caller
	prog   *program.Program
	output bytes.Buffer
	sent   bool
}

// Now is the time of the lab, for answers that say when to come again.
func (r *rehearsal) Now() int64 {
	if r.lab == nil {
		return lab.Begin().UnixNano()
	}
	return r.lab.Now()
}

// compile reads the script of the stage.
func (r *rehearsal) compile() error {
	text, err := os.ReadFile(filepath.Join(r.dir, r.name+".wf"))
	if err != nil {
		return err
	}
	set := &source.Set{}
	set.Add(source.NewFile(r.name+".wf", string(text)))
	prog, said := engine.Compile(set, stdlib.Table())
	if prog == nil {
		return fmt.Errorf("%v", said)
	}
	r.prog = prog
	return nil
}

// reach makes the caller, which may do what the script needs in its folder.
func (r *rehearsal) reach() error {
	c := allow.Config{Dir: r.dir, LookPath: exec.LookPath}
	for _, kind := range allow.Kinds() {
		c.Allow[kind].All = true
	}
	c.Allow[allow.Net] = allow.Entries{List: []string{r.server.Address()}}
	rules, err := allow.New(c)
	if err != nil {
		return err
	}
	config := call.Config{Rules: rules, Clock: r, Environ: r.environ(), Secrets: secret.New(r.environ(), nil)}
	if r.model {
		config.Model = call.Model{BaseURL: r.server.URL() + "/v1", Name: "stand-in", Key: secretText("llm")}
	}
	r.caller = call.New(config)
	return nil
}

// takeUp goes on with the run that is in the store, or starts one.
func (r *rehearsal) takeUp(ctx context.Context, e *engine.Engine) error {
	run, err := e.FindMain(ctx, r.prog)
	if err != nil {
		return err
	}
	if _, err := e.Recover(ctx); err != nil || run.Resumed {
		return err
	}
	_, err = e.RunMain(ctx, r.prog)
	return err
}

// drive goes on until nothing can move any more.
func (r *rehearsal) drive() error {
	for range 10_000 {
		if _, err := r.lab.Settle(); err != nil {
			return err
		}
		if seen, err := r.decide(); err != nil || seen {
			if err != nil {
				return err
			}
			continue
		}
		at, ok, err := r.lab.NextTimer()
		if err != nil || !ok {
			return err
		}
		r.lab.MoveClock(at)
	}
	return errors.New("it does not come to rest")
}

// decide sends the signal when there is a reason to. It reports whether it did.
func (r *rehearsal) decide() (bool, error) {
	if r.signal == nil || r.sent {
		return false, nil
	}
	if seen, _ := r.server.Seen(r.signal.method, r.signal.path); !seen {
		return false, nil
	}
	r.sent = true
	payload := value.NewRecord([]string{"by", "yes"}, []value.Value{value.String("ann"), value.Bool(true)})
	return true, r.lab.Do(func(ctx context.Context, e *engine.Engine) error {
		return e.Signal(ctx, r.signal.id, r.signal.name, payload, "decision")
	})
}

// retried are the times of a transcript, and the attempts: an answer that was
// lost with the process may have been an error, and the next one is none.
var retried = regexp.MustCompile(`\+[0-9][0-9dhmsµn.]*|, attempt \d+`)

// rehearse runs a scenario to its end; the plan says which writes crash. It gives
// what it came to, and how many writes there were.
func rehearse(t *testing.T, sc *scenario, plan persist.Plan) (*account, int) {
	t.Helper()
	r := &rehearsal{stage: newStage(t, sc, nil, services.Point{})}
	require.NoError(t, r.compile())
	require.NoError(t, r.reach())
	defer r.caller.Close()
	var err error
	r.lab, err = lab.Open(t.Context(), lab.Config{Builtins: stdlib.Table(), Caller: r.caller, Output: &r.output, Plan: plan, Opened: r.takeUp})
	if err == nil {
		err = r.drive()
	}
	require.NoError(t, err)
	transcript, err := golden.Transcribe(r.lab.Engine(), r.prog, r.output.String())
	require.NoError(t, err)
	if plan == nil {
		require.Zero(t, r.lab.Crashes())
		for _, line := range sc.want {
			if !strings.HasPrefix(line, `"`) { // else it is the value of the program
				require.Contains(t, r.output.String(), line+"\n")
			}
		}
	} else {
		require.Equal(t, 1, r.lab.Crashes())
	}
	require.NoError(t, r.lab.Close())
	came := strings.ReplaceAll(transcript.Canonical(), r.server.Address(), placeholder)
	a := &account{Events: []string{retried.ReplaceAllString(came, "")}}
	a.countRequests(r.server.Requests())
	for _, name := range r.made {
		b, err := os.ReadFile(filepath.Join(r.dir, name))
		require.NoError(t, err)
		a.Files = append(a.Files, name+"\n"+string(b))
	}
	require.NotContains(t, r.output.String(), canary)
	return a, r.lab.Writes()
}

// TestEffectsInTheLab runs each script once, and then again with a crash before
// and after every single write to the store: files too are the same then, and no
// call is repeated but one whose answer was not written.
func TestEffectsInTheLab(t *testing.T) {
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			if sc.name == "backup" { // nights pass here
				sc.env = []string{"BACKUP_NIGHTS=3"}
			}
			want, writes := rehearse(t, &sc, nil)
			require.Len(t, want.Repeated, sc.lost)
			require.NotZero(t, writes)
			if sc.name == "backup" {
				require.Equal(t, 3, strings.Count(strings.Join(want.Requests, "\n"), "RUN /dumpdb"))
			}
			step := 1
			if testing.Short() {
				step = 5
			}
			for n := 1; n <= writes; n += step {
				for _, fault := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
					got, _ := rehearse(t, &sc, persist.FaultAt(n, fault))
					if d := got.differs(want, sc.flight); d != "" {
						t.Errorf("crash %v, write %d: %s", fault, n, d)
					}
				}
			}
		})
	}
}

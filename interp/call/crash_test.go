package call_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/stdlib"
)

// agent is a loop of a model that chooses tools, written in the language, with a
// person who approves between.
const agent = `
type Move = { tool: String, input: String }
fn use(tool: String, input: String) -> String {
    match tool { "price" => "42", "upper" => String.upper(input), _ => "no such tool" }
}
workflow Agent {
    state messages: [Any] = [{ role: "user", content: "sell a hammer" }]
    state last: String = ""
    step choose {
        let move = perform LLM.ask(messages: self.messages, schema: Move)
        perform Log.info("chosen", { tool: move.tool })
        if move.tool == "done" { goto approve(move.input) }
        self.messages = self.messages + [{ role: "user", content: use(move.tool, move.input) }]
        goto choose
    }
    step approve(price: String) {
        let who = perform Signal.wait("approved")
        self.last = "${price} by ${who}"
        emit Approved(who)
    }
    step sell { end perform LLM.ask("sell for ${self.last}") }
}
let a = spawn Agent {} as "agent"
signal a.approved("ann")
await a
`

// still is a clock that moves when it is told to.
type still struct{ now int64 }

func (c *still) Now() int64 { return c.now }

// paid answers a question once for each key, like an endpoint that knows keys.
type paid struct {
	given   map[string]string
	replies []string
	asked   int
}

func (p *paid) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	p.asked++
	key := r.Header.Get("Idempotency-Key")
	if _, known := p.given[key]; !known && len(p.replies) > 0 {
		p.given[key], p.replies = p.replies[0], p.replies[1:]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"usage": map[string]int{"total_tokens": 100},
		"choices": []any{map[string]any{"message": map[string]string{"content": p.given[key]}}}})
}

type agentRun struct {
	result  string
	paid    int
	asked   int
	commits int
	crashes int
	spent   uint64
	logs    []string
}

// runAgent runs the agent to its end; plan says which writes crash.
func runAgent(t *testing.T, plan persist.Plan) agentRun {
	t.Helper()
	p := &paid{given: map[string]string{}, replies: []string{`{"tool": "price", "input": "hammer"}`, `{"tool": "upper", "input": "sold"}`, `{"tool": "done", "input": "42"}`, "it is sold"}}
	w := newWorld(t, model(call.Model{BaseURL: serve(t, p.ServeHTTP), Name: "m"}))
	set := &source.Set{}
	set.Add(source.NewFile("agent.wf", agent))
	prog, said := engine.Compile(set, stdlib.Table())
	require.NotNil(t, prog, "%v", said)
	disk := persist.NewDiskAs("agent", time.Unix(0, 0))
	clock := &still{now: int64(noon())}
	var out agentRun
	ctx := context.Background()
	for {
		mem, err := disk.Open()
		require.NoError(t, err)
		store := persist.NewFaulty(mem, plan.After(out.commits))
		var output bytes.Buffer
		e, err := engine.Open(ctx, engine.Config{Store: store, Builtins: stdlib.Table(), Clock: clock, Seed: func() uint64 { return 7 }, Caller: w.caller,
			Output: &output, Log: func(l engine.Logged) { out.logs = append(out.logs, l.Level+" "+l.Text) }, Serial: true})
		require.NoError(t, err)
		err = driveAgent(ctx, e, clock, func() (engine.MainRun, error) {
			run, err := e.FindMain(ctx, prog)
			if err != nil {
				return run, err
			}
			if _, err := e.Recover(ctx); err != nil || run.Resumed {
				return run, err
			}
			run.ID, err = e.RunMain(ctx, prog)
			return run, err
		})
		out.commits += store.Commits()
		if errors.Is(err, persist.ErrCrash) {
			out.crashes++
			store.Crash()
			_ = e.Close()
			disk.Crash()
			continue
		}
		require.NoError(t, err)
		s, err := e.Show(ctx, "main-1")
		require.NoError(t, err)
		out.result = fmt.Sprint(s.Status, " ", s.Result)
		require.NoError(t, e.History(ctx, "agent", func(r *engine.Record) bool {
			out.spent += r.Usage.Tokens
			return true
		}))
		require.NoError(t, e.Close())
		out.paid, out.asked = len(p.given), p.asked
		return out
	}
}

func driveAgent(ctx context.Context, e *engine.Engine, clock *still, begin func() (engine.MainRun, error)) error {
	if _, err := begin(); err != nil {
		return err
	}
	for range 100_000 {
		if e.Step() {
			continue
		}
		if err := e.Err(); err != nil {
			return err
		}
		at, ok := e.NextTimer()
		if !ok {
			return nil
		}
		clock.now = max(clock.now, at)
	}
	return errors.New("it does not come to rest")
}

// With a crash at every single write, before it and after it, the agent comes to
// the same end, and each question is paid for once: what is asked again is asked
// under its key, and only what had no answer in the journal.
func TestAgentSurvivesEveryWrite(t *testing.T) {
	want := runAgent(t, nil)
	require.Equal(t, `completed "it is sold"`, want.result)
	require.Equal(t, 4, want.paid)
	require.Equal(t, 4, want.asked)
	require.Equal(t, uint64(400), want.spent)
	require.Equal(t, []string{"info chosen tool=price", "info chosen tool=upper", "info chosen tool=done"}, want.logs)
	require.GreaterOrEqual(t, want.commits, 8)
	for n := 1; n <= want.commits; n++ {
		for _, f := range []persist.Fault{persist.CrashBefore, persist.CrashAfter} {
			got := runAgent(t, persist.FaultAt(n, f))
			where := fmt.Sprintf("write %d: %v", n, f)
			require.Equal(t, 1, got.crashes, where)
			require.Equal(t, want.result, got.result, where)
			require.Equal(t, 4, got.paid, where)
			require.LessOrEqual(t, got.asked, 5, where)
			require.Equal(t, want.spent, got.spent, where)
			require.Subset(t, got.logs, want.logs, where)
		}
	}
}

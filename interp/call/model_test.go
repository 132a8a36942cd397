package call_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// A stub is an endpoint that says its replies one after another.
type stub struct {
	replies  []string
	requests []map[string]any
	headers  []http.Header
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked map[string]any
	_ = json.Unmarshal(body, &asked)
	s.requests, s.headers = append(s.requests, asked), append(s.headers, r.Header)
	reply := s.replies[0]
	s.replies = s.replies[1:]
	switch {
	case r.URL.Path != "/v1/chat/completions":
		http.NotFound(w, r)
	case strings.HasPrefix(reply, "raw:"):
		_, _ = io.WriteString(w, reply[4:])
	case reply == "busy":
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
		_, _ = io.WriteString(w, "key "+r.Header.Get("Authorization"))
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"usage": map[string]int{"total_tokens": 100},
			"choices": []any{map[string]any{"message": map[string]string{"content": reply}}}})
	}
}

func newModel(t *testing.T, budget uint64, replies ...string) (*world, *stub) {
	s := &stub{replies: replies}
	url := serve(t, s.ServeHTTP)
	m := call.Model{BaseURL: url + "/v1/", Name: "small", Key: "llm-key-123", Budget: budget}
	w := newWorld(t, model(m), func(c *call.Config, a *allow.Config) {
		a.Allow[allow.Net] = allow.Entries{} // being configured is the permission
		c.Secrets = secret.New(nil, nil, m.Key)
	})
	return w, s
}

func (w *world) ask(named ...any) (value.Value, error) {
	w.t.Helper()
	return w.do(w.t.Context(), "LLM.ask", []value.Value{str("hello")}, named...)
}

func TestAsk(t *testing.T) {
	w, s := newModel(t, 0, "hi there")
	v, err := w.ask("system", str("be kind"), "messages", list(rec("role", str("user"), "content", str("before"))), "temperature", value.Int(0), "max_tokens", value.Int(5))
	require.NoError(t, err)
	require.Equal(t, `"hi there"`, v.String())
	require.Equal(t, uint64(100), w.usage.Tokens)
	require.Equal(t, map[string]any{"model": "small", "temperature": 0.0, "max_tokens": 5.0, "messages": []any{
		map[string]any{"role": "system", "content": "be kind"}, map[string]any{"role": "user", "content": "before"}, map[string]any{"role": "user", "content": "hello"}}}, s.requests[0])
	require.Equal(t, "Bearer llm-key-123", s.headers[0].Get("Authorization"))
	require.Equal(t, "key-1", s.headers[0].Get("Idempotency-Key"))
	for _, named := range [][]any{{"temperature", str("hot")}, {"max_tokens", value.Int(0)}, {"messages", list(str("x"))}, {"messages", str("x")}, {"system", value.Int(1)}} {
		_, err = w.ask(named...)
		fails(t, "bad_argument", err)
	}
	_, err = w.do(t.Context(), "LLM.ask", nil)
	fails(t, "bad_argument", err)
	_, err = newWorld(t).ask()
	fails(t, "denied", err)
}

// The schema is sent, and a reply that does not fit is asked for once more.
func TestAskSchema(t *testing.T) {
	object := rec("type", str("object"), "properties", rec("n", rec("type", str("integer"))), "required", list(str("n")))
	w, s := newModel(t, 0, "```json\n{\"n\": 3}\n```", "no idea", `{"n": 4}`, `{"n": "x"}`, `{"n": null}`, `{"value": true}`, `false`)
	v, err := w.ask("schema", object)
	require.NoError(t, err)
	require.Equal(t, "{ n: 3 }", v.String())
	format := s.requests[0]["response_format"].(map[string]any)["json_schema"].(map[string]any)
	require.Equal(t, "object", format["schema"].(map[string]any)["type"])

	v, err = w.ask("schema", object)
	require.NoError(t, err)
	require.Equal(t, "{ n: 4 }", v.String())
	require.Equal(t, uint64(200), w.usage.Tokens)
	again := s.requests[2]["messages"].([]any)
	require.Equal(t, "no idea", again[1].(map[string]any)["content"])
	require.Contains(t, again[2].(map[string]any)["content"], "does not fit")
	require.NotEqual(t, s.headers[1].Get("Idempotency-Key"), s.headers[2].Get("Idempotency-Key"))

	_, err = w.ask("schema", object)
	f := fails(t, "schema", err)
	require.Equal(t, `"{\"n\": null}"`, at(t, f.Detail, "text").String())
	require.Equal(t, uint64(200), w.usage.Tokens, "what failed has cost as much")
	require.Len(t, s.requests, 5, "one repair, no more")

	for range 2 { // what is no object goes into one, and may come without it
		v, err = w.ask("schema", rec("type", str("boolean")))
		require.NoError(t, err)
		require.Equal(t, value.KindBool, v.Kind())
	}
	format = s.requests[5]["response_format"].(map[string]any)["json_schema"].(map[string]any)
	require.Equal(t, "object", format["schema"].(map[string]any)["type"])
	_, err = w.ask("schema", rec("type", str("nothing"), "minimum", str("x")))
	require.Error(t, err)
}

func TestAskBudget(t *testing.T) {
	w, s := newModel(t, 150, "one")
	w.used(149)
	_, err := w.ask()
	require.NoError(t, err)
	_, err = w.ask()
	require.Contains(t, fails(t, "budget", err).Message, "w-1 has used 249 tokens")
	require.Len(t, s.requests, 1)

	w, s = newModel(t, 150, "bad", "two")
	w.used(60)
	_, err = w.ask("schema", rec("type", str("object"))) // no repair over the budget
	fails(t, "budget", err)
	require.Equal(t, uint64(100), w.usage.Tokens)
	require.Len(t, s.requests, 1)
}

// Calls side by side do not go over a budget together: of three that take 100
// tokens each there is room for two.
func TestAskBudgetSideBySide(t *testing.T) {
	w, s := newModel(t, 150, "one", "two", "three")
	errs := make([]error, 3)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			var use engine.Usage
			_, errs[i] = w.caller.Call(t.Context(), engine.Call{Op: operation(t, "LLM.ask"), Args: []value.Value{str("hello")},
				Instance: "w-1", Tokens: &w.tokens, Usage: &use})
		})
	}
	wg.Wait()
	over := 0
	for _, err := range errs {
		if err != nil {
			require.Contains(t, fails(t, "budget", err).Message, "has used 200 tokens")
			over++
		}
	}
	require.Equal(t, 1, over)
	require.Len(t, s.requests, 2)
}

func TestAskErrors(t *testing.T) {
	w, _ := newModel(t, 0, "busy", "raw:not json", `raw:{"choices": []}`, `raw:{"choices": [{"message": {"content": null}}], "usage": {"total_tokens": 9}}`, `raw:{"choices": [{"message": {"content": "x"}}]}`)
	_, err := w.ask()
	f := fails(t, "http_429", err)
	_, isTime := at(t, f.Detail, "retry_at").AsTime()
	require.True(t, isTime)
	require.NotContains(t, f.Message+f.Detail.String(), "llm-key-123", "the key is a secret too")
	for range 3 {
		_, err = w.ask()
		fails(t, "unavailable", err)
	}
	require.Equal(t, uint64(9), w.usage.Tokens)
	_, err = w.ask()
	require.NoError(t, err)
	require.Positive(t, w.usage.Tokens, "who does not count is guessed")
}

// A denial holds for the model too; and its connections are no way around the
// rules for Http.
func TestModelAndRules(t *testing.T) {
	w, s := newModel(t, 0, "hi")
	_, err := w.ask()
	require.NoError(t, err)
	_, err = w.get("http://127.0.0.1:80/")
	fails(t, "denied", err)
	require.Len(t, s.requests, 1)
	w = newWorld(t, model(call.Model{BaseURL: "http://localhost:1", Name: "m"}), rules(func(a *allow.Config) { a.Deny[allow.Net].List = []string{"127.0.0.1"} }))
	_, err = w.ask()
	fails(t, "denied", err)
}

func TestAskIsCut(t *testing.T) {
	reached := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then a server notices that nobody waits
		close(reached)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	_, err := newWorld(t, model(call.Model{BaseURL: url, Name: "m"})).do(ctx, "LLM.ask", []value.Value{str("x")})
	require.ErrorIs(t, err, context.Canceled)
}

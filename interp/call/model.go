package call

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
	"github.com/wf-lang/wf/stdlib/schema"
)

// Model is the language model that scripts may ask: any endpoint that speaks
// the chat completions of OpenAI. Being configured is what allows it.
type Model struct {
	BaseURL string // as in https://host/v1; "" for none
	Name    string // of the model, for calls that do not say; "" for none
	Key     string // "" for none
	Budget  uint64 // tokens that an instance may use; 0: no bound
}

// ask makes a call of the module LLM: one request, and one more if the reply
// does not fit the schema.
func (c *Caller) ask(ctx context.Context, a arguments, call engine.Call) (value.Value, error) {
	talk, err := c.newTalk(a, call)
	if err != nil {
		return value.Nil, err
	}
	ctx, cancel, err := bounded(ctx, a, call, "LLM.ask had no answer")
	if err != nil {
		return value.Nil, err
	}
	defer cancel()
	began := time.Now()
	v, err := c.converse(ctx, talk)
	if call.Usage != nil {
		call.Usage.Tokens, call.Usage.Took = talk.tokens, time.Since(began).Round(time.Millisecond)
	}
	if late := timedOut(ctx); late != nil && err != nil {
		return value.Nil, late
	}
	return v, err
}

// A talk is one LLM.ask on its way.
type talk struct {
	call     engine.Call
	url      *url.URL
	fields   []string // of the request, but for messages
	values   []value.Value
	messages []value.Value
	schema   value.Value
	wrapped  bool   // the schema is sent inside of an object
	tokens   uint64 // used so far
	longest  uint64 // tokens that a reply is thought to have at most
}

// usualReply is how many tokens a reply is thought to have at most if the script
// does not bound it.
const usualReply = 4096

// converse asks, and asks once more with what was wrong about the first reply.
func (c *Caller) converse(ctx context.Context, t *talk) (value.Value, error) {
	for round := 1; ; round++ {
		text, err := c.within(ctx, t, round)
		if err != nil || t.schema.IsNil() {
			return value.String(text), err
		}
		v, err := t.fit(text)
		var unfit *schema.Unfit
		switch {
		case err == nil:
			return v, nil
		case errors.As(err, &unfit):
			return value.Nil, badArgument("`schema` of LLM.ask: %v", err)
		case round == 2:
			f := fail(stdlib.CodeSchema, "the model's reply does not fit, also when asked again: %v", err)
			f.Detail = value.NewRecord([]string{"text"}, []value.Value{value.String(text)})
			return value.Nil, f
		}
		t.say("assistant", text)
		t.say("user", "That reply does not fit: "+err.Error()+". Reply again, with nothing but JSON that fits the schema.")
	}
}

func (t *talk) say(role, text string) {
	t.messages = append(t.messages, value.NewRecord([]string{"role", "content"}, []value.Value{value.String(role), value.String(text)}))
}

// fit reads a reply by the schema.
func (t *talk) fit(text string) (value.Value, error) {
	v, err := value.FromJSON([]byte(unfenced(text)))
	if err != nil {
		return value.Nil, err
	}
	if r, ok := v.AsRecord(); ok && t.wrapped && r.Len() == 1 {
		if inner, found := r.Get("value"); found {
			v = inner
		}
	}
	return schema.Fit(v, t.schema)
}

// unfenced takes off the marks that models put around code.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	_, inner, _ = strings.Cut(inner, "\n")
	return strings.TrimSpace(strings.TrimSuffix(inner, "```"))
}

// within makes one request if the budget of the instance has room for it.
func (c *Caller) within(ctx context.Context, t *talk, round int) (string, error) {
	r, err := c.modelRequest(t, round)
	if err != nil {
		return "", err
	}
	most := guess(len(r.body)) + t.longest
	fits, err := t.call.Tokens.Hold(ctx, most, c.config.Budget)
	if err != nil {
		return "", err
	}
	if !fits {
		return "", fail("budget", "%s has used %d tokens, and its budget is %d; WF_LLM_BUDGET or `model.budget` in the configuration file sets it", t.call.Instance, t.call.Tokens.Used(), c.config.Budget)
	}
	before := t.tokens
	defer func() { t.call.Tokens.Free(most, t.tokens-before) }()
	return c.reply(ctx, t, r)
}

// reply makes a request and gives the text of the reply.
func (c *Caller) reply(ctx context.Context, t *talk, r *request) (string, error) {
	host, port := hostOf(t.url)
	if err := c.rules.Model(host, port); err != nil {
		return "", err
	}
	transport := c.model
	if t.call.Once {
		transport = c.single
	}
	in, err := exchange(context.WithValue(ctx, modelKey{}, true), transport, r)
	if err != nil {
		return "", noAnswer(r, err)
	}
	if in.status < 200 || in.status > 299 {
		if in.status < 400 {
			return "", fail("unavailable", "%s answers %s; the address of the model is configured wrongly", r, statusText(in.status))
		}
		_, err := c.answer(r, in)
		return "", err
	}
	body, err := value.FromJSON(in.body)
	if err != nil {
		return "", fail("unavailable", "%s did not answer with JSON: %v", r, err)
	}
	text, found := textOf(body)
	t.count(body, r.body, text)
	if !found {
		return "", fail("unavailable", "%s answered without a text: %s", r, body.Short(shownBody))
	}
	return text, nil
}

// guess is how many tokens so many bytes are: one for every four.
func guess(bytes int) uint64 { return uint64(bytes)/4 + 1 }

// count adds the tokens that the endpoint has counted; from one that does not,
// a guess.
func (t *talk) count(body value.Value, sent []byte, text string) {
	if n, ok := at(body, "usage", "total_tokens").AsInt(); ok && n >= 0 {
		t.tokens += uint64(n)
		return
	}
	t.tokens += guess(len(sent) + len(text))
}

// textOf finds choices[0].message.content.
func textOf(body value.Value) (string, bool) {
	choices, _ := at(body, "choices").AsList()
	if len(choices) == 0 {
		return "", false
	}
	return at(choices[0], "message", "content").AsString()
}

// at follows the names of fields, to nil if there is nothing.
func at(v value.Value, names ...string) value.Value {
	for _, name := range names {
		r, ok := v.AsRecord()
		if !ok {
			return value.Nil
		}
		v, _ = r.Get(name)
	}
	return v
}

func (c *Caller) modelRequest(t *talk, round int) (*request, error) {
	body, err := value.ToJSON(value.NewRecord(append([]string{"messages"}, t.fields...), append([]value.Value{value.List(t.messages...)}, t.values...)))
	if err != nil {
		return nil, err
	}
	r := &request{method: http.MethodPost, url: t.url, header: http.Header{}, body: body}
	r.header.Set("Content-Type", "application/json")
	r.header.Set("Accept", "application/json")
	r.header.Set("User-Agent", "wf")
	if c.config.Key != "" {
		r.header.Set("Authorization", "Bearer "+c.config.Key)
	}
	if key := t.call.Key; key != "" {
		if round > 1 {
			key += "-again"
		}
		r.header.Set("Idempotency-Key", key)
	}
	return r, nil
}

// newTalk reads the arguments of LLM.ask.
func (c *Caller) newTalk(a arguments, call engine.Call) (*talk, error) {
	if c.config.BaseURL == "" {
		return nil, fail("denied", "no model is configured: set WF_LLM_BASE_URL, or `model.base_url` in the configuration file")
	}
	u, err := url.Parse(strings.TrimSuffix(c.config.BaseURL, "/") + "/chat/completions")
	if err == nil {
		err = checkAddress(u)
	}
	if err != nil {
		return nil, fail("denied", "the configured address of the model cannot be used: %v", messageOf(err))
	}
	t := &talk{call: call, url: u, schema: a.get("schema"), longest: usualReply}
	if err := t.options(a, c.config.Name); err != nil {
		return nil, err
	}
	return t, t.opening(a)
}

func messageOf(err error) string {
	var f *interp.Fault
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}

// opening are the messages that the script gives: system, earlier ones, prompt.
func (t *talk) opening(a arguments) error {
	if s, given, err := a.text("system"); err != nil {
		return err
	} else if given {
		t.say("system", s)
	}
	if v := a.get("messages"); !v.IsNil() {
		list, ok := v.AsList()
		if !ok {
			return a.bad("messages", "a list", v)
		}
		for _, m := range list {
			if role, ok := at(m, "role").AsString(); !ok || role == "" {
				return badArgument("a message of LLM.ask has to be a record { role, content }, and this is %s", m.Short(60))
			}
		}
		t.messages = append(t.messages, list...)
	}
	s, given, err := a.text("prompt")
	switch {
	case err != nil:
		return err
	case given:
		t.say("user", s)
	case len(t.messages) == 0:
		return badArgument("LLM.ask needs a prompt, or messages")
	}
	return nil
}

func (t *talk) options(a arguments, model string) error {
	if name, given, err := a.text("model"); err != nil {
		return err
	} else if given {
		model = name
	}
	if model == "" {
		return badArgument("LLM.ask needs a model: set WF_LLM_MODEL, or `model.name` in the configuration file, or say `model:`")
	}
	t.set("model", value.String(model))
	if v := a.get("temperature"); !v.IsNil() {
		switch v.Kind() {
		case value.KindInt, value.KindDecimal, value.KindFloat:
			t.set("temperature", v)
		default:
			return a.bad("temperature", "a number", v)
		}
	}
	if v := a.get("max_tokens"); !v.IsNil() {
		n, ok := v.AsInt()
		if !ok || n < 1 {
			return badArgument("`max_tokens` of LLM.ask has to be an Int above zero, and this is %s", v.Short(40))
		}
		t.longest = uint64(n)
		t.set("max_tokens", v)
	}
	if !t.schema.IsNil() {
		t.format()
	}
	return nil
}

func (t *talk) set(name string, v value.Value) {
	t.fields, t.values = append(t.fields, name), append(t.values, v)
}

// format sends the schema along. Endpoints want an object: another value goes
// into one.
func (t *talk) format() {
	sent := t.schema
	if kind, _ := at(sent, "type").AsString(); kind != "object" {
		t.wrapped = true
		names := []string{"type", "properties", "required"}
		vals := []value.Value{value.String("object"), value.NewRecord([]string{"value"}, []value.Value{sent}), value.List(value.String("value"))}
		if defs := at(sent, "$defs"); !defs.IsNil() {
			names, vals = append(names, "$defs"), append(vals, defs)
		}
		sent = value.NewRecord(names, vals)
	}
	t.set("response_format", value.NewRecord([]string{"type", "json_schema"}, []value.Value{value.String("json_schema"),
		value.NewRecord([]string{"name", "schema"}, []value.Value{value.String("reply"), sent})}))
}

package call

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
	"github.com/wf-lang/wf/stdlib/schema"
)

// A Stage stands for the world outside in tests. It makes no call: it takes an
// answer that somebody has made up through the same rules as a real one, so that
// a script that passes its tests meets nothing new outside.
type Stage struct{ caller *Caller }

// An Unusable answer was made up wrongly.
type Unusable struct{ Message string }

func (u *Unusable) Error() string { return u.Message }

func unusable(format string, args ...any) error { return &Unusable{fmt.Sprintf(format, args...)} }

// NewStage makes a stage. The clock says when a server's Retry-After is over.
func NewStage(clock engine.Clock) *Stage {
	return &Stage{New(Config{Secrets: secret.Pretend(), Clock: clock})}
}

// Knows gives the answer of a call that needs no world, false if it needs one:
// on a stage there is every secret.
func (s *Stage) Knows(c engine.Call) (v value.Value, err error, known bool) {
	if c.Op.Module != "Secret" {
		return value.Nil, nil, false
	}
	v, err = s.caller.secret(arguments{op: c.Op, given: c.Args})
	return v, err, true
}

// Answer gives what a call has for an answer: a made-up answer of Http is a
// record of what is not as usual (`status: 200`, no headers, no body), of Exec
// likewise (`code: 0`, no output), of LLM the reply; of all others the value
// itself. Its errors are the *interp.Fault of real answers, and *Unusable for what
// no server, program or model could answer.
func (s *Stage) Answer(c engine.Call, made value.Value) (value.Value, error) {
	a := arguments{op: c.Op, given: c.Args}
	switch c.Op.Module {
	case "Http":
		return s.http(a, c, made)
	case "Exec":
		return s.exec(a, made)
	case "LLM":
		return s.model(a, made)
	}
	return made, nil
}

// Takes is how long a call is under way whose answer would take so long: not
// longer than its own limit.
func (s *Stage) Takes(c engine.Call, answer time.Duration) time.Duration {
	if limit, late, err := s.limitOf(c); err != nil || late != nil {
		return min(answer, limit)
	}
	return answer
}

// Late is the error of a call that has no answer in its time, nil if an answer
// that takes so long comes in time.
func (s *Stage) Late(c engine.Call, answer time.Duration) error {
	limit, late, err := s.limitOf(c)
	if err == nil && late != nil && answer > limit {
		return late
	}
	return err
}

// limitOf is the patience of the calls that have one.
func (s *Stage) limitOf(c engine.Call) (time.Duration, *interp.Fault, error) {
	a := arguments{op: c.Op, given: c.Args}
	late := c.Op.FullName() + " had no answer"
	switch c.Op.Module {
	case "Http":
		r, err := s.caller.newRequest(a, c)
		if err != nil {
			return 0, nil, err
		}
		late = r.String() + " had no answer"
	case "Exec":
		name, err := a.needText("program")
		if err != nil {
			return 0, nil, err
		}
		late = filepath.Base(name) + " had not ended"
	case "LLM":
	default:
		return 0, nil, nil
	}
	return patience(a, c, late)
}

func (s *Stage) http(a arguments, c engine.Call, made value.Value) (value.Value, error) {
	r, err := s.caller.newRequest(a, c)
	if err != nil {
		return value.Nil, err
	}
	p, err := partsOf(a, made, "status", "headers", "body", "json")
	if err != nil {
		return value.Nil, err
	}
	in := &received{status: http.StatusOK, header: http.Header{}}
	if v := p.get("status"); !v.IsNil() {
		n, ok := v.AsInt()
		if !ok || n < 100 || n > 599 {
			return value.Nil, p.bad("status", "a number from 100 to 599", v)
		}
		in.status = int(n)
	}
	if in.header, err = p.headers(); err != nil {
		return value.Nil, err
	}
	if in.body, err = p.body(); err != nil {
		return value.Nil, err
	}
	return s.caller.answer(r, in)
}

func (s *Stage) exec(a arguments, made value.Value) (value.Value, error) {
	name, err := a.needText("program")
	if err != nil {
		return value.Nil, err
	}
	expect, err := a.expected()
	if err != nil {
		return value.Nil, err
	}
	encoding, err := encodingOf(a, "encoding")
	if err != nil {
		return value.Nil, err
	}
	p, err := partsOf(a, made, "code", "out", "err")
	if err != nil {
		return value.Nil, err
	}
	code := int64(0)
	if v := p.get("code"); !v.IsNil() {
		var ok bool
		if code, ok = v.AsInt(); !ok || code < 0 || code > 255 {
			return value.Nil, p.bad("code", "a number from 0 to 255", v)
		}
	}
	var streams [2]limited
	for i, name := range []string{"out", "err"} {
		text, err := p.text(name)
		if err != nil {
			return value.Nil, err
		}
		streams[i].buf = []byte(text)
	}
	streams[0].raw = encoding != ""
	return outcome(filepath.Base(name), int(code), expect, &streams[0], &streams[1])
}

// model reads a reply by the schema of the call, without asking again.
func (s *Stage) model(a arguments, made value.Value) (value.Value, error) {
	wanted := a.get("schema")
	text, isText := made.AsString()
	switch {
	case wanted.IsNil() && !isText:
		return value.Nil, unusable("without a `schema` %s answers a String, and the mock gives %s", a.op.FullName(), made.Kind().Article())
	case wanted.IsNil():
		return made, nil
	}
	var err error
	if isText {
		t := &talk{schema: wanted}
		made, err = t.fit(text)
	} else {
		made, err = throughJSON(made)
		if err == nil {
			made, err = schema.Fit(made, wanted)
		}
	}
	if err != nil {
		return value.Nil, fail(stdlib.CodeSchema, "the model's reply does not fit, also when asked again: %v", err)
	}
	return made, nil
}

// throughJSON gives what becomes of a value on its way through JSON.
func throughJSON(v value.Value) (value.Value, error) {
	text, err := value.ToJSON(v)
	if err != nil {
		return value.Nil, err
	}
	return value.FromJSON(text)
}

// parts are the fields of a made-up answer.
type parts struct {
	of     string
	record *value.Record
}

// partsOf reads a made-up answer, which has no other fields than these.
func partsOf(a arguments, made value.Value, names ...string) (parts, error) {
	p := parts{of: a.op.FullName()}
	var ok bool
	if p.record, ok = made.AsRecord(); !ok {
		return p, unusable("%s answers a record { %s }, and the mock gives %s", p.of, strings.Join(names, ", "), made.Kind().Article())
	}
	for i := range p.record.Len() {
		key, _ := p.record.At(i)
		known := false
		for _, n := range names {
			known = known || n == key
		}
		if !known {
			return p, unusable("an answer of %s has the fields %s, and not `%s`", p.of, strings.Join(names, ", "), key)
		}
	}
	return p, nil
}

func (p parts) get(name string) value.Value {
	v, _ := p.record.Get(name)
	return v
}

func (p parts) bad(name, want string, v value.Value) error {
	return unusable("`%s` of an answer of %s has to be %s, and this is %s", name, p.of, want, v.Short(60))
}

func (p parts) text(name string) (string, error) {
	v := p.get(name)
	s, ok := v.AsString()
	if !ok && !v.IsNil() {
		return "", p.bad(name, "a String", v)
	}
	return s, nil
}

func (p parts) headers() (http.Header, error) {
	h := http.Header{}
	v := p.get("headers")
	if v.IsNil() {
		return h, nil
	}
	r, ok := v.AsRecord()
	if !ok {
		return nil, p.bad("headers", "a record", v)
	}
	for i := range r.Len() {
		name, x := r.At(i)
		h.Set(name, x.Text())
	}
	return h, nil
}

// body is the body as bytes: the text, or the JSON.
func (p parts) body() ([]byte, error) {
	text, err := p.text("body")
	if err != nil {
		return nil, err
	}
	v := p.get("json")
	if v.IsNil() {
		return []byte(text), nil
	}
	if text != "" {
		return nil, unusable("an answer of %s has a `body` or a `json`, not both: the one is the text of the other", p.of)
	}
	return value.ToJSON(v)
}

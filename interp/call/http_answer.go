package call

import (
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
	"github.com/wf-lang/wf/stdlib/schema"
)

// shownBody is how many characters of a body an error's message has.
const shownBody = 200

// answer makes of what came { status, headers, body, json }, or the error that it
// is.
func (c *Caller) answer(r *request, in *received) (value.Value, error) {
	body, err := bodyText(r, in)
	if err != nil {
		return value.Nil, c.withAnswer(err, in, "", value.Nil)
	}
	json, err := bodyJSON(r, in, body)
	if err != nil && in.status < 400 {
		return value.Nil, c.withAnswer(err, in, body, value.Nil)
	}
	if clean := c.secrets.RedactValue(json); !value.Equal(clean, json) && c.secrets.Redact(body) == body {
		// the text hides a secret behind escapes: it is written anew, without
		if text, err := value.ToJSON(clean); err == nil {
			body = string(text)
		}
	}
	if in.status >= 400 && !r.expect.has(in.status) {
		message := r.String() + " was answered " + statusText(in.status)
		if text := strings.TrimSpace(body); text != "" {
			message += ": " + shown(text)
		}
		return value.Nil, c.withAnswer(fail("http_"+strconv.Itoa(in.status), "%s", message), in, body, json)
	}
	if !r.schema.IsNil() && in.status < 400 {
		if json.IsNil() {
			if err := noJSON(r, body); err != nil {
				return value.Nil, c.withAnswer(err, in, body, json)
			}
		}
		fitted, err := schema.Fit(json, r.schema)
		if err != nil {
			return value.Nil, c.withAnswer(fail(stdlib.CodeSchema, "the answer of %s does not fit: %v", r, err), in, body, json)
		}
		json = fitted
	}
	v := answerValue(in, body, json)
	if v.Size() > maxBytes {
		return value.Nil, fail("too_large", "the answer of %s takes %d bytes as text and as JSON; the limit is %d", r, v.Size(), maxBytes)
	}
	return v, nil
}

func answerValue(in *received, body string, json value.Value) value.Value {
	return value.NewRecord([]string{"status", "headers", "body", "json"},
		[]value.Value{value.Int(int64(in.status)), headersValue(in.header), value.String(body), json})
}

// headersValue gives the names in small letters and in order; several values of
// one name stand behind each other, with commas.
func headersValue(h http.Header) value.Value {
	var names []string
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	keys, vals := make([]string, len(names)), make([]value.Value, len(names))
	for i, name := range names {
		keys[i] = strings.ToValidUTF8(strings.ToLower(name), "?")
		vals[i] = value.String(strings.ToValidUTF8(strings.Join(h[name], ", "), "?"))
	}
	return value.NewRecord(keys, vals)
}

// withAnswer gives an error the answer as its detail, and, if the server says
// so, the instant before which it makes no sense to try again.
func (c *Caller) withAnswer(err error, in *received, body string, json value.Value) error {
	f := faultOf(err)
	f.Detail = answerValue(in, body, json)
	if f.Detail.Size() > maxBytes {
		f.Detail = answerValue(in, "", value.Nil)
	}
	if at, ok := retryAt(in.header, c.clock.Now()); ok {
		r, _ := f.Detail.AsRecord()
		f.Detail = r.With("retry_at", value.Time(at))
	}
	return f
}

// bodyText is the body as a String: UTF-8, or what can be made so, or Base64 if
// the script wants that.
func bodyText(r *request, in *received) (string, error) {
	if r.encoding == "base64" {
		return base64.StdEncoding.EncodeToString(in.body), nil
	}
	kind, params, err := mime.ParseMediaType(in.header.Get("Content-Type"))
	if err != nil {
		kind = "of no type"
	}
	switch strings.ToLower(params["charset"]) {
	case "iso-8859-1", "latin1", "us-ascii":
		return latin1(in.body), nil
	}
	text := strings.TrimPrefix(string(in.body), "\ufeff")
	if !utf8.ValidString(text) {
		return "", fail("encoding", "the answer of %s (%d bytes, %s) is no UTF-8 text; `encoding: \"base64\"` gives its bytes", r, len(in.body), kind)
	}
	return text, nil
}

func latin1(b []byte) string {
	out := make([]rune, len(b))
	for i, c := range b {
		out[i] = rune(c)
	}
	return string(out)
}

// bodyJSON is the body as JSON, nil if it is none. A number that an Int cannot
// hold is an error where the server says that it is JSON: it is never rounded.
func bodyJSON(r *request, in *received, body string) (value.Value, error) {
	if r.encoding != "" || strings.TrimSpace(body) == "" {
		return value.Nil, nil
	}
	v, err := value.FromJSON([]byte(body))
	var bad *value.Error
	if errors.As(err, &bad) && bad.Code != value.CodeFormat && isJSON(in.header.Get("Content-Type")) {
		return value.Nil, &interp.Fault{Code: bad.Code, Message: "the JSON that " + r.String() + " was answered cannot be kept: " + bad.Message, Index: -1}
	}
	if err != nil {
		return value.Nil, nil
	}
	return v, nil
}

// noJSON says why a body that has to fit a schema is no JSON, nil if it is.
func noJSON(r *request, body string) error {
	if r.encoding != "" {
		return badArgument("the answer of %s has no JSON beside `encoding: %q`, so it cannot fit a schema", r, r.encoding)
	}
	if strings.TrimSpace(body) == "" {
		return fail(stdlib.CodeSchema, "the answer of %s does not fit: it has no body", r)
	}
	if _, err := value.FromJSON([]byte(body)); err != nil {
		return fail(stdlib.CodeSchema, "the answer of %s does not fit: %v: %s", r, err, shown(strings.TrimSpace(body)))
	}
	return nil
}

// shown is the beginning of a body, on one line.
func shown(text string) string {
	if runes := []rune(text); len(runes) > shownBody {
		text = string(runes[:shownBody-1]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json"))
}

func statusText(status int) string {
	s := strconv.Itoa(status)
	if t := http.StatusText(status); t != "" {
		s += " " + t
	}
	return s
}

// retryAt reads Retry-After, seconds or a date: the instant in this machine's
// time. A date counts from the server's own clock, if it tells that.
func retryAt(h http.Header, now int64) (int64, bool) {
	text := h.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	var wait time.Duration
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(n) * time.Second
	} else {
		at, err := http.ParseTime(text)
		if err != nil {
			return 0, false
		}
		from := time.Unix(0, now)
		if there, err := http.ParseTime(h.Get("Date")); err == nil {
			from = there
		}
		wait = at.Sub(from)
	}
	if wait < 0 {
		wait = 0
	}
	return now + int64(min(wait, 365*24*time.Hour)), true
}

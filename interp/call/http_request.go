package call

import (
	"encoding/base64"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// A request is one to be made, secrets and all.
type request struct {
	method   string
	url      *url.URL
	header   http.Header
	body     []byte // nil: none
	expect   codes
	schema   value.Value
	encoding string
}

// String says a request without its query, which may have secrets in it.
func (r *request) String() string {
	return r.method + " " + r.url.Scheme + "://" + r.url.Host + r.url.EscapedPath()
}

func (r *request) host() (string, uint16) { return hostOf(r.url) }

func (c *Caller) newRequest(a arguments, call engine.Call) (*request, error) {
	r := &request{method: strings.ToUpper(call.Op.Name), header: http.Header{}, schema: a.get("schema")}
	var err error
	if r.url, err = c.address(a); err != nil {
		return nil, err
	}
	if r.expect, err = a.expected(); err != nil {
		return nil, err
	}
	if r.encoding, err = encodingOf(a, "encoding"); err != nil {
		return nil, err
	}
	if err := c.fill(r, a); err != nil {
		return nil, err
	}
	if err := c.headers(r, a); err != nil {
		return nil, err
	}
	if r.method != http.MethodGet && call.Key != "" && r.header.Get("Idempotency-Key") == "" {
		r.header.Set("Idempotency-Key", call.Key)
	}
	if r.header.Get("User-Agent") == "" {
		r.header.Set("User-Agent", "wf")
	}
	return r, nil
}

// encodingOf reads `encoding:` or its like: "text", or "base64" for what is no text.
func encodingOf(a arguments, name string) (string, error) {
	s, given, err := a.text(name)
	switch {
	case err != nil:
		return "", err
	case !given, s == "text":
		return "", nil
	case s == "base64":
		return s, nil
	}
	return "", badArgument("`%s` of %s has to be \"text\" or \"base64\", and this is %q", name, a.op.FullName(), s)
}

// address reads `url` and `query`.
func (c *Caller) address(a arguments) (*url.URL, error) {
	text, err := c.plain(a.get("url"), "`url` of "+a.op.FullName())
	if err != nil {
		return nil, err
	}
	secret := a.get("url").HasSecret()
	u, err := url.Parse(text)
	if err != nil {
		if secret {
			return nil, badArgument("the url, which has a secret in it, cannot be read")
		}
		return nil, badArgument("the url %s cannot be read", value.String(text).Short(80))
	}
	if err := checkAddress(u); err != nil {
		return nil, err
	}
	q, err := a.record("query")
	if err != nil || q == nil {
		return u, err
	}
	pairs, err := c.pairs(q, "query")
	if err != nil {
		return nil, err
	}
	if u.RawQuery != "" && pairs != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += pairs
	return u, nil
}

// checkAddress refuses what is not http(s) to a host in its one form, and makes
// the host that form.
func checkAddress(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return badArgument("a url begins with https:// or http://")
	case u.User != nil:
		return badArgument("a url has no user and password in it; say headers: { authorization: Secret.basic(\"user\", s) }")
	case u.Hostname() == "":
		return badArgument("the url has no host")
	}
	host := u.Hostname()
	if a, err := netip.ParseAddr(host); err == nil {
		host = a.String()
	} else if strings.Contains(host, ":") {
		return badArgument("the host [%s] of the url is no address", host)
	} else if host, err = allow.HostName(host); err != nil {
		return badArgument("the host %q of the url cannot be used: %v", u.Hostname(), err)
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return badArgument("the port %s of the url is no number from 1 to 65535", p)
		}
		host += ":" + p
	} else if strings.HasSuffix(u.Host, ":") {
		return badArgument("the url has a colon and no port")
	}
	u.Host, u.Fragment = host, ""
	return nil
}

// hostOf gives the host and port of an address that was checked.
func hostOf(u *url.URL) (string, uint16) {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return u.Hostname(), uint16(n)
	}
	if u.Scheme == "http" {
		return u.Hostname(), 80
	}
	return u.Hostname(), 443
}

// pairs writes the fields of a record as a query or form: a list repeats its
// name, nil leaves it out.
func (c *Caller) pairs(r *value.Record, what string) (string, error) {
	var out []string
	for i := range r.Len() {
		key, v := r.At(i)
		vs, isList := v.AsList()
		if !isList {
			vs = []value.Value{v}
		}
		for _, x := range vs {
			if x.IsNil() {
				continue
			}
			text, err := c.plain(x, "`"+key+"` in the "+what)
			if err != nil {
				return "", err
			}
			out = append(out, url.QueryEscape(key)+"="+url.QueryEscape(text))
		}
	}
	return strings.Join(out, "&"), nil
}

// fill gives the request its body: `form`, or `body` as text or JSON.
func (c *Caller) fill(r *request, a arguments) error {
	form, err := a.record("form")
	if err != nil {
		return err
	}
	body := a.get("body")
	if form != nil {
		if !body.IsNil() {
			return badArgument("%s has a `body` or a `form`, not both", a.op.FullName())
		}
		text, err := c.pairs(form, "form")
		r.body = []byte(text)
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
		return err
	}
	if body.IsNil() {
		return nil
	}
	if body, err = c.unsealed(body); err != nil {
		return err
	}
	encoding, err := encodingOf(a, "body_encoding")
	if err != nil {
		return err
	}
	s, isText := body.AsString()
	switch {
	case encoding == "base64":
		r.header.Set("Content-Type", "application/octet-stream")
		if r.body, err = base64.StdEncoding.DecodeString(s); err != nil || !isText {
			return badArgument("the body of %s is no Base64, as `body_encoding` says", a.op.FullName())
		}
		return nil
	case isText:
		r.body = []byte(s)
		r.header.Set("Content-Type", "text/plain; charset=utf-8")
		return nil
	}
	r.header.Set("Content-Type", "application/json")
	r.body, err = value.ToJSON(body)
	return err
}

// headers reads `headers`.
func (c *Caller) headers(r *request, a arguments) error {
	rec, err := a.record("headers")
	if err != nil || rec == nil {
		return err
	}
	for i := range rec.Len() {
		name, v := rec.At(i)
		if err := headerName(name); err != nil {
			return err
		}
		vs, isList := v.AsList()
		if !isList {
			vs = []value.Value{v}
		}
		r.header.Del(name)
		for _, x := range vs {
			if x.IsNil() {
				continue
			}
			text, err := c.plain(x, "the header "+name)
			if err != nil {
				return err
			}
			if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
				return badArgument("the header %s has a line break or another control character in it", name)
			}
			r.header.Add(name, text)
		}
	}
	return nil
}

// headerName refuses names that are none, and those that are the connection's.
func headerName(name string) error {
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("()<>@,;:\\\"/[]?={}", c) >= 0 {
			return badArgument("%s is no name of a header", value.String(name).Short(40))
		}
	}
	switch http.CanonicalHeaderKey(name) {
	case "":
		return badArgument("a header needs a name")
	case "Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Trailer", "Te", "Proxy-Connection", "Keep-Alive", "Expect":
		return badArgument("the header %s belongs to the connection, not to a script", name)
	}
	return nil
}

package call

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// maxRedirects is how many redirects one call follows.
const maxRedirects = 10

// http makes a call of the module Http.
func (c *Caller) http(ctx context.Context, a arguments, call engine.Call) (value.Value, error) {
	r, err := c.newRequest(a, call)
	if err != nil {
		return value.Nil, err
	}
	ctx, cancel, err := bounded(ctx, a, call, r.String()+" had no answer")
	if err != nil {
		return value.Nil, err
	}
	defer cancel()
	transport := c.pooled
	if call.Once {
		transport = c.single
	}
	ans, err := c.follow(ctx, transport, r)
	if err != nil {
		if late := timedOut(ctx); late != nil {
			return value.Nil, late
		}
		return value.Nil, noAnswer(r, err)
	}
	return c.answer(r, ans)
}

// noAnswer is the fault of a request that had none, or not all of one.
func noAnswer(r *request, err error) error {
	var out *url.Error
	if errors.As(err, &out) {
		err = out.Err // the rest repeats the address, query and all
	}
	f := faultOf(err)
	if f.Code == "unavailable" {
		f.Message = r.String() + " had no answer: " + f.Message
	}
	return f
}

// A received is an answer as it came.
type received struct {
	status int
	header http.Header
	body   []byte
}

// follow makes a request and the ones that redirects ask for.
func (c *Caller) follow(ctx context.Context, transport http.RoundTripper, r *request) (*received, error) {
	first := r.String()
	for hops := 0; ; hops++ {
		err := c.rules.Host(r.host())
		var ans *received
		if err == nil {
			ans, err = exchange(ctx, transport, r)
		}
		var denied *allow.Denied
		if hops > 0 && errors.As(err, &denied) {
			return nil, fail("denied", "%s was redirected to %s://%s: %v", first, r.url.Scheme, r.url.Host, denied)
		}
		if err != nil {
			return nil, err
		}
		to, err := r.redirected(ans)
		if err != nil || to == nil {
			return ans, err
		}
		if hops == maxRedirects {
			return nil, fail("too_many_redirects", "%s was redirected more than %d times", r, maxRedirects)
		}
		r.move(ans.status, to)
	}
}

// exchange makes one request and reads its answer.
func exchange(ctx context.Context, transport http.RoundTripper, r *request) (*received, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), body)
	if err != nil {
		return nil, badArgument("the request to %s cannot be made: %v", r.url.Host, err)
	}
	req.Header = r.header.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(read) > maxBytes {
		return nil, fail("too_large", "the answer of %s is larger than %d bytes", r, maxBytes)
	}
	return &received{status: resp.StatusCode, header: resp.Header, body: read}, nil
}

// redirected gives where an answer sends the request, nil if nowhere: if it is no
// redirect, or one that the script expects as an answer.
func (r *request) redirected(ans *received) (*url.URL, error) {
	place := ans.header.Get("Location")
	if !slices.Contains([]int{301, 302, 303, 307, 308}, ans.status) || place == "" || r.expect.has(ans.status) {
		return nil, nil
	}
	to, err := r.url.Parse(place)
	if err != nil {
		return nil, fail("unavailable", "%s was redirected to an address that cannot be read", r)
	}
	if err := checkAddress(to); err != nil {
		return nil, fail("denied", "%s was redirected to an address that is not followed: %v", r, faultOf(err).Message)
	}
	if keeps := ans.status == 307 || ans.status == 308; keeps && r.body != nil && !sameOrigin(r.url, to) {
		return nil, fail("denied", "%s was redirected to %s, and its body is not carried to another host; call that address if it is right", r, to.Host)
	}
	return to, nil
}

// move makes the request the one that a redirect asks for. To another host
// nothing goes along that the script has given.
func (r *request) move(status int, to *url.URL) {
	if status == 303 && r.method != http.MethodGet || (status == 301 || status == 302) && r.method == http.MethodPost {
		r.method, r.body = http.MethodGet, nil
		r.header.Del("Content-Type")
		r.header.Del("Idempotency-Key")
	}
	if !sameOrigin(r.url, to) {
		kept := http.Header{}
		for _, name := range []string{"Accept", "Accept-Language", "User-Agent"} {
			if vs := r.header.Values(name); len(vs) > 0 {
				kept[name] = vs
			}
		}
		r.header = kept
	}
	r.url = to
}

func sameOrigin(a, b *url.URL) bool {
	hostA, portA := hostOf(a)
	hostB, portB := hostOf(b)
	return a.Scheme == b.Scheme && hostA == hostB && portA == portB
}

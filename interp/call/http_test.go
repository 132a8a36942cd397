package call_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/lang/value"
)

func respond(text string) func(net.Conn) {
	return func(c net.Conn) { _, _ = io.WriteString(c, text) }
}

// Servers that misbehave: each ends as one error, soon.
func TestHostileServers(t *testing.T) {
	bomb := func(w http.ResponseWriter) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 64 {
			if _, err := z.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
		_ = z.Close()
	}
	text := func(contentType, body string) func(*testing.T) string {
		return func(t *testing.T) string {
			return serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", contentType)
				_, _ = io.WriteString(w, body)
			})
		}
	}
	plain := func(answer string) func(*testing.T) string {
		return func(t *testing.T) string { return raw(t, respond(answer)) }
	}
	handler := func(f http.HandlerFunc) func(*testing.T) string {
		return func(t *testing.T) string { return serve(t, f) }
	}
	for name, c := range map[string]struct {
		server func(*testing.T) string
		code   string // "" if the answer is one
		body   string
		json   string
	}{
		"refused":            {func(*testing.T) string { return "http://127.0.0.1:1" }, "unavailable", "", ""},
		"closed at once":     {plain(""), "unavailable", "", ""},
		"no HTTP":            {plain("hello there\r\n\r\n"), "unavailable", "", ""},
		"slow head":          {func(t *testing.T) string { return raw(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }) }, "timeout", "", ""},
		"slow body":          {handler(func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() }), "timeout", "", ""},
		"cut in the middle":  {plain("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), "unavailable", "", ""},
		"bad chunk":          {plain("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n"), "unavailable", "", ""},
		"chunks without end": {plain("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), "unavailable", "", ""},
		"bad length":         {plain("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), "unavailable", "", ""},
		"two lengths":        {plain("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), "unavailable", "", ""},
		"huge head":          {plain("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), "unavailable", "", ""},
		"endless body": {handler(func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}), "too_large", "", ""},
		"gzip bomb":          {handler(func(w http.ResponseWriter, _ *http.Request) { bomb(w) }), "too_large", "", ""},
		"broken gzip":        {plain("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"), "unavailable", "", ""},
		"HTTP/1.0":           {plain("HTTP/1.0 200 OK\r\n\r\nold"), "", "old", "nil"},
		"204 with a body":    {plain("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc"), "", "", "nil"},
		"invalid UTF-8":      {text("text/plain", "a\xff\xfe"), "encoding", "", ""},
		"latin 1":            {text("text/plain; charset=iso-8859-1", "caf\xe9"), "", "café", "nil"},
		"byte order mark":    {text("application/json", "\ufeff[1]"), "", "[1]", "[1]"},
		"no JSON":            {text("application/json", "{oops"), "", "{oops", "nil"},
		"JSON by another":    {text("text/html", `{"a": 1.50}`), "", `{"a": 1.50}`, "{ a: 1.50 }"},
		"exact Int":          {text("application/json", "7615917337495251231"), "", "7615917337495251231", "7615917337495251231"},
		"beyond 64 bits":     {text("application/json", `{"n": 9223372036854775808}`), "overflow", "", ""},
		"beyond, as text":    {text("text/plain", "9223372036854775808"), "", "9223372036854775808", "nil"},
		"a field twice":      {text("application/json", `{"a": 1, "a": 2}`), "", `{"a": 1, "a": 2}`, "nil"},
		"deep JSON":          {text("application/json", strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)), "depth", "", ""},
		"head in Latin 1":    {plain("HTTP/1.1 200 OK\r\nX-A: caf\xe9\r\nContent-Length: 2\r\n\r\nok"), "", "ok", "nil"},
		"no type":            {plain("HTTP/1.1 200 OK\r\nContent-Type: ;;;\r\nContent-Length: 2\r\n\r\n[]"), "", "[]", "[]"},
		"status 404":         {handler(http.NotFound), "http_404", "", ""},
		"status 999":         {plain("HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n"), "http_999", "", ""},
		"redirect for ever":  {handler(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"x", http.StatusFound) }), "too_many_redirects", "", ""},
		"redirect to itself": {handler(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }), "too_many_redirects", "", ""},
		"redirect inside": {handler(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
		}), "denied", "", ""},
		"redirect elsewhere": {handler(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.com/", http.StatusFound)
		}), "denied", "", ""},
		"redirect to a file": {handler(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(302)
		}), "denied", "", ""},
		"redirect disguised": {handler(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://2130706433/")
			w.WriteHeader(302)
		}), "denied", "", ""},
		"redirect with user": {handler(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://a:b@127.0.0.1/")
			w.WriteHeader(302)
		}), "denied", "", ""},
		"redirect to noise": {handler(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://[::")
			w.WriteHeader(302)
		}), "unavailable", "", ""},
		"redirect nowhere": {handler(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(302) }), "", "", "nil"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			limit := value.Duration(20 * time.Second)
			if c.code == "timeout" {
				limit = value.Duration(100 * time.Millisecond)
			}
			v, err := w.get(c.server(t), "timeout", limit)
			if c.code != "" {
				fails(t, c.code, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.body, at(t, v, "body").Text())
			require.Equal(t, c.json, at(t, v, "json").String())
		})
	}
}

// Addresses that are refused before anything is looked up.
func TestAddressesThatAreNone(t *testing.T) {
	w := newWorld(t, rules(func(a *allow.Config) { a.All = true }))
	for _, url := range []string{"", "example.com", "ftp://example.com", "file:///etc/passwd", "http://", "http:///path", "http://user@127.0.0.1/", "http://u:p@127.0.0.1/",
		"http://127.0.0.1@evil.org/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://127.1/", "http://127.0.0.1.:80/", "http://[::1/", "http://[::1]x/",
		"http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://127.0.0.1:/", "http://a b/", "http://exa%6dple.com:x/", "http://münchen.de/", "javascript:alert(1)", "http://127.0.0.1\r\nX: y/"} {
		_, err := w.get(url)
		fails(t, "bad_argument", err)
	}
}

// A name is allowed, but not what it turns out to be. The resolver is a server of
// the test that says 127.0.0.1 to everything.
func TestNamesThatPointInside(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("it was reached") })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	resolver := fakeResolver(t)
	for _, entry := range []string{"", "rebind.example.com", "*.example.com"} {
		w := newWorld(t, func(c *call.Config, a *allow.Config) {
			c.Resolver = resolver
			a.Allow[allow.Net] = allow.Entries{All: entry == "", List: []string{entry}}
			if entry == "" {
				a.Allow[allow.Net].List = nil
			}
		})
		_, err := w.get("http://rebind.example.com:" + port + "/")
		f := fails(t, "denied", err)
		require.Contains(t, f.Message, "rebind.example.com is 127.0.0.1, a loopback address")
		require.Contains(t, f.Message, "--allow-net=127.0.0.1:"+port)
	}
}

// fakeResolver answers every question for an address with 127.0.0.1.
func fakeResolver(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(loopbackAnswer(buf[:n]), from)
		}
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		<-done
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// loopbackAnswer answers a DNS question: 127.0.0.1 for an A, nothing for others.
func loopbackAnswer(question []byte) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	out := append([]byte(nil), question[:end]...)
	out[2], out[3] = 0x81, 0x80
	out[6], out[7], out[8], out[9], out[10], out[11] = 0, 0, 0, 0, 0, 0
	if question[end-3] == 1 { // the type A
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
	}
	return out
}

// What a script gives reaches the server as it should.
func TestRequests(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode([]any{r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("Idempotency-Key"), r.Header.Values("X-A"), string(body)})
	})
	w := newWorld(t)
	for _, c := range []struct {
		op    string
		named []any
		want  string
	}{
		{"get", nil, `["GET", "/p?q=1", "", "", nil, ""]`},
		{"get", []any{"query", rec("a", list(value.Int(1), str("x y")), "b", value.Nil, "c", value.Bool(true)), "headers", rec("X-A", list(str("1"), str("2")))},
			`["GET", "/p?q=1&a=1&a=x+y&c=true", "", "", ["1", "2"], ""]`},
		{"post", []any{"body", rec("n", value.Int(7615917337495251231))}, `["POST", "/p?q=1", "application/json", "key-1", nil, "{\"n\":7615917337495251231}"]`},
		{"post", []any{"body", list()}, `["POST", "/p?q=1", "application/json", "key-1", nil, "[]"]`},
		{"put", []any{"body", str("text"), "headers", rec("idempotency-key", str("mine"), "content-type", str("text/csv"))}, `["PUT", "/p?q=1", "text/csv", "mine", nil, "text"]`},
		{"patch", []any{"form", rec("a", str("ü&"), "b", list(value.Int(1), value.Int(2)))}, `["PATCH", "/p?q=1", "application/x-www-form-urlencoded", "key-1", nil, "a=%C3%BC%26&b=1&b=2"]`},
		{"delete", nil, `["DELETE", "/p?q=1", "", "key-1", nil, ""]`},
	} {
		v, err := w.do(t.Context(), "Http."+c.op, []value.Value{str(url + "/p?q=1#part")}, c.named...)
		require.NoError(t, err)
		require.Equal(t, c.want, at(t, v, "json").String())
	}
	for _, named := range [][]any{
		{"body", str("x"), "form", rec("a", str("b"))}, {"headers", rec("a b", str("x"))}, {"headers", rec("x", str("a\r\nb"))}, {"headers", rec("Content-Length", str("5"))},
		{"headers", str("x")}, {"query", rec("a", rec())}, {"timeout", value.Duration(0)}, {"expect", str("404")}, {"expect", list(str("x"))}, {"encoding", str("hex")},
	} {
		_, err := w.do(t.Context(), "Http.post", []value.Value{str(url)}, named...)
		fails(t, "bad_argument", err)
	}
}

func TestExpect(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Why", "because")
		w.WriteHeader(409)
		_, _ = io.WriteString(w, `{"why": "taken"}`)
	})
	w := newWorld(t)
	_, err := w.get(url + "/a?secret=1")
	f := fails(t, "http_409", err)
	require.Contains(t, f.Message, `/a was answered 409 Conflict: {"why": "taken"}`)
	require.NotContains(t, f.Message, "secret=1")
	require.Equal(t, `"taken"`, at(t, f.Detail, "json", "why").String())
	require.Equal(t, `"because"`, at(t, f.Detail, "headers", "x-why").String())
	for _, expect := range []value.Value{value.Int(409), list(value.Int(404), value.Int(409)), str("any")} {
		v, err := w.get(url, "expect", expect)
		require.NoError(t, err)
		require.Equal(t, "409", at(t, v, "status").String())
	}
	_, err = w.get(url, "expect", value.Int(404))
	fails(t, "http_409", err)
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"120": 2 * time.Minute, "Tue, 01 Jan 2030 11:00:30 GMT": 30 * time.Second, "0": 0, "soon": -1, "": -1, "-5": -1,
		"Tue, 01 Jan 2030 10:00:00 GMT": 0, "999999999": 365 * 24 * time.Hour} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", "Tue, 01 Jan 2030 11:00:00 GMT") // its clock is an hour behind
			w.Header().Set("Retry-After", header)
			w.WriteHeader(429)
		})
		_, err := newWorld(t).get(url)
		f := fails(t, "http_429", err)
		nanos, ok := at(t, f.Detail, "retry_at").AsTime()
		require.Equal(t, want >= 0, ok, header)
		if ok {
			require.Equal(t, int64(noon())+int64(want), nanos, header)
		}
	}
}

// To another host nothing goes along that the script gave.
func TestRedirectsCarryNothing(t *testing.T) {
	var seen []string
	note := func(r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %s auth=%q key=%q x=%q body=%q", r.Method, r.URL.Path, r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), r.Header.Get("X-Api-Key"), body))
	}
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { note(r) })
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		note(r)
		switch r.URL.Path {
		case "/here":
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		case "/out":
			http.Redirect(w, r, other+"/got", http.StatusFound)
		case "/carry":
			http.Redirect(w, r, other+"/got", http.StatusPermanentRedirect)
		case "/inside":
			http.Redirect(w, r, "http://10.0.0.1/admin", http.StatusFound)
		}
	})
	w := newWorld(t)
	post := func(path string) error {
		_, err := w.do(t.Context(), "Http.post", []value.Value{str(url + path)}, "body", str("b"), "headers", rec("authorization", str("A"), "x-api-key", str("K")))
		return err
	}
	require.NoError(t, post("/here"))
	require.NoError(t, post("/out"))
	fails(t, "denied", post("/carry"))
	require.Equal(t, []string{
		`POST /here auth="A" key="key-1" x="K" body="b"`, `POST /there auth="A" key="key-1" x="K" body="b"`,
		`POST /out auth="A" key="key-1" x="K" body="b"`, `GET /got auth="" key="" x="" body=""`,
		`POST /carry auth="A" key="key-1" x="K" body="b"`,
	}, seen)
	_, err := w.get(url + "/inside")
	require.Contains(t, fails(t, "denied", err).Message, "/inside was redirected to http://10.0.0.1: it is not allowed to reach 10.0.0.1:80")
	v, err := w.get(url+"/out", "expect", value.Int(302))
	require.NoError(t, err)
	require.Equal(t, "302", at(t, v, "status").String())
}

// A call that is cancelled comes back at once, with no fault of the script.
func TestCancel(t *testing.T) {
	reached := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-reached
		cancel()
	}()
	_, err := newWorld(t).do(ctx, "Http.get", []value.Value{str(url)})
	require.ErrorIs(t, err, context.Canceled)
}

// A call that is to be made once is not repeated below either, when the server
// drops the connection that was kept; another one may be.
func TestOnceIsOnce(t *testing.T) {
	var requests atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1); r.URL.Path == "/drop" {
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = c.Close()
			}
		}
	})
	w := newWorld(t)
	w.once = true
	_, err := w.do(t.Context(), "Http.post", []value.Value{str(url + "/ok")})
	require.NoError(t, err)
	_, err = w.do(t.Context(), "Http.post", []value.Value{str(url + "/drop")})
	fails(t, "unavailable", err)
	require.Equal(t, int32(2), requests.Load())
}

func TestBinaryAndSchema(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/png" {
			_, _ = w.Write([]byte{0x89, 'P', 'N', 'G', 0xff})
			return
		}
		switch r.URL.Path {
		case "/cut":
			_, _ = io.WriteString(w, `{"id": `)
			return
		case "/empty":
			return
		}
		_, _ = io.WriteString(w, `{"price": 3, "name": "x"}`)
	})
	w := newWorld(t)
	v, err := w.get(url+"/png", "encoding", str("base64"))
	require.NoError(t, err)
	require.Equal(t, "iVBOR/8=", at(t, v, "body").Text())
	decimal := rec("type", str("object"), "properties", rec("price", rec("type", str("number"), "format", str("decimal"))), "required", list(str("price")))
	v, err = w.get(url, "schema", decimal)
	require.NoError(t, err)
	require.Equal(t, value.KindDecimal, at(t, v, "json", "price").Kind())
	_, err = w.get(url, "schema", rec("type", str("array")))
	f := fails(t, "schema", err)
	require.Contains(t, f.Message, "$: expected")

	for path, want := range map[string]string{"/cut": `does not fit: invalid JSON at byte 7: `, "/empty": "does not fit: it has no body"} {
		_, err = w.get(url+path, "schema", decimal)
		require.Contains(t, fails(t, "schema", err).Message, want)
	}
	_, err = w.get(url+"/png", "schema", decimal, "encoding", str("base64"))
	fails(t, "bad_argument", err)
}

// What is no text is sent as bytes.
func TestBytesAreSent(t *testing.T) {
	var got []byte
	var kind string
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		kind = r.Header.Get("Content-Type")
	})
	w := newWorld(t)
	put := func(body value.Value, named ...any) error {
		_, err := w.do(t.Context(), "Http.put", []value.Value{str(url)}, append(named, "body", body, "body_encoding", str("base64"))...)
		return err
	}
	require.NoError(t, put(str("iVBOR/8=")))
	require.Equal(t, []byte{0x89, 'P', 'N', 'G', 0xff}, got)
	require.Equal(t, "application/octet-stream", kind)
	require.NoError(t, put(str("iVBOR/8="), "headers", rec("content-type", str("image/png"))))
	require.Equal(t, "image/png", kind)
	for _, body := range []value.Value{str("no base64"), rec("a", value.Int(1)), value.Int(7)} {
		fails(t, "bad_argument", put(body))
	}
}

// Text and JSON together are bounded: what could not be journaled is no answer.
func TestLargeJSON(t *testing.T) {
	body := append(append([]byte("["), bytes.Repeat([]byte("1,"), 1<<20)...), "1]"...)
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	_, err := newWorld(t).get(url)
	fails(t, "too_large", err)
}

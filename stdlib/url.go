package stdlib

import (
	"net/url"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// urlModule is the module Url.
func urlModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Url.encode(text: String) -> String", func(c call) (value.Value, error) {
			if err := c.Hold(3 * len(c.text(0))); err != nil {
				return value.Nil, err
			}
			return value.String(escape(c.text(0))), nil
		}, "Writes a text so that it can stand in any part of a URL.", `Url.encode("a b/c?") == "a%20b%2Fc%3F"`),
		pure("Url.decode(text: String) -> String", func(c call) (value.Value, error) {
			s, err := url.PathUnescape(c.text(0))
			if err != nil {
				return value.Nil, c.fault(value.CodeFormat, "%s has a %% that is no escape", c.args[0].Short(60))
			}
			return c.string(s)
		}, "Reads a text that was written for a URL.", `Url.decode("a%20b%2Fc%3F") == "a b/c?"`),
		pure("Url.parse(url: String) -> { scheme: String, user: String, host: String, port: Int?, path: String, query: {String: String}, fragment: String }", urlParse,
			"Takes a URL apart. What it does not have is empty, its port nil; of a query that names something twice the last counts.",
			`Url.parse("https://x.org:8080/a%20b?q=1#top") == { scheme: "https", user: "", host: "x.org", port: 8080, path: "/a b", query: { q: "1" }, fragment: "top" }`),
		pure("Url.build(url: String, query?: {String: Any}; path?: [Any], fragment?: String) -> String", urlBuild,
			"Adds to a URL: steps to its path, fields to its query, a fragment, each escaped. A field that is nil is left out, one that is a list is there once for each element.",
			`Url.build("https://x.org/find", { q: "a b", page: 2, all: nil }) == "https://x.org/find?q=a%20b&page=2"`,
			`Url.build("https://x.org/users/", path: ["a/b", 7]) == "https://x.org/users/a%2Fb/7"`),
		pure("Url.join(base: String, reference: String) -> String", urlJoin,
			"Follows a reference from a URL, as a browser follows a link.", `Url.join("https://x.org/a/b", "../c") == "https://x.org/c"`),
		pure("Url.query(fields: {String: Any}) -> String", func(c call) (value.Value, error) { return c.query("", 0) },
			"Writes the fields of a record as the query of a URL, or as the body of a form.", `Url.query({ q: "a b", n: [1, 2] }) == "q=a%20b&n=1&n=2"`),
	}
}

// escape writes a text for any part of a URL; blanks as %20, which is right in
// paths and queries.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// address reads the URL at an argument.
func (c call) address(i int) (*url.URL, error) {
	u, err := url.Parse(c.text(i))
	if err != nil {
		return nil, c.fault(value.CodeFormat, "%s is no URL", c.args[i].Short(80))
	}
	return u, nil
}

func urlParse(c call) (value.Value, error) {
	u, err := c.address(0)
	if err != nil {
		return value.Nil, err
	}
	port := value.Nil
	if p := u.Port(); p != "" {
		if port, err = value.ToInt(value.String(p)); err != nil {
			return value.Nil, err
		}
	}
	query, err := c.fields(u.RawQuery)
	if err != nil {
		return value.Nil, err
	}
	parts := []string{u.Scheme, u.User.Username(), u.Hostname(), u.Path + u.Opaque, u.Fragment} // there is either a path or what is opaque
	texts := make([]value.Value, len(parts))
	for i, p := range parts {
		if texts[i], err = c.string(p); err != nil {
			return value.Nil, err
		}
	}
	return value.NewRecord([]string{"scheme", "user", "host", "port", "path", "query", "fragment"},
		[]value.Value{texts[0], texts[1], texts[2], port, texts[3], query, texts[4]}), nil
}

// fields reads a query in the order in which it is written.
func (c call) fields(query string) (value.Value, error) {
	var keys []string
	vals := c.collect(0)
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		k, v, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(k)
		text, err2 := url.QueryUnescape(v)
		if err1 != nil || err2 != nil {
			return value.Nil, c.fault(value.CodeFormat, "%s has a %% that is no escape", value.String(pair).Short(60))
		}
		for _, s := range []string{name, text} {
			if _, err := c.string(s); err != nil {
				return value.Nil, err
			}
		}
		keys = append(keys, name)
		if err := vals.make(value.String(text)); err != nil {
			return value.Nil, err
		}
	}
	return value.NewRecord(keys, vals.vs), nil
}

func urlBuild(c call) (value.Value, error) {
	u, err := c.address(0)
	if err != nil {
		return value.Nil, err
	}
	out := c.text(0)
	rest := ""
	if i := strings.IndexAny(out, "?#"); i >= 0 {
		out, rest = out[:i], out[i:]
	}
	for _, step := range c.list(2) {
		s := step.Text()
		if err := c.Hold(3*len(s) + 1); err != nil {
			return value.Nil, err
		}
		out = strings.TrimSuffix(out, "/") + "/" + escape(s)
	}
	query, fragment, _ := strings.Cut(strings.TrimPrefix(rest, "?"), "#")
	if strings.HasPrefix(rest, "#") {
		query, fragment = "", u.EscapedFragment()
	}
	if c.given(1) {
		v, err := c.query(query, 1)
		if err != nil {
			return value.Nil, err
		}
		query = v.Text()
	}
	if query != "" {
		out += "?" + query
	}
	if c.given(3) {
		fragment = escape(c.text(3))
	}
	if fragment != "" {
		out += "#" + fragment
	}
	return c.string(out)
}

// query writes the record at an argument behind a query that there is.
func (c call) query(before string, i int) (value.Value, error) {
	out := []byte(before)
	one := func(k string, v value.Value) error {
		if v.IsNil() {
			return nil
		}
		if err := c.Hold(3 * (len(k) + v.Size())); err != nil {
			return err
		}
		if len(out) > 0 {
			out = append(out, '&')
		}
		out = append(append(append(out, escape(k)...), '='), escape(v.Text())...)
		return nil
	}
	r := c.record(i)
	for i := range r.len() {
		k, v := r.at(i)
		xs, isList := v.AsList()
		if !isList {
			xs = []value.Value{v}
		}
		for _, x := range xs {
			if err := one(k, x); err != nil {
				return value.Nil, err
			}
		}
	}
	return c.string(string(out))
}

func urlJoin(c call) (value.Value, error) {
	base, err := c.address(0)
	if err != nil {
		return value.Nil, err
	}
	ref, err := c.address(1)
	if err != nil {
		return value.Nil, err
	}
	return c.string(base.ResolveReference(ref).String())
}

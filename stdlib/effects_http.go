package stdlib

import (
	"slices"
	"strconv"
	gostrings "strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// http is the module Http.
func http() []*program.Builtin {
	options := []program.BuiltinParam{named("headers", anyType()), named("query", anyType()), named("timeout", durationType()),
		named("expect", anyType()), named("schema", schemaType()), named("encoding", stringType())}
	answer := typ("{ status: Int, headers: {String: String}, body: String, json: A }", program.RecordType)
	call := func(name, doc, example string, body bool) *program.Builtin {
		ps := params(param("url", anyType()))
		if body {
			ps = append(ps, named("body", anyType()), named("form", anyType()))
		}
		ps = append(ps, options...)
		if body {
			ps = append(ps, named("body_encoding", stringType()))
		}
		return &program.Builtin{Module: "Http", Name: name, Params: ps, Effect: program.Performs, Result: answer, Doc: doc, Example: example}
	}
	return []*program.Builtin{
		call("get", "Asks a server for what is at an address and gives `{ status, headers, body, json }`. A status of 400 or more that `expect:` does not name is an error `http_<status>`.",
			`perform Http.get("https://example.com/orders", query: { page: 2 }).json`, false),
		call("post", "Sends a body to a server: a record or list as JSON, a String as text, `form:` as a form. It carries an `Idempotency-Key` that a repetition after a crash has too.",
			`perform Http.post("https://example.com/orders", body: { sku: "a-1", qty: 2 }).status`, true),
		call("put", "Like `Http.post`, with the method PUT.", `perform Http.put("https://example.com/orders/7", body: { qty: 3 }).status`, true),
		call("patch", "Like `Http.post`, with the method PATCH.", `perform Http.patch("https://example.com/orders/7", body: { qty: 3 }).status`, true),
		call("delete", "Like `Http.post`, with the method DELETE.", `perform Http.delete("https://example.com/orders/7", expect: 404).status`, true),
		flat("Http.transient(error: { code: String }) -> Bool", httpTransient,
			"Says whether an error of Http or LLM is one that may be over a moment later, as `retry … when Http.transient(e)` wants to know: no answer (`unavailable`, `timeout`), the statuses 408, 425 and 429, and all from 500 on but 501 and 505.",
			`Http.transient({ code: "http_503" }) == true`, `Http.transient({ code: "http_404" }) == false`),
	}
}

func httpTransient(c call) (value.Value, error) {
	r, _ := c.args[0].AsRecord()
	v, _ := r.Get("code")
	code, ok := v.AsString()
	if !ok {
		return value.Nil, wrongKind(c.name, "an error, a record with a `code`", c.args[0])
	}
	digits, answered := gostrings.CutPrefix(code, "http_")
	if !answered {
		return value.Bool(code == "unavailable" || code == "timeout"), nil
	}
	status, _ := strconv.Atoi(digits) // 0 is no status
	return value.Bool(slices.Contains([]int{408, 425, 429}, status) || status >= 500 && status != 501 && status != 505), nil
}

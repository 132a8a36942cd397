package checker_test

import (
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/stdlib"
)

// table is the library with the effects of the language that it has not got
// yet, so that the rules about them can be tried.
func table() []*program.Builtin {
	out := stdlib.Table()
	for _, line := range []string{
		"World.call(what: Any) -> Any",
		"World.bug(what: Any) -> Any",
		"Http.get(url: String, headers:: Any, query:: Any, timeout:: Duration, expect:: Any, schema:: Any) -> { status: Int, headers: {String: String}, body: String, json: Any }",
		"Http.delete(url: String, headers:: Any, query:: Any, timeout:: Duration, expect:: Any) -> { status: Int, headers: {String: String}, body: String, json: Any }",
		"Http.post(url: String, body:: Any, headers:: Any, query:: Any, timeout:: Duration, expect:: Any, schema:: Any) -> { status: Int, headers: {String: String}, body: String, json: Any }",
		"Http.put(url: String, body:: Any, headers:: Any, query:: Any, timeout:: Duration, expect:: Any) -> { status: Int, headers: {String: String}, body: String, json: Any }",
		"Http.patch(url: String, body:: Any, headers:: Any, query:: Any, timeout:: Duration, expect:: Any) -> { status: Int, headers: {String: String}, body: String, json: Any }",
		"LLM.ask(prompt: String, system:: String, model:: String, schema:: Any, temperature:: Any, max_tokens:: Int) -> Any",
		"Exec.run(program: String, args: [String]?, stdin:: String, env:: Any, expect:: Any) -> { code: Int, out: String, err: String }",
		"File.read(path: String) -> String",
		"File.write(path: String, text: String) -> ()",
		"Env.get(name: String) -> String?",
		"Secret.get(name: String) -> String",
		"Log.info(value: Any) -> ()",
		"Log.warn(value: Any) -> ()",
	} {
		if b := effect(line); !slices.ContainsFunc(out, func(o *program.Builtin) bool { return o.FullName() == b.FullName() }) {
			out = append(out, b)
		}
	}
	return out
}

// effect reads a signature; `name::` is a parameter that is given by name and
// may be left out, a type that ends in `?` one that may be left out.
func effect(line string) *program.Builtin {
	head, rest, _ := strings.Cut(line, "(")
	module, name, _ := strings.Cut(head, ".")
	params, result, _ := strings.Cut(rest, ") -> ")
	b := &program.Builtin{Module: module, Name: name, Effect: program.Performs, Result: program.Type{Text: result}}
	for _, p := range strings.Split(params, ", ") {
		key, typ, _ := strings.Cut(p, ": ")
		named := strings.HasSuffix(key, ":")
		b.Params = append(b.Params, program.BuiltinParam{
			Name: strings.TrimSuffix(key, ":"), Type: program.Type{Text: typ}, Named: named, Optional: named || strings.HasSuffix(typ, "?"),
		})
	}
	return b
}

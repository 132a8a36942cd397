package stdlib

import (
	"strings"

	"github.com/wf-lang/wf/lang/program"
)

// A Module is a group of built-ins with what to know before reading about them.
type Module struct {
	Name string // "" for the conversions
	Doc  string
}

// Modules lists the modules in the order in which people read about them. All
// of Table is in one of them.
func Modules() []Module {
	return []Module{
		{"", "Conversions are called by the name of the type they convert to. What cannot be converted is a fault of code `format`, `type` or `overflow`."},
		{"List", "Lists never change: these functions give new ones. Indices count from 0."},
		{"String", "Lengths, indices and slices count characters (Unicode code points), not bytes. Texts never change: these functions give new ones."},
		{"Record", "A record is the JSON object and the map of the language. Its fields keep their order; two records with the same fields are equal in any order."},
		{"Math", "For all numbers. Decimals stay exact; what money needs beyond that is in Decimal."},
		{"Decimal", "Exact numbers, for money above all. An Int may stand wherever a Decimal is wanted. A Decimal keeps the number of digits after its point: `12.50` shows as `12.50`."},
		{"Json", "Numbers are exact in both directions: whole ones are Ints of 64 bits, larger ones are refused rather than rounded, all others are Decimals."},
		{"Schema", "Holds values against types. Where a schema is wanted stands a type (`Order`, `[Order]`, `{ id: String, qty: Int }`, `{String: Int}`) or a JSON Schema as a record; a declared type's name is its JSON Schema everywhere. A `Schema(A)` in a signature is either, and A what it describes."},
		{"Time", "A Time is an instant to the nanosecond, between the years 1678 and 2262. Days, months and clocks are those of a zone, UTC if none is named; the rules of the zones are in the program, not on the machine. `perform Time.now()` gives the time."},
		{"Duration", "A Duration is a length of time, such as `1h30m`. A day in it has 24 hours; days and months of a calendar are added by Time."},
		{"Cron", "Times that repeat: five fields, minute, hour, day of month, month, day of week, with `*`, lists `1,15`, ranges `1-5`, steps `*/10` and names `mon`, `jan`; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. If both day fields are limited, either counts. A time that a change of clocks skips comes right after the gap; one that it repeats comes once, unless the minute or hour is `*` or a step of it, which goes on through both."},
		{"Regex", "Patterns as RE2 has them: no looking ahead or behind, never more than linear time. A pattern has at most 1,000 bytes, the text at most 64 KiB."},
		{"Template", "Texts with holes, for mails and prompts: `{{name}}` or `{{order.id}}` is a value; `{{#items}}…{{/items}}` repeats for each element of a list (in it `{{.}}` is the element, and its fields go by their names), stands once for a record or for what is true, and not at all for an empty list, an empty text, `false` and `nil`; `{{^items}}…{{/items}}` is the opposite; `{{! note }}` is nothing. A name that the data does not have is a fault, so that no mail goes out with a hole. A template computes nothing."},
		{"Hash", "Of the bytes of a text in UTF-8."},
		{"Base64", "Of the bytes of a text in UTF-8."},
		{"Hex", "Of the bytes of a text in UTF-8."},
		{"Url", "Nothing here opens a URL."},
		{"Result", "For values `Ok(value)` and `Err(error)`, as the branches of `parallel settle` give them."},
		{"IO", "What is shown is recorded first, and not shown again after a crash."},
		{"Signal", "Signals are kept until somebody waits for them."},
		{"Timer", "Timers are kept in the store: they survive restarts and never fire early."},
		{"Workflow", "Instances by their handles, with names that are known only at run time."},
		{"Uuid", "Ids that nobody else has. They are recorded: the same again after a crash."},
		{"Random", "Chance that is recorded: the same again after a crash."},
		{"Log", "Lines for those who run a program, on stderr. They are recorded first, and not shown again after a crash."},
		{"Http", "Calls to servers. All that need `perform` take `headers:`, `query:`, `timeout:`, `expect:`, `schema:` and `encoding:`; what they mean, and the errors, is in effects.md."},
		{"Exec", "Programs of the machine, allowed by `--allow-exec`; see effects.md."},
		{"File", "Files of the machine, allowed by `--allow-read` and `--allow-write`; see effects.md."},
		{"Env", "Variables of the environment, allowed by `--allow-env`."},
		{"Secret", "A Secret knows a name and has no text: the text is put in by the call that uses it, in a header, the query or the body of Http, in `env:` and `stdin:` of Exec. See effects.md."},
		{"LLM", "Language models, as they are configured; see effects.md."},
	}
}

// Signature is how a built-in is declared: `List.first(list: [A]) -> A?`. What
// may be left out has a `?` behind its name, what follows a `;` is given by
// name, `...` says that more of the kind may follow. An effect has `perform`
// before it.
func Signature(b *program.Builtin) string {
	var sb strings.Builder
	if b.Effect != 0 {
		sb.WriteString("perform ")
	}
	sb.WriteString(b.FullName() + "(")
	named := false
	for i, p := range b.Params {
		switch {
		case p.Named && !named:
			sb.WriteString("; ")
		case i > 0:
			sb.WriteString(", ")
		}
		named = named || p.Named
		sb.WriteString(p.Name)
		if p.Optional {
			sb.WriteString("?")
		}
		sb.WriteString(": " + TypeText(p.Type))
		if b.Rest && i == len(b.Params)-1 {
			sb.WriteString("...")
		}
	}
	return sb.String() + ") -> " + TypeText(b.Result)
}

// TypeText is a type as signatures have it.
func TypeText(t program.Type) string {
	if t.Text == "" {
		return "Any"
	}
	return t.Text
}

// Examples are all examples of a built-in.
func Examples(b *program.Builtin) []string {
	if b.Example == "" {
		return b.More
	}
	return append([]string{b.Example}, b.More...)
}

// Of lists the built-ins of a module in the order of the table.
func Of(module string, table []*program.Builtin) []*program.Builtin {
	var out []*program.Builtin
	for _, b := range table {
		if b.Module == module {
			out = append(out, b)
		}
	}
	return out
}

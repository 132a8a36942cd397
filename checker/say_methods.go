package checker

import (
	"strings"
	"unicode"

	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/types"
)

// In other languages values have methods. A name behind a point, or a function
// that a module has not, is often one of those.

// asFunction says how what a method of another language does is written; "" if
// nothing is like it.
func (c *checker) asFunction(name string, t *types.Type) string {
	module := moduleOf(t.Kind)
	if module == "" {
		return ""
	}
	switch strings.ToLower(name) {
	case "length", "len", "size", "count":
		if t.Is(types.StringKind) || t.Is(types.ListKind) || module == "Record" {
			return "the length of a value is its field: `x.length`, without `()`"
		}
	case "tostring", "to_string", "str":
		return "a value becomes a text by `String(x)` or `\"${x}\"`"
	case "foreach", "each":
		return "write a loop: `for x in xs { … }`"
	case "push", "append", "add", "concat", "extend":
		if t.Is(types.ListKind) {
			return "lists do not change; a longer one is `xs + [x]`, and `self.xs += [x]` keeps it"
		}
	case "set", "put", "get", "has", "delete", "remove":
		if module == "Record" {
			return "`r[\"key\"]` reads a field of a record, nil if it is missing; `r[\"key\"] = value` puts one"
		}
	}
	if op := c.lib.modules[module].like(name); op != "" {
		return "values have no methods; write `" + module + "." + op + "(…)`"
	}
	if c.lib.modules[module] == nil {
		return ""
	}
	return "what there is for it shows `wf doc " + module + "`"
}

// moduleOf is the module with the functions for values of a kind.
func moduleOf(k types.Kind) string {
	switch k {
	case types.StringKind:
		return "String"
	case types.ListKind:
		return "List"
	case types.RecordKind, types.MapKind:
		return "Record"
	case types.DecimalKind:
		return "Decimal"
	case types.IntKind, types.FloatKind:
		return "Math"
	case types.DurationKind:
		return "Duration"
	case types.TimeKind:
		return "Time"
	}
	return ""
}

// like is the function of a module that a name of another language means, or
// nearly is; "" if there is none.
func (m *module) like(name string) string {
	if m == nil {
		return ""
	}
	name = snake(name)
	for _, n := range []string{name, strings.TrimPrefix(name, "to_"), habits[name]} {
		if b := m.ops[n]; b != nil && b.Effect == 0 {
			return n
		}
	}
	return spell.Nearest(name, m.names(false))
}

// habits are names that other languages have for some of our functions.
var habits = map[string]string{
	"to_upper_case": "upper", "uppercase": "upper", "to_lower_case": "lower", "lowercase": "lower",
	"substring": "slice", "substr": "slice", "includes": "contains", "has": "contains", "strip": "trim",
	"find_index": "index_of", "reduce": "fold", "flat_map": "flatten", "where": "filter", "select": "map",
	"exists": "any", "some": "any", "every": "all", "sorted": "sort", "uniq": "unique", "distinct": "unique",
	"items": "entries", "update": "merge",
}

// snake writes a name of several words as ours are.
func snake(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

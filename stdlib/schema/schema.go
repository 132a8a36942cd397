// Package schema holds values against JSON Schemas and makes of them what the
// schemas describe.
//
// A schema is a record, as the checker writes one for a type or as somebody
// wrote it by hand; true and false are schemas too. Understood are: type,
// properties, required, additionalProperties, items, prefixItems, enum, const,
// anyOf, oneOf, allOf, not, $ref into $defs, minimum, maximum,
// exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength, pattern,
// minItems, maxItems, uniqueItems, minProperties, maxProperties and the formats
// below. What else would restrict values is refused by its name rather than
// passed over; words that only describe (title, description, default, …) are
// passed over.
//
// Formats say what a value becomes: decimal (a number that becomes a Decimal),
// float (a Float), duration (a text, `1h30m` or `PT1H30M`, that becomes a
// Duration), date-time (a Time), workflow and entity (a handle of the actor that
// title names), tuple, unit and variant. The last five are what the checker writes for types that JSON has no form of its own for.
//
// Work and depth are bounded: schemas come from scripts.
package schema

import (
	"fmt"

	"github.com/wf-lang/wf/lang/value"
)

// maxSteps is how many pairs of a value and a schema one Fit looks at; anyOf in
// anyOf would else take for ever.
const maxSteps = 2_000_000

// maxDepth bounds how deep values and schemas nest in one another.
const maxDepth = 1_000

// A Mismatch says where a value does not fit.
type Mismatch struct {
	Path   string // of the first place that does not fit: `$.items[2].qty`
	Reason string // `expected Int, found String`
}

func (m *Mismatch) Error() string { return m.Path + ": " + m.Reason }

// An Unfit says what is wrong with a schema itself.
type Unfit struct{ Reason string }

func (u *Unfit) Error() string { return "the schema is no use: " + u.Reason }

// Fit gives what a value is by a schema: numbers as Floats or Decimals where
// the schema says so, texts as Durations and Times, objects as variants, and a
// nil for a property that is missing and may be null. Values that are of the
// kind already stay as they are. The error is a *Mismatch with the first place
// that does not fit, or an *Unfit if the schema cannot be used.
func Fit(v, schema value.Value) (value.Value, error) {
	return FitWithin(v, schema, func(int) error { return nil })
}

// FitWithin is Fit for somebody who counts the work: spend is told of the steps
// as they are made, and its error ends it.
func FitWithin(v, schema value.Value, spend func(steps int) error) (value.Value, error) {
	f := &fitter{root: schema, left: maxSteps, paid: maxSteps, spend: spend}
	out, bad := f.fit(v, schema, nil, 0)
	switch {
	case f.stopped != nil:
		return value.Nil, f.stopped
	case f.broken != "":
		return value.Nil, &Unfit{f.broken}
	case bad != nil:
		return value.Nil, &Mismatch{Path: bad.path(), Reason: bad.reason}
	}
	return out, nil
}

// fitter is one Fit.
type fitter struct {
	root       value.Value
	left, paid int // steps; those that were paid for
	spend      func(int) error
	stopped    error
	broken     string // what is wrong with the schema
}

// place is where a value stands, from the inside out.
type place struct {
	in    *place
	key   string
	index int // of an element; -1 with a key
}

// mismatch is the first thing that does not fit.
type mismatch struct {
	at     *place
	reason string
}

func (m *mismatch) path() string {
	out := ""
	for p := m.at; p != nil; p = p.in {
		switch {
		case p.index >= 0:
			out = fmt.Sprintf("[%d]", p.index) + out
		case value.IsWord(p.key):
			out = "." + p.key + out
		default:
			out = "[" + value.String(p.key).Short(60) + "]" + out
		}
		if len(out) > 400 {
			return "$…" + out
		}
	}
	return "$" + out
}

func no(at *place, format string, args ...any) *mismatch {
	return &mismatch{at, fmt.Sprintf(format, args...)}
}

// spoil notes that the schema cannot be used; the first reason stays.
func (f *fitter) spoil(format string, args ...any) *mismatch {
	if f.broken == "" {
		f.broken = fmt.Sprintf(format, args...)
	}
	return &mismatch{}
}

// fit makes of v what s describes.
func (f *fitter) fit(v, s value.Value, at *place, depth int) (value.Value, *mismatch) {
	if f.left--; f.paid-f.left >= 256 {
		spent := f.paid - f.left
		f.paid = f.left
		if f.stopped = f.spend(spent); f.stopped != nil {
			return v, f.spoil("it takes too long")
		}
	}
	if f.left < 0 {
		return v, f.spoil("holding this value against it takes too long")
	}
	if depth > maxDepth {
		return v, f.spoil("it nests, or refers to itself, more than %d deep", maxDepth)
	}
	if b, isBool := s.AsBool(); isBool {
		if !b {
			return v, no(at, "nothing may stand here")
		}
		return v, nil
	}
	r, isRecord := s.AsRecord()
	if !isRecord {
		return v, f.spoil("a schema is a record, and this is %s: %s", s.Kind().Article(), s.Short(60))
	}
	if bad := f.understood(r); bad != nil {
		return v, bad
	}
	n := node{fitter: f, r: r, at: at, depth: depth}
	return n.fit(v)
}

// refused are words that restrict values in ways that are not understood.
var refused = [...]string{
	"if", "then", "else", "patternProperties", "propertyNames", "contains", "minContains", "maxContains",
	"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "additionalItems",
}

func (f *fitter) understood(r *value.Record) *mismatch {
	for _, word := range refused {
		if _, has := r.Get(word); has {
			return f.spoil("it says %q, which is not understood", word)
		}
	}
	return nil
}

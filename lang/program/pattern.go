package program

import "github.com/wf-lang/wf/lang/value"

// A Pattern tests and binds a value.
type Pattern interface{ pattern() }

type (
	// Any matches everything and binds nothing (`_`).
	Any struct{}
	// Bind binds the value to a slot.
	Bind struct {
		Slot int
		Name string
	}
	// Lit matches an equal value.
	Lit struct{ Value value.Value }
	// VariantOf matches a variant by name. Fields are by position; Rest says
	// that more may follow. Bare matches whatever the fields are.
	VariantOf struct {
		Name   string
		Bare   bool
		Rest   bool
		Fields []Pattern
		Names  []string // of named field patterns, "" for positional ones
	}
	// TupleOf matches a tuple of exactly this size.
	TupleOf struct{ Elems []Pattern }
	// ListOf matches a list: Before, then (HasRest) anything bound to Rest, then After.
	ListOf struct {
		Before  []Pattern
		HasRest bool
		Rest    Pattern // nil if not named
		After   []Pattern
	}
	// RecordOf matches a record that has these fields. Lenient are those that
	// the type of the value says may be left out (nil if there are none): they
	// match as nil then.
	RecordOf struct {
		Keys     []string
		Patterns []Pattern
		Lenient  []bool
		HasRest  bool
		Rest     Pattern // nil if not named
	}
	// OneOf matches the first of several alternatives.
	OneOf struct{ Alts []Pattern }
)

func (Any) pattern()        {}
func (*Bind) pattern()      {}
func (*Lit) pattern()       {}
func (*VariantOf) pattern() {}
func (*TupleOf) pattern()   {}
func (*ListOf) pattern()    {}
func (*RecordOf) pattern()  {}
func (*OneOf) pattern()     {}

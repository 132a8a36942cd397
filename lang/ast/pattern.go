package ast

// A Pattern is the left side of a let, a match arm, a loop variable.
type Pattern interface {
	Node
	pattern()
}

type (
	// LitPattern is a literal: a NumberLit, StringLit, BoolLit or NilLit.
	LitPattern struct {
		At
		Value Expr
	}
	// BindPattern binds a name; "_" binds nothing.
	BindPattern struct {
		At
		Name string
	}
	// VariantPattern is `Some(x)`, `None`, or the name of an event in a test.
	VariantPattern struct {
		At
		Name Word
		Args *PatArgs // nil if none were written
	}
	// TuplePattern is `(a, b)`.
	TuplePattern struct {
		At
		Elems []OrPattern
	}
	// ListPattern is `[a, ...rest]`; Rest is at most one, anywhere.
	ListPattern struct {
		At
		Elems []ListElem
	}
	// ListElem is an element of a list pattern, or the rest (Rest true).
	ListElem struct {
		At
		Rest    bool
		Name    *Word // of the rest; nil if not named
		Pattern OrPattern
	}
	// RecordPattern is `{ kind: "card", last4, ...rest }`.
	RecordPattern struct {
		At
		Fields []FieldPattern
	}
	// FieldPattern is a field of a record pattern; with Pattern nil it binds
	// its own name; Rest is `...name`.
	FieldPattern struct {
		At
		Rest    bool
		Key     Word // of the field, or of the rest (empty if not named)
		Quoted  bool
		Pattern OrPattern
	}
	// BadPattern could not be read.
	BadPattern struct{ At }
)

// OrPattern is one pattern, or several alternatives.
type OrPattern []Pattern

// PatArgs are the arguments of a variant pattern or a mock.
type PatArgs struct {
	At
	Args []PatArg
}

// PatArg is one of them; Rest is `...`.
type PatArg struct {
	At
	Rest    bool
	Name    Word // empty unless `name: pattern`
	Pattern OrPattern
}

func (*LitPattern) pattern()     {}
func (*BindPattern) pattern()    {}
func (*VariantPattern) pattern() {}
func (*TuplePattern) pattern()   {}
func (*ListPattern) pattern()    {}
func (*RecordPattern) pattern()  {}
func (*BadPattern) pattern()     {}

// A Type is a type as written.
type Type interface {
	Node
	typ()
}

type (
	// NameType is `Int`, `Wallet`, `nil`.
	NameType struct {
		At
		Name string
	}
	// ListType is `[T]`.
	ListType struct {
		At
		Elem Type
	}
	// TupleType is `(A, B)` or `()`.
	TupleType struct {
		At
		Elems []Type
	}
	// FnType is `fn(A) -> B`; Result is nil if not written.
	FnType struct {
		At
		Params []Type
		Result Type
	}
	// MapType is `{String: T}`.
	MapType struct {
		At
		Elem Type
	}
	// RecordType is `{ a: Int, "b-c": String }`.
	RecordType struct {
		At
		Fields []TField
	}
	// TField is a field of a record type.
	TField struct {
		At
		Name   Word
		Quoted bool
		Type   Type
	}
	// OptType is `T?`.
	OptType struct {
		At
		Elem Type
	}
	// BadType could not be read.
	BadType struct{ At }
)

func (*NameType) typ()   {}
func (*ListType) typ()   {}
func (*TupleType) typ()  {}
func (*FnType) typ()     {}
func (*MapType) typ()    {}
func (*RecordType) typ() {}
func (*OptType) typ()    {}
func (*BadType) typ()    {}

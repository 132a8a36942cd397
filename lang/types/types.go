// Package types is what the checker knows about values before they exist: the
// types that are written, and those that follow from them.
//
// Typing is gradual. Any is a value of which nothing is known; it goes with
// everything, in both directions, so that only what is known to be wrong is
// ever refused. Types are compared by structure; only sums and handles go by
// their names. A declared type may contain itself, so types are graphs.
package types

// Kind is the head of a type.
type Kind uint8

// The kinds of types. Never is the type of what gives no value because it
// leaves; Var is a variable in the signature of a built-in.
const (
	AnyKind Kind = iota
	NeverKind
	NilKind
	BoolKind
	IntKind
	DecimalKind
	FloatKind
	StringKind
	DurationKind
	TimeKind
	SecretKind
	ListKind
	MapKind
	TupleKind
	RecordKind
	OptionalKind
	FuncKind
	HandleKind
	SumKind
	VarKind
)

// A Type never changes once it is complete; a declared type is filled in after
// its name is known, so that it can contain itself.
type Type struct {
	Kind Kind
	// Name is that of a declared type, of a handle's actor, of a variable; ""
	// for others.
	Name string
	// Elem are the parts: of a list, map and optional one; of a tuple and a
	// record (by Keys) all; of a function the parameters and then the result.
	Elem []*Type
	Keys []string // of a record
	// Open says of a record that it may have other fields of which nothing is
	// known, so that asking for one is no mistake.
	Open bool
	// Soft says of an optional that it is nil only if its author did not look
	// first, as with an index: it may be used as it is.
	Soft bool
	// Of says of a record that it is a schema: of the values that fit it.
	Of *Type
	// Closure says of a function that it is no data: it was made on the spot.
	Closure bool
	// Rest says of a function that it may be called with more arguments than
	// it has parameters, or with fewer.
	Rest     bool
	Variants []Variant // of a sum
	// whole is the type that a narrowed one was narrowed from. A declared type
	// keeps its name when it is narrowed.
	whole *Type
}

// A Variant is one alternative of a sum.
type Variant struct {
	Name   string
	Fields []*Type
}

// scalars are the types without parts, by kind.
var scalars = [...]*Type{
	AnyKind: {Kind: AnyKind}, NeverKind: {Kind: NeverKind}, NilKind: {Kind: NilKind}, BoolKind: {Kind: BoolKind},
	IntKind: {Kind: IntKind}, DecimalKind: {Kind: DecimalKind}, FloatKind: {Kind: FloatKind}, StringKind: {Kind: StringKind},
	DurationKind: {Kind: DurationKind}, TimeKind: {Kind: TimeKind}, SecretKind: {Kind: SecretKind},
}

// unit is the empty tuple, never the value of a condition.
var unit = &Type{Kind: TupleKind}

// Of is the type of a kind that has no parts.
func Of(k Kind) *Type {
	if int(k) < len(scalars) {
		return scalars[k]
	}
	return scalars[AnyKind]
}

// Any is the type of which nothing is known.
func Any() *Type { return scalars[AnyKind] }

// Never is the type of what does not complete.
func Never() *Type { return scalars[NeverKind] }

// Unit is the type of `()`.
func Unit() *Type { return unit }

// List is the type of a list.
func List(elem *Type) *Type { return &Type{Kind: ListKind, Elem: []*Type{elem}} }

// Map is the type of a record whose keys are not known and whose values are of
// one type.
func Map(elem *Type) *Type { return &Type{Kind: MapKind, Elem: []*Type{elem}} }

// Tuple is the type of a tuple.
func Tuple(elems ...*Type) *Type { return &Type{Kind: TupleKind, Elem: elems} }

// Func is the type of a function.
func Func(params []*Type, result *Type) *Type {
	return &Type{Kind: FuncKind, Elem: append(params[:len(params):len(params)], result)}
}

// Handle is the type of a handle of an actor.
func Handle(actor string) *Type { return &Type{Kind: HandleKind, Name: actor} }

// Record is the type of a record with these fields.
func Record(keys []string, elems []*Type, open bool) *Type {
	return &Type{Kind: RecordKind, Keys: keys, Elem: elems, Open: open}
}

// Schema is the type of a record that describes values of a type.
func Schema(of *Type) *Type { return &Type{Kind: RecordKind, Open: true, Of: of} }

// Optional is the type of a value that may be nil.
func Optional(elem *Type) *Type {
	switch elem.Kind {
	case AnyKind, NilKind, OptionalKind:
		return elem
	case NeverKind:
		return Of(NilKind)
	}
	return &Type{Kind: OptionalKind, Elem: []*Type{elem}}
}

// Perhaps is an optional that may be used without having looked.
func Perhaps(elem *Type) *Type {
	t := Optional(elem)
	if t.Kind != OptionalKind || t == elem {
		return t
	}
	return &Type{Kind: OptionalKind, Elem: t.Elem, Soft: true}
}

// Present is the type without nil.
func Present(t *Type) *Type {
	switch t.Kind {
	case OptionalKind:
		return t.Elem[0]
	case NilKind:
		return Never()
	}
	return t
}

// Is reports whether a type is of a kind.
func (t *Type) Is(k Kind) bool { return t.Kind == k }

// Known reports whether anything is known of a type.
func (t *Type) Known() bool { return t.Kind != AnyKind && t.Kind != NeverKind && t.Kind != VarKind }

// Number reports whether a type is one of the three numeric ones.
func (t *Type) Number() bool {
	return t.Kind == IntKind || t.Kind == DecimalKind || t.Kind == FloatKind
}

// Params are the parameters of a function.
func (t *Type) Params() []*Type { return t.Elem[:len(t.Elem)-1] }

// Result is what a function gives.
func (t *Type) Result() *Type { return t.Elem[len(t.Elem)-1] }

// Field finds a field of a record.
func (t *Type) Field(name string) (*Type, bool) {
	for i, k := range t.Keys {
		if k == name {
			return t.Elem[i], true
		}
	}
	return nil, false
}

// With is a record type with one field set.
func (t *Type) With(name string, f *Type) *Type {
	out := &Type{Kind: RecordKind, Open: t.Open}
	found := false
	for i, k := range t.Keys {
		out.Keys = append(out.Keys, k)
		if k == name {
			out.Elem, found = append(out.Elem, f), true
		} else {
			out.Elem = append(out.Elem, t.Elem[i])
		}
	}
	if !found {
		out.Keys, out.Elem = append(out.Keys, name), append(out.Elem, f)
	}
	return out
}

// Variant finds an alternative of a sum.
func (t *Type) Variant(name string) (Variant, bool) {
	for _, v := range t.Variants {
		if v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}

// HasClosure reports whether a value of the type certainly has a function in
// it that was made on the spot.
func (t *Type) HasClosure() bool {
	if t.Name != "" {
		return false // what is declared is spoken of where a value of it is made
	}
	switch t.Kind {
	case FuncKind:
		return t.Closure
	case ListKind, MapKind, TupleKind, RecordKind, OptionalKind:
		for _, e := range t.Elem {
			if e.HasClosure() {
				return true
			}
		}
	}
	return false
}

package value

import "github.com/cockroachdb/apd/v3"

// Kind says what a value is.
type Kind uint8

// The kinds of values.
const (
	KindNil Kind = iota
	KindBool
	KindInt
	KindDecimal
	KindFloat
	KindString
	KindDuration
	KindTime
	KindList
	KindTuple // the empty tuple is unit
	KindRecord
	KindVariant
	KindFunc
	KindHandle
	KindSecret
)

// String is the kind in the words of the language's messages: "Int", "list".
func (k Kind) String() string {
	names := [...]string{"nil", "Bool", "Int", "Decimal", "Float", "String", "Duration", "Time",
		"list", "tuple", "record", "variant", "function", "handle", "Secret"}
	if int(k) < len(names) {
		return names[k]
	}
	return "value"
}

// Article is the kind with its article, as messages need it: "an Int", "a
// list", "nil".
func (k Kind) Article() string {
	switch k {
	case KindNil:
		return "nil"
	case KindInt:
		return "an Int"
	}
	return "a " + k.String()
}

// Kind says what v is.
func (v Value) Kind() Kind {
	switch v.ref.(type) {
	case nil:
		return KindNil
	case boolTag:
		return KindBool
	case intTag:
		return KindInt
	case floatTag:
		return KindFloat
	case durationTag:
		return KindDuration
	case timeTag:
		return KindTime
	case string:
		return KindString
	case *apd.Decimal:
		return KindDecimal
	case list:
		return KindList
	case tuple:
		return KindTuple
	case *Record:
		return KindRecord
	case *Variant:
		return KindVariant
	case *Func:
		return KindFunc
	case *Handle:
		return KindHandle
	case *Secret:
		return KindSecret
	}
	return KindNil
}

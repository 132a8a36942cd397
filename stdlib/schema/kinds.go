package schema

import (
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

// known reports whether JSON Schema has a type of this name.
func known(name string) bool {
	switch name {
	case "null", "boolean", "integer", "number", "string", "array", "object":
		return true
	}
	return false
}

// inWords is a type of JSON Schema in the words of the language.
func inWords(name, format string) string {
	switch {
	case name == "null":
		return "nil"
	case name == "boolean":
		return "Bool"
	case name == "integer":
		return "Int"
	case name == "number" && format == "decimal":
		return "Decimal"
	case name == "number" && format == "float":
		return "Float"
	case name == "number":
		return "a number"
	case name == "string" && format == "duration":
		return "Duration"
	case name == "string" && format == "date-time":
		return "Time"
	case name == "string":
		return "String"
	case name == "array" && format == "tuple":
		return "a tuple"
	case name == "array":
		return "a list"
	}
	return "a record"
}

// found names what a value is, short ones with themselves.
func found(v value.Value) string {
	switch v.Kind() {
	case value.KindNil:
		return "nil"
	case value.KindInt, value.KindDecimal, value.KindFloat, value.KindString, value.KindBool:
		return v.Kind().String() + " " + v.Short(40)
	}
	return v.Kind().Article()
}

// become makes v a value of a type, if it is one. Why says what is wrong with a
// text that has the right kind and the wrong content.
func become(v value.Value, name, format string) (out value.Value, fits bool, why string) {
	k := v.Kind()
	switch name {
	case "null":
		if format == "unit" && (v.IsNil() || v.IsUnit()) {
			return value.Unit, true, ""
		}
		return v, v.IsNil(), ""
	case "boolean":
		return v, k == value.KindBool, ""
	case "integer":
		return integer(v)
	case "number":
		return number(v, format)
	case "string":
		return text(v, format)
	case "array":
		return v, k == value.KindList || k == value.KindTuple, ""
	}
	return v, k == value.KindRecord || k == value.KindVariant && format == "variant", ""
}

// integer takes whole Decimals too: other languages write 3.0 for 3.
func integer(v value.Value) (value.Value, bool, string) {
	switch v.Kind() {
	case value.KindInt:
		return v, true, ""
	case value.KindDecimal, value.KindFloat:
		if i, err := value.ToInt(v); err == nil && value.Equal(i, v) {
			return i, true, ""
		}
	}
	return v, false, ""
}

func number(v value.Value, format string) (value.Value, bool, string) {
	switch v.Kind() {
	case value.KindInt, value.KindDecimal, value.KindFloat:
	default:
		return v, false, ""
	}
	out, err := v, error(nil)
	switch format {
	case "decimal":
		out, err = value.ToDecimal(v)
	case "float", "double":
		out, err = value.ToFloat(v)
	}
	if err != nil {
		return v, false, err.Error()
	}
	return out, true, ""
}

func text(v value.Value, format string) (value.Value, bool, string) {
	k := v.Kind()
	s, isText := v.AsString()
	switch format {
	case "duration":
		if k == value.KindDuration || !isText {
			return v, k == value.KindDuration, ""
		}
		d, err := value.ToDuration(v)
		if strings.HasPrefix(s, "P") || strings.HasPrefix(s, "-P") {
			d, err = value.DurationFromISO(s)
		}
		return converted(d, err)
	case "date-time":
		if k == value.KindTime || !isText {
			return v, k == value.KindTime, ""
		}
		t, err := value.ToTime(v)
		return converted(t, err)
	case "workflow", "entity", "agent":
		return v, isText || k == value.KindHandle, ""
	}
	return v, isText, ""
}

func converted(v value.Value, err error) (value.Value, bool, string) {
	if err != nil {
		return v, false, err.Error()
	}
	return v, true, ""
}

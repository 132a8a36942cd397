package stdlib

import (
	"fmt"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A call is one computation of a pure function: its arguments, by parameter and
// of the kinds that the signature says, and the run that asked for it.
type call struct {
	program.Caller
	name string // of the function, for messages
	args []value.Value
}

// impl computes a pure function.
type impl func(c call) (value.Value, error)

// fault is an error with a code; the message begins with the function's name.
func (c call) fault(code, format string, args ...any) error {
	return errorf(code, "%s: %s", c.name, fmt.Sprintf(format, args...))
}

// given reports whether an optional argument was given.
func (c call) given(i int) bool { return !c.args[i].IsNil() }

// The accessors give an argument as its kind; those of one that was left out
// are zero.

func (c call) text(i int) string        { s, _ := c.args[i].AsString(); return s }
func (c call) int(i int) int64          { n, _ := c.args[i].AsInt(); return n }
func (c call) list(i int) []value.Value { xs, _ := c.args[i].AsList(); return xs }
func (c call) record(i int) record      { r, _ := c.args[i].AsRecord(); return record{r} }
func (c call) textOr(i int, or string) string {
	if c.given(i) {
		return c.text(i)
	}
	return or
}

func (c call) intOr(i int, or int64) int64 {
	if c.given(i) {
		return c.int(i)
	}
	return or
}

// flag is an optional Bool, false if it was left out.
func (c call) flag(i int) bool { b, _ := c.args[i].AsBool(); return b }

// record is a record argument; one that was left out has no fields.
type record struct{ r *value.Record }

func (r record) len() int {
	if r.r == nil {
		return 0
	}
	return r.r.Len()
}

func (r record) at(i int) (string, value.Value) { return r.r.At(i) }

func (r record) get(key string) (value.Value, bool) {
	if r.r == nil {
		return value.Nil, false
	}
	return r.r.Get(key)
}

// A function is an argument that is applied again and again. Its own arguments
// have one place for all of that.
type function struct {
	call
	fn value.Value
	in [2]value.Value
}

// function is the argument at i.
func (c call) function(i int) *function { return &function{call: c, fn: c.args[i]} }

func (f *function) of(x value.Value) (value.Value, error) {
	f.in[0] = x
	return f.Call(f.fn, f.in[:1])
}

func (f *function) of2(x, y value.Value) (value.Value, error) {
	f.in = [2]value.Value{x, y}
	return f.Call(f.fn, f.in[:])
}

// test applies the function and wants a Bool.
func (f *function) test(x value.Value) (bool, error) { return f.bool(f.of(x)) }

func (f *function) test2(x, y value.Value) (bool, error) { return f.bool(f.of2(x, y)) }

func (f *function) bool(v value.Value, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	b, isBool := v.AsBool()
	if !isBool {
		return false, errorf(value.CodeType, "the function given to %s must give a Bool, and gives %s", f.name, v.Kind().Article())
	}
	return b, nil
}

// size is an argument that counts something: it may not be negative.
func (c call) size(i int, what string) (int, error) {
	n := c.int(i)
	if n < 0 {
		return 0, c.fault(value.CodeRange, "%s may not be negative, and it is %d", what, n)
	}
	return int(min(n, 1<<40)), nil
}

// string makes a String of a text that was written piece by piece; what is not
// UTF-8 is a fault.
func (c call) string(s string) (value.Value, error) {
	if !utf8.ValidString(s) {
		return value.Nil, c.fault(value.CodeFormat, "the bytes are no text (not UTF-8)")
	}
	return value.String(s), nil
}

// maxMade is how many bytes one value may take.
const maxMade = 16 << 20

// tooLarge is the fault of a value that would be; err says so if the run has no
// limit.
func (c call) tooLarge(err error) error {
	if limit := c.Hold(maxMade + 1); limit != nil {
		return limit
	}
	return err
}

// word is the memory that one element of a list takes beside what it holds.
const word = 24

// elements collects the elements of a list that a function makes, and asks for
// their memory as they come.
type elements struct {
	c    call
	vs   []value.Value
	owed int
}

// collect begins a list of about n elements.
func (c call) collect(n int) *elements {
	return &elements{c: c, vs: make([]value.Value, 0, min(n, 1024))}
}

// add appends what was there before: it takes only its word.
func (e *elements) add(v value.Value) error { return e.take(v, word) }

// make appends what is new.
func (e *elements) make(v value.Value) error { return e.take(v, word+v.Size()) }

func (e *elements) take(v value.Value, n int) error {
	e.vs = append(e.vs, v)
	if e.owed += n; e.owed >= 16<<10 {
		owed := e.owed
		e.owed = 0
		return e.c.Hold(owed)
	}
	return nil
}

func (e *elements) list() value.Value { return value.List(e.vs...) }

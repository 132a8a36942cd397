package program

import (
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// An Expr is a resolved expression.
type Expr interface {
	Span() source.Span
	expr()
}

// At is the place of a node.
type At struct{ Place source.Span }

// Span is the node's place in the source.
func (a At) Span() source.Span { return a.Place }
func (At) expr()               {}

// BinOp is a binary operator that evaluates both sides.
type BinOp uint8

// The operators.
const (
	Add BinOp = iota
	Sub
	Mul
	Div
	Mod
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	RangeOp // a list of Ints, or a pair of Durations in a backoff
)

// SelfPart is a reserved, read-only part of self.
type SelfPart uint8

// The reserved parts of self.
const (
	SelfID SelfPart = iota
	SelfHandle
	SelfStep
	SelfStepIndex
	SelfFailure
	SelfRecord // `self` alone: the record of the state fields
)

type (
	// Const is a literal or folded constant.
	Const struct {
		At
		Value value.Value
	}
	// Local reads a slot of the frame. Known is what is in it, if it is a constant
	// of the program's own statements; nil if not.
	Local struct {
		At
		Slot  int
		Name  string
		Known *value.Value
	}
	// SelfField reads a state field by slot. In a function that belongs to no
	// workflow Slot is -1 and Name decides when it runs.
	SelfField struct {
		At
		Slot int
		Name string
	}
	// SelfMeta reads a reserved part of self.
	SelfMeta struct {
		At
		Part SelfPart
	}
	// Not and Neg are the prefix operators.
	Not struct {
		At
		X Expr
	}
	Neg struct {
		At
		X Expr
	}
	// Binary evaluates both sides, then the operator.
	Binary struct {
		At
		Op   BinOp
		X, Y Expr
	}
	// And, Or and Coalesce evaluate their right side only if needed.
	And struct {
		At
		X, Y Expr
	}
	Or struct {
		At
		X, Y Expr
	}
	Coalesce struct {
		At
		X, Y Expr
	}
	// Text joins the notation of its parts (string interpolation).
	Text struct {
		At
		Parts []Expr
	}
	// TupleExpr makes a tuple, left to right; the empty one is unit.
	TupleExpr struct {
		At
		Elems []Expr
	}
	// ListExpr makes a list; a Spread element is spliced in.
	ListExpr struct {
		At
		Elems []Expr
	}
	// Spread is `...x` in a list.
	Spread struct {
		At
		X Expr
	}
	// RecordExpr makes a record from entries in order.
	RecordExpr struct {
		At
		Entries []RecordEntry
	}
	// RecordEntry is Key: Value, or [Computed]: Value, or ...Spread.
	RecordEntry struct {
		Key      string
		Computed Expr
		Spread   Expr
		Value    Expr
	}
	// VariantExpr makes a variant value. Fields are by position.
	VariantExpr struct {
		At
		Name   string
		Names  []string
		Fields []Expr
	}
	// HandleExpr is `W(id)`: a handle of a workflow or entity.
	HandleExpr struct {
		At
		Type   string
		Entity bool
		ID     Expr
	}
	// Field reads a field of a record (or `.length`, or an error's, variant's
	// or handle's field). With Opt nil gives nil. Lenient: the type of the record
	// says that the field may be left out; a missing one is nil then.
	Field struct {
		At
		X       Expr
		Name    string
		Opt     bool
		Lenient bool
	}
	// Index reads a list element by Int, a record's field by String (nil if missing).
	Index struct {
		At
		X, I Expr
	}
	// CallFn calls a known function directly.
	CallFn struct {
		At
		Fn   *Func
		Args []Expr
	}
	// CallValue calls what an expression gives.
	CallValue struct {
		At
		Fn   Expr
		Args []Expr
	}
	// CallBuiltin calls a pure builtin; Args are by parameter, nil for those
	// left out, then the rest.
	CallBuiltin struct {
		At
		Fn   *Builtin
		Args []Expr
	}
	// FuncRef is a top-level function as a value.
	FuncRef struct {
		At
		Fn *Func
	}
	// BuiltinRef is a pure builtin as a value (`xs |> map(String.trim)`).
	BuiltinRef struct {
		At
		Fn *Builtin
	}
	// Lambda makes a closure.
	Lambda struct {
		At
		Fn *Func
	}
	// If gives nil without an else.
	If struct {
		At
		Cond, Then, Else Expr // Else may be nil
	}
	// Match tries its arms in order; no match is a fault.
	Match struct {
		At
		X    Expr
		Arms []Arm
	}
	// Arm of a match.
	Arm struct {
		Patterns []Pattern
		Guard    Expr // nil if none
		Body     Expr
	}
	// For binds each element (a record gives pairs, an Int range its Ints).
	For struct {
		At
		Pattern Pattern
		In      Expr
		Body    Expr
	}
	// While repeats.
	While struct {
		At
		Cond, Body Expr
	}
	// Break and Continue act on the innermost loop.
	Break    struct{ At }
	Continue struct{ At }
	// Block gives the value of its last statement, unit if there is none.
	Block struct {
		At
		Stmts []Expr
	}
	// Let binds a pattern. Its value is unit.
	Let struct {
		At
		Pattern Pattern
		Value   Expr
	}
	// AssignLocal sets a variable, or a place inside of it.
	AssignLocal struct {
		At
		Slot  int
		Name  string
		Path  []PathPart
		Op    AssignOp
		Value Expr
	}
	// AssignField sets a state field, or a place inside of it. Slot is -1 in a
	// function that belongs to no workflow.
	AssignField struct {
		At
		Slot  int
		Name  string
		Path  []PathPart
		Op    AssignOp
		Value Expr
	}
	// AssignSelf is `self = { … }`: sets the fields named by the record.
	AssignSelf struct {
		At
		Value Expr
	}
	// PathPart is one `.name` or `[index]` of a place.
	PathPart struct {
		Name  string
		Index Expr // nil for a name
		Span  source.Span
	}
	// Try catches faults; Slot receives the error record (-1: not named).
	Try struct {
		At
		Body  Expr
		Slot  int
		Catch Expr
	}
	// Return leaves the function (a step body: completes the step).
	Return struct {
		At
		Value Expr // nil for unit
	}
	// Throw raises a fault from a String or an error record.
	Throw struct {
		At
		Value Expr
	}
	// Emit appends an event. Names has the declared fields' names if the
	// event is declared.
	Emit struct {
		At
		Name  string
		Names []string
		Args  []Expr
	}
	// Perform asks the world. Args are by the builtin's parameters (nil for
	// those left out), then the rest.
	Perform struct {
		At
		Once bool
		Main bool // among the program's own statements, not in a declaration
		Op   *Builtin
		Args []Expr
	}
	// Ask calls a command, query or agent of an instance.
	Ask struct {
		At
		Handle Expr
		Name   string
		Args   []Expr
		Names  []string // of the named arguments, "" for positional ones; nil if all are positional
	}
	// SignalSend delivers a signal; Payload may be nil.
	SignalSend struct {
		At
		Handle  Expr
		Name    string
		Payload Expr
	}
	// Await waits for the end of an instance; For may be nil.
	Await struct {
		At
		Handle Expr
		For    Expr
	}
	// Spawn makes an instance; ID may be nil.
	Spawn struct {
		At
		Workflow *Workflow
		Fields   Expr // gives a record
		ID       Expr
	}
	// Select waits for the first of several things.
	Select struct {
		At
		Arms []SelectArm
	}
	// SelectArm is a signal (Name), or a deadline (After a Duration, Until a Time).
	SelectArm struct {
		Span    source.Span
		Name    Expr // gives a String; nil for a deadline
		Pattern Pattern
		After   Expr
		Until   Expr
		Body    Expr
	}

	// The endings. Reply may be nil everywhere.

	// Goto ends the step and names the next one; Input may be nil.
	Goto struct {
		At
		Item  int
		Input Expr
		Reply Expr
	}
	// Pause ends the step. Reason, For, Until, Input may be nil; Then is -1
	// for the next item.
	Pause struct {
		At
		Reason     Expr
		For, Until Expr
		Then       int
		Input      Expr
		Reply      Expr
	}
	// End completes the workflow.
	End struct {
		At
		Value Expr
		Reply Expr
	}
	// Fail is a decision, not a fault.
	Fail struct {
		At
		Value Expr
		Reply Expr
	}
	// Delete ends and removes the instance.
	Delete struct {
		At
		Reply Expr
	}
	// Reply answers a command.
	Reply struct {
		At
		Value Expr
	}
	// Reject refuses a command.
	Reject struct {
		At
		Code  string
		Value Expr
	}
)

// AssignOp tells `=`, `+=` and `-=` apart.
type AssignOp uint8

// The assignments.
const (
	Set AssignOp = iota
	SetAdd
	SetSub
)

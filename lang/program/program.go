// Package program is a checked script: names resolved to slots, steps and
// their targets to indices, sugar gone. The checker makes it, the evaluator,
// the orchestrator and the engine read it. It never changes once made.
package program

import (
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// A Program is all that one run of the checker found in a script's files.
type Program struct {
	Hash   string // over names and texts of the files; the version of the program
	Files  *source.Set
	Actors []*Workflow // workflows and entities in the order of the text, Main not among them
	Main   *Workflow   // the implicit workflow of the top-level expressions: one step, "main"
	Funcs  []*Func     // top-level functions
	Events []*EventDecl
	Tests  []*Test // in the order of the text
	// Performs are all the places, but those in tests, that perform something.
	Performs []*Perform
}

// HasStatements reports whether the program does anything by itself.
func (p *Program) HasStatements() bool {
	b, is := p.Main.Items[0].Step.Body.Body.(*Block)
	return !is || len(b.Stmts) > 0
}

// MainName is the name of the implicit workflow.
const MainName = "main"

// Actor finds a workflow or entity by name, the implicit one included.
func (p *Program) Actor(name string) *Workflow {
	if name == MainName {
		return p.Main
	}
	for _, w := range p.Actors {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// Func finds a top-level function by name.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// EventDecl is a declared event.
type EventDecl struct {
	Name   string
	Fields []string // "" for a field without a name
}

// A Workflow is a declared workflow or entity.
type Workflow struct {
	Name       string
	Entity     bool
	Span       source.Span
	Fields     []StateField // the state, by slot
	Items      []*Item      // the body in textual order
	Timeout    *Func        // nil for none; no parameters
	Init       *Func        // nil for none
	Compensate *Compensation
	Finally    *Compensation // its Err is the outcome
	Commands   []*Handler
	Queries    []*Handler
	// Signals are the names that some wait of the workflow may take;
	// AnySignal says that there are waits whose names are computed.
	Signals   []string
	AnySignal bool
	// Declared are the signals that the workflow declares, nil if it declares
	// none: then any payload is taken.
	Declared []*SignalDecl
}

// Signal finds a declared signal by name, nil if there is none.
func (w *Workflow) Signal(name string) *SignalDecl {
	for _, s := range w.Declared {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// A SignalDecl is a declared signal.
type SignalDecl struct {
	Name    string
	Span    source.Span
	Payload *Param // nil: it carries nothing
}

// Field finds the slot of a state field, -1 if there is none.
func (w *Workflow) Field(name string) int {
	for i := range w.Fields {
		if w.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Step finds the index of an item by name, -1 if there is none.
func (w *Workflow) Step(name string) int {
	for i, it := range w.Items {
		if it.Step != nil && it.Step.Name == name {
			return i
		}
	}
	return -1
}

// Query and Command find a handler by name; nil if there is none.
func (w *Workflow) Query(name string) *Handler   { return find(w.Queries, name) }
func (w *Workflow) Command(name string) *Handler { return find(w.Commands, name) }

func find(hs []*Handler, name string) *Handler {
	for _, h := range hs {
		if h.Name == name {
			return h
		}
	}
	return nil
}

// A StateField is a field of an actor's state.
type StateField struct {
	Name     string
	Span     source.Span
	Declared bool  // by a `state` line; else found in the bodies
	Computed bool  // `init` assigns it before anything reads it
	Init     *Func // nil: unset, reads as nil
	Type     Type
}

// Required says that a spawn must give the field.
func (f *StateField) Required() bool { return f.Declared && f.Init == nil && !f.Computed }

// An Item of a sequence: a step or a parallel block.
type Item struct {
	Step     *Step     // exactly one
	Parallel *Parallel // of the two
}

// Name is the wire name of an item ("parallel" for a block).
func (it *Item) Name() string {
	if it.Step != nil {
		return it.Step.Name
	}
	return "parallel"
}

// Policy is how attempts are bounded and repeated. A nil Func means that
// nothing was said; defaults are merged in by the checker.
type Policy struct {
	Timeout   *Func // gives a Duration
	NoTimeout bool  // `timeout none`
	Retry     *Func // gives an Int
	Backoff   *Func // gives a Duration, or a range of two (a tuple)
	Jitter    bool
	When      *Func // takes the error, gives a Bool
}

// A Step is one transaction of a workflow.
type Step struct {
	Name       string
	Span       source.Span
	Body       *Func // its parameter, if any, is the input
	Policy     Policy
	Else       int // index of the failover item, -1 for none
	Compensate *Compensation
}

// Mode says when a block is done.
type Mode uint8

// The modes of a block.
const (
	All Mode = iota
	First
	Settle
)

// A Parallel block runs branches concurrently.
type Parallel struct {
	Span     source.Span
	Mode     Mode
	First    *Func // of First: gives n
	Branches []*Branch
	// Of `parallel for`: In gives the list, Pattern is bound in every branch
	// body as parameter 0 of its steps, Max bounds how many run at once; the
	// block then has exactly one Branch, run once for each element.
	For        bool
	In         *Func
	Max        *Func
	Else       int
	Compensate *Compensation
}

// A Branch is a sequence inside a block.
type Branch struct {
	Name       string
	Span       source.Span
	Items      []*Item
	Compensate *Compensation
}

// A Compensation undoes a step, branch, block or workflow (or is a finally).
// Body takes the error (or outcome) as its first parameter when HasErr; then
// the elements of the `parallel for` blocks around it, outermost first; then
// the step's own parameter.
type Compensation struct {
	Span   source.Span
	Policy Policy
	HasErr bool
	Body   *Func
}

// A Handler is a command or query.
type Handler struct {
	Name   string
	Span   source.Span
	In     []string // steps at which a command is accepted; nil: all
	Body   *Func
	Result Type
}

// A Func is anything with a body and parameters of its own: functions,
// lambdas, steps, handlers, initial values.
type Func struct {
	Name     string // of a top-level function or a workflow's; "" for others
	Span     source.Span
	Params   []Param // they fill the first slots; patterns bind from there
	Slots    int     // size of the frame: captures, parameters, locals
	Captures []int   // of a lambda: slots of the enclosing frame, copied to the first slots, before the parameters
	Body     Expr
	Effects  Effects // all that it may do, through calls too
}

// Param is a parameter.
type Param struct {
	Name string
	Type Type
}

// Effects say what a function may do, directly and through what it calls.
type Effects uint16

// The effects.
const (
	ReadsSelf   Effects = 1 << iota
	WritesSelf          // assigns fields
	Emits               // appends events
	Performs            // any effect that leaves the instance (perform, ask, spawn, signal)
	Waits               // await, Signal.wait, select, Timer: may suspend
	Transitions         // goto, pause, end, fail
	ReadsClock          // Time.now, Uuid.new, Random: allowed in commands
)

// Atomic reports whether a body neither performs, asks, awaits nor waits: no
// command can run between its start and its commit.
func (e Effects) Atomic() bool { return e&(Performs|Waits|ReadsClock) == 0 }

// A Builtin is one entry of the standard library's table.
type Builtin struct {
	Module  string // "" for conversions such as Int(x)
	Name    string
	Params  []BuiltinParam
	Rest    bool    // more positional arguments of the last parameter's kind may follow
	Effect  Effects // 0 for pure functions; else it is called by `perform`
	Doc     string
	Example string   // an expression and, after " == ", its value
	More    []string // further examples
	Result  Type
	// Local: whoever evaluates the call answers it. Nothing is sent, so the
	// arguments need not be data.
	Local bool
	// Fn computes a pure function; nil for effects. An error is a Fault's
	// cause: a *BuiltinError, or any other (code "error").
	Fn func(c Caller, args []value.Value) (value.Value, error)
	// Flat says of a pure function that large arguments cost it no more than
	// small ones. Others are charged for reading all that they are given.
	Flat bool
}

// A Caller is what a builtin knows of the run that called it. An error of its
// methods ends the builtin: it has to be handed back as it is.
type Caller interface {
	// Call applies a function value to arguments; it does not keep args.
	Call(fn value.Value, args []value.Value) (value.Value, error)
	// Hold asks for n bytes, before they are allocated: all that a builtin
	// makes until it returns counts against the limit of the run.
	Hold(n int) error
	// Spend charges for work that the sizes of the arguments do not show, in
	// evaluations: one stands for about 256 bytes looked at.
	Spend(evaluations int) error
}

// BuiltinParam describes a parameter of a builtin.
type BuiltinParam struct {
	Name     string
	Type     Type
	Optional bool // Default is used when the argument is missing
	Named    bool // may be given only by name
	Default  value.Value
}

// BuiltinError is a fault with a code of its own.
type BuiltinError struct {
	Code    string
	Message string
	// Thrown is an error of the script's own to be thrown as it is, whatever
	// the other two say; nil for none.
	Thrown value.Value
}

func (e *BuiltinError) Error() string { return e.Message }

// FullName is "Module.name", or "Name" of a conversion.
func (b *Builtin) FullName() string {
	if b.Module == "" {
		return b.Name
	}
	return b.Module + "." + b.Name
}

// Type is a type as far as the run time needs one: to read JSON (a Float where
// a Float is declared), to check inputs from outside, to print help. The zero
// Type is Any.
type Type struct {
	Text string // as written or inferred; "" for Any
	Base Base
	Elem []Type   // list and map: one; tuple: all; record: by Names; optional: one; variant: none
	Keys []string // of a record
	// Schema is the JSON Schema of what the rest does not describe: of variants,
	// and of a type that is named inside itself. Nil for all others, and where a
	// function may be inside, which no schema describes.
	Schema value.Value
}

// TakesNil reports whether nil is a value of the type.
func (t *Type) TakesNil() bool {
	return t.Base == AnyType || t.Base == NilType || t.Base == OptionalType
}

// Base is the head of a Type.
type Base uint8

// The bases of types.
const (
	AnyType Base = iota
	NilType
	BoolType
	IntType
	DecimalType
	FloatType
	StringType
	DurationType
	TimeType
	SecretType
	ListType
	MapType
	TupleType
	RecordType
	OptionalType
	FuncType
	HandleType // Text is the actor's name
	VariantType
	SchemaType // of a built-in's parameter: a type, or the JSON Schema of one
)

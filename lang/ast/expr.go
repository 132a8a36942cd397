package ast

// An Expr is anything that stands where a value or a statement may stand.
// Endings (`goto`, `pause`, …) are among them, as `x ?? fail "no"` shows.
type Expr interface {
	Node
	expr()
}

// BinaryOp and UnaryOp are operators by their spelling: "+", "??", "|>", "..".
type (
	BinaryOp string
	UnaryOp  string
)

// NumberKind tells numeric literals apart.
type NumberKind uint8

// The kinds of numeric literals.
const (
	NumInt NumberKind = iota
	NumDecimal
	NumFloat
	NumDuration
)

type (
	// NumberLit is a numeric literal; Text is its digits without "_", with a
	// leading "-" if one was folded in.
	NumberLit struct {
		At
		Kind NumberKind
		Text string
	}
	// StringLit is a string without interpolation; Value is unescaped.
	StringLit struct {
		At
		Value string
		Raw   bool // written """…"""
	}
	// Interp is a string with interpolations: Parts are *StringLit and other
	// expressions in turn, as many as the text has.
	Interp struct {
		At
		Parts []Expr
		Raw   bool
	}
	// BoolLit is true or false.
	BoolLit struct {
		At
		Value bool
	}
	// NilLit is nil (or null).
	NilLit struct{ At }
	// Name is a variable, function, type, workflow, event or variant.
	Name struct {
		At
		Name string
	}
	// Self is the keyword self.
	Self struct{ At }
	// Paren is a parenthesised expression, kept for the formatter.
	Paren struct {
		At
		X Expr
	}
	// Tuple has none or at least two elements.
	Tuple struct {
		At
		Elems []Expr
	}
	// List is `[a, ...b]`; elements may be *Spread.
	List struct {
		At
		Elems []Expr
	}
	// Spread is `...x` in a list.
	Spread struct {
		At
		X Expr
	}
	// Record is `{ a: 1, "b": 2, [k]: 3, ...r }`.
	Record struct {
		At
		Entries []Entry
	}
	// Entry of a record: Key (Quoted if it was written as a string), or
	// Computed, or Spread.
	Entry struct {
		At
		Key      Word
		Quoted   bool
		Computed Expr
		Spread   Expr
		Value    Expr // nil for a spread
	}
	// Block is `{ statements }`.
	Block struct {
		At
		Stmts []Expr
	}
	// Unary is `-x` or `!x`.
	Unary struct {
		At
		Op UnaryOp
		X  Expr
	}
	// Binary is `x op y` for every operator of the table, "|>" and ".." included.
	Binary struct {
		At
		Op   BinaryOp
		OpAt At
		X, Y Expr
	}
	// Field is `x.name` or `x?.name`.
	Field struct {
		At
		X    Expr
		Name Word
		Opt  bool
	}
	// Index is `x[i]`.
	Index struct {
		At
		X, I Expr
	}
	// Call is `f(args)`.
	Call struct {
		At
		Fn   Expr
		Args []Arg
	}
	// Arg is an argument; Name is empty unless `name: value`.
	Arg struct {
		At
		Name  Word
		Value Expr
	}
	// Lambda is a function without a name.
	Lambda struct {
		At
		Params []Param
		Result Type
		Body   Body
	}
	// Let is `let p = e` (In nil), `var p = e`, or `let p = e in body`.
	Let struct {
		At
		Var     bool
		Pattern Pattern
		Type    Type
		Value   Expr
		In      Expr
	}
	// Assign is `x = e`, `x += e`, `x -= e`.
	Assign struct {
		At
		Op     string
		Target Expr
		Value  Expr
	}
	// If is `if c then a else b` (Then form) or with blocks.
	If struct {
		At
		Cond     Expr
		ThenForm bool
		Then     Expr
		Else     Expr // nil if none
	}
	// Match is `match e { arms }`.
	Match struct {
		At
		X    Expr
		Arms []Arm
	}
	// Arm of a match; Guard is nil if none.
	Arm struct {
		At
		Patterns []Pattern // alternatives
		Guard    Expr
		Body     Expr
	}
	// Select is `select { arms }`.
	Select struct {
		At
		Arms []SelectArm
	}
	// SelectArm is `signal name(p) => e`, `after d => e` or `at t => e`.
	SelectArm struct {
		At
		Kind    SelectKind
		Name    Expr    // of a signal: *StringLit or *Interp (a bare word is a *StringLit)
		Bare    bool    // the name was written as a word
		Pattern Pattern // of a signal; nil if none
		Value   Expr    // of after and at
		Body    Expr
	}
	// For is `for p in xs { }`.
	For struct {
		At
		Pattern Pattern
		In      Expr
		Body    *Block
	}
	// While is `while c { }`.
	While struct {
		At
		Cond Expr
		Body *Block
	}
	// Break and Continue act on the innermost loop.
	Break    struct{ At }
	Continue struct{ At }
	// Try is `try { } catch e { }`.
	Try struct {
		At
		Body  *Block
		Err   *Word
		Catch *Block
	}
	// Return is `return e`; Value is nil if none.
	Return struct {
		At
		Value Expr
	}
	// Throw is `throw e`.
	Throw struct {
		At
		Value Expr
	}
	// Emit is `emit Name(args)`; HasArgs tells `emit X` from `emit X()`.
	Emit struct {
		At
		Name    Word
		HasArgs bool
		Args    []Arg
	}
	// Perform is `perform [once] Module.op(args)`.
	Perform struct {
		At
		Once   bool
		Module Word
		Op     Word
		Args   []Arg
	}
	// Ask is `ask h.name(args)`; Signal is `signal h.name(args)`.
	Ask struct {
		At
		Handle Expr
		Name   Word
		Args   []Arg
	}
	Signal struct {
		At
		Handle Expr
		Name   Word
		Args   []Arg
	}
	// Await is `await h [for d]`; For is nil if none.
	Await struct {
		At
		Handle Expr
		For    Expr
	}
	// Spawn is `spawn W { fields } [as id]`.
	Spawn struct {
		At
		Workflow Word
		Fields   *Record
		As       Expr
	}
	// SpawnIn is `spawn W { } in body`.
	SpawnIn struct {
		At
		Spawn *Spawn
		In    Expr
	}

	// Fail is `fail e [reply r]`.
	Fail struct {
		At
		Value Expr
		Reply Expr
	}
	// Goto is `goto step(args) [reply r]`.
	Goto struct {
		At
		Target Target
		Reply  Expr
	}
	// Target is a step with its input.
	Target struct {
		At
		Step    Word
		HasArgs bool
		Args    []Arg
	}
	// End is `end [value] [reply r]`.
	End struct {
		At
		Value Expr
		Reply Expr
	}
	// Pause is `pause [reason] [for d | until t [then target]] [reply r]`.
	Pause struct {
		At
		Reason Expr
		For    Expr
		Until  Expr
		Then   *Target
		Reply  Expr
	}
	// Delete is `delete [reply r]`.
	Delete struct {
		At
		Reply Expr
	}
	// Reply is `reply e`.
	Reply struct {
		At
		Value Expr
	}
	// Reject is `reject [code] e`; Code is empty for the default.
	Reject struct {
		At
		Code  Word
		Value Expr
	}

	// Mock, Expect, ExpectError, Advance and Crash stand in tests only.
	Mock struct {
		At
		Once   bool
		Module Word
		Op     Word
		Args   *PatArgs
		After  Expr
		Body   Expr
	}
	Expect struct {
		At
		X Expr
	}
	ExpectError struct {
		At
		Code Expr
		Body *Block
	}
	Advance struct {
		At
		By Expr
	}
	Crash struct{ At }

	// Bad is an expression that could not be read.
	Bad struct{ At }
)

// SelectKind tells the arms of a select apart.
type SelectKind uint8

// The kinds of arms.
const (
	SelectSignal SelectKind = iota
	SelectAfter
	SelectAt
)

func (*NumberLit) expr()   {}
func (*StringLit) expr()   {}
func (*Interp) expr()      {}
func (*BoolLit) expr()     {}
func (*NilLit) expr()      {}
func (*Name) expr()        {}
func (*Self) expr()        {}
func (*Paren) expr()       {}
func (*Tuple) expr()       {}
func (*List) expr()        {}
func (*Spread) expr()      {}
func (*Record) expr()      {}
func (*Block) expr()       {}
func (*Unary) expr()       {}
func (*Binary) expr()      {}
func (*Field) expr()       {}
func (*Index) expr()       {}
func (*Call) expr()        {}
func (*Lambda) expr()      {}
func (*Let) expr()         {}
func (*Assign) expr()      {}
func (*If) expr()          {}
func (*Match) expr()       {}
func (*Select) expr()      {}
func (*For) expr()         {}
func (*While) expr()       {}
func (*Break) expr()       {}
func (*Continue) expr()    {}
func (*Try) expr()         {}
func (*Return) expr()      {}
func (*Throw) expr()       {}
func (*Emit) expr()        {}
func (*Perform) expr()     {}
func (*Ask) expr()         {}
func (*Signal) expr()      {}
func (*Await) expr()       {}
func (*Spawn) expr()       {}
func (*SpawnIn) expr()     {}
func (*Fail) expr()        {}
func (*Goto) expr()        {}
func (*End) expr()         {}
func (*Pause) expr()       {}
func (*Delete) expr()      {}
func (*Reply) expr()       {}
func (*Reject) expr()      {}
func (*Mock) expr()        {}
func (*Expect) expr()      {}
func (*ExpectError) expr() {}
func (*Advance) expr()     {}
func (*Crash) expr()       {}
func (*Bad) expr()         {}

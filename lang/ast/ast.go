// Package ast is the syntax tree of a .wf file, as it was written.
//
// Trees never change once built; what the checker learns lies beside them, in
// package program. Broken parts are Bad nodes: the checker says nothing about
// whatever contains one.
package ast

import "github.com/wf-lang/wf/lang/source"

// A Node is any part of a tree.
type Node interface {
	Span() source.Span
}

// At is the place of a node; every node embeds it.
type At struct{ Place source.Span }

// Span is the node's place.
func (a At) Span() source.Span { return a.Place }

// A Word is a name with its place.
type Word struct {
	At
	Name string
}

// A Comment is kept for the formatter. Text includes its marks.
type Comment struct {
	At
	Text string
}

// A File is one parsed source file.
type File struct {
	At
	Items    []Item // in the order of the text; top-level statements are among them (Statement)
	Comments []Comment
}

// An Item stands at top level or as a member of a workflow, entity or agent.
type Item interface {
	Node
	item()
}

type (
	// Import is `import "file.wf"`.
	Import struct {
		At
		Path *StringLit
	}
	// Test is `test "name" { … }`.
	Test struct {
		At
		Name *StringLit
		Body *Block
	}
	// TypeDecl is `type Name = Type` (Type set) or `type Name = A | B(x: T)` (Variants set).
	TypeDecl struct {
		At
		Doc      string
		Name     Word
		Type     Type
		Variants []Variant
	}
	// Variant is one alternative of a sum type.
	Variant struct {
		At
		Doc    string
		Name   Word
		Fields []VField
	}
	// VField is a field of a variant or event; Name may be empty.
	VField struct {
		At
		Name Word
		Type Type
	}
	// EventDecl is `event Name(fields)`.
	EventDecl struct {
		At
		Doc    string
		Name   Word
		Fields []VField
	}
	// FnDecl is a named function, at top level or inside a workflow.
	FnDecl struct {
		At
		Doc    string
		Name   Word
		Params []Param
		Result Type // nil if not written
		Body   Body
	}
	// Param is a parameter; Type is nil if not written. One that is a Pattern,
	// nil for others, has no Name.
	Param struct {
		At
		Name    Word
		Pattern Pattern
		Type    Type
	}
	// Body is what a function does: a block, or (Equals) one action after `=`.
	Body struct {
		Equals bool
		Expr   Expr // a *Block unless Equals
	}
	// Statement is a top-level expression.
	Statement struct {
		At
		Expr Expr
	}

	// Workflow, Entity and Agent are the actors a program declares. Every
	// member is accepted in every body; the checker says what belongs where.
	Workflow struct {
		At
		Kind    ActorKind
		Doc     string
		Name    Word
		Members []Item
	}
	// State is `state name: Type = expr`.
	State struct {
		At
		Doc  string
		Name Word
		Type Type // nil if not written
		Init Expr // nil if required at spawn
	}
	// Timeout is the workflow's own `timeout d`; None for `timeout none`.
	Timeout struct {
		At
		Value Expr // nil for none
	}
	// Default is `default timeout … retry …`.
	Default struct {
		At
		Clauses []Clause
	}
	// Init is `init { … }`.
	Init struct {
		At
		Body *Block
	}
	// Step is `step name(params) clauses { … } compensate { … }`.
	Step struct {
		At
		Doc        string
		Name       Word
		HasParams  bool
		Params     []Param
		Clauses    []Clause
		Body       *Block
		Compensate *Compensate // nil if none
	}
	// Compensate is a compensation: a step's, branch's or block's own, or the
	// workflow's as a member.
	Compensate struct {
		At
		Err     *Word // nil if not named
		Clauses []Clause
		Body    *Block
	}
	// Finally is `finally (outcome) clauses { … }`.
	Finally struct {
		At
		Outcome *Word
		Clauses []Clause
		Body    *Block
	}
	// Parallel is a block of concurrent branches.
	Parallel struct {
		At
		Settle     bool
		First      Expr    // nil unless `first n`
		ForPattern Pattern // nil unless `for p in xs`
		ForIn      Expr
		Max        Expr // nil unless `max n`
		Clauses    []Clause
		Items      []Item // *Step, *Branch, *Parallel (others are the checker's to refuse)
		Compensate *Compensate
	}
	// Branch is `branch name { items }` in a parallel block.
	Branch struct {
		At
		Name       Word
		Items      []Item
		Compensate *Compensate
	}
	// Command is a command of a workflow, entity or agent.
	Command struct {
		At
		Doc    string
		Name   Word
		Params []Param
		Result Type
		In     []Word // steps at which it is accepted; nil: at all
		Body   Body   // Expr nil in an agent's command without a body
	}
	// Query is a read-only handler.
	Query struct {
		At
		Doc    string
		Name   Word
		Params []Param
		Result Type
		Body   Body
	}
	// SignalDecl is `signal name(payload: Type)`, or `signal name` of one without
	// payload. It may carry one value; more are the checker's to refuse.
	SignalDecl struct {
		At
		Doc       string
		Name      Word
		HasParams bool
		Params    []Param
	}
	// Setting is `model expr` or `system expr` of an agent.
	Setting struct {
		At
		Name  Word
		Value Expr
	}
	// Tool is a tool of an agent.
	Tool struct {
		At
		Doc    string
		Name   Word
		Params []Param
		Result Type
		About  *StringLit // nil if not given
		Body   *Block
	}
	// BadItem is a declaration or member that could not be read.
	BadItem struct{ At }
)

// ActorKind says with which word an actor was declared.
type ActorKind uint8

// The kinds of actors.
const (
	KindWorkflow ActorKind = iota
	KindEntity
	KindAgent
)

// Keyword is the word that declares the kind.
func (k ActorKind) Keyword() string {
	return [...]string{"workflow", "entity", "agent"}[k]
}

// A Clause of a step, block, compensation or `default` line.
type Clause struct {
	At
	Kind   ClauseKind
	Value  Expr // nil for `timeout none` and for else
	Jitter bool // of a backoff
	Target Word // of an else
}

// ClauseKind names a clause.
type ClauseKind uint8

// The clauses.
const (
	ClauseTimeout ClauseKind = iota
	ClauseRetry
	ClauseBackoff
	ClauseWhen
	ClauseElse
)

func (*Import) item()     {}
func (*Test) item()       {}
func (*TypeDecl) item()   {}
func (*EventDecl) item()  {}
func (*FnDecl) item()     {}
func (*Statement) item()  {}
func (*Workflow) item()   {}
func (*State) item()      {}
func (*Timeout) item()    {}
func (*Default) item()    {}
func (*Init) item()       {}
func (*Step) item()       {}
func (*Compensate) item() {}
func (*Finally) item()    {}
func (*Parallel) item()   {}
func (*Branch) item()     {}
func (*Command) item()    {}
func (*Query) item()      {}
func (*SignalDecl) item() {}
func (*Setting) item()    {}
func (*Tool) item()       {}
func (*BadItem) item()    {}

package parser

import "github.com/wf-lang/wf/lang/ast"

// The declarations, as participle reads them. A field of one of the interface
// types is a production of our own.
type (
	programDecl struct {
		Items []item `parser:"@@*"`
	}
	importDecl struct {
		Path stringLiteral `parser:"'import':Word @@"`
	}
	testDecl struct {
		Name stringLiteral `parser:"'test':Word @@"`
		Body testBlock     `parser:"@@"`
	}
	typeDecl struct {
		Name typeName `parser:"'type':Word @@"`
		Body typeBody `parser:"'=' @@"`
	}
	eventDecl struct {
		Name   name   `parser:"'event':Word @@"`
		Fields fields `parser:"@@?"`
	}
	fnDecl struct {
		Name   name     `parser:"'fn':Word @@"`
		Params params   `parser:"@@"`
		Result ast.Type `parser:"( '->' @@ )?"`
		Body   body     `parser:"@@"`
	}
	actorDecl struct {
		Kind string     `parser:"@( 'workflow':Word | 'entity':Word | 'agent':Word )"`
		Name name       `parser:"@@"`
		Body memberList `parser:"@@"`
	}
)

// The members of workflows, entities and agents. Every member is read in every
// body; what belongs where is the checker's question.
type (
	stateDecl struct {
		Name anyWord  `parser:"'state':Word @@"`
		Type ast.Type `parser:"( ':' @@ )?"`
		Init value    `parser:"( '=' @@ )?"`
	}
	timeoutDecl struct {
		None  bool  `parser:"'timeout':Word @'none':Word?"`
		Value limit `parser:"@@?"` // not an alternative: those must not be empty, and a value may be missing
	}
	defaultDecl struct {
		Clauses []lineClause `parser:"'default':Word @@+"`
	}
	initDecl struct {
		Body endingBlock `parser:"'init':Word @@"`
	}
	stepDecl struct {
		Name       anyWord     `parser:"'step':Word @@"`
		Params     optParams   `parser:"@@?"`
		Clauses    []clause    `parser:"@@*"`
		Body       endingBlock `parser:"@@"`
		Compensate undo        `parser:"@@?"`
	}
	compensateDecl struct {
		Err     outcome     `parser:"'compensate':Word @@?"`
		Clauses []clause    `parser:"@@*"`
		Body    endingBlock `parser:"@@"`
	}
	finallyDecl struct {
		Outcome outcome     `parser:"'finally':Word @@?"`
		Clauses []clause    `parser:"@@*"`
		Body    endingBlock `parser:"@@"`
	}
	parallelDecl struct {
		Settle     bool        `parser:"'parallel':Word @'settle':Word?"`
		First      ast.Expr    `parser:"( 'first':Word @@ )?"`
		Pattern    ast.Pattern `parser:"( 'for':Word @@"`
		In         ast.Expr    `parser:"  'in':Word NL* @@"`
		Max        ast.Expr    `parser:"  ( 'max':Word @@ )? )?"`
		Clauses    []clause    `parser:"@@*"`
		Body       memberList  `parser:"@@"`
		Compensate undo        `parser:"@@?"`
	}
	branchDecl struct {
		Name       anyWord    `parser:"'branch':Word @@"`
		Body       memberList `parser:"@@"`
		Compensate undo       `parser:"@@?"`
	}
	commandDecl struct {
		Name   anyWord     `parser:"'command':Word @@"`
		Params params      `parser:"@@"`
		Result ast.Type    `parser:"( '->' @@ )?"`
		In     []anyWord   `parser:"( 'in':Word NL* @@ ( ',' NL* @@ )* )?"`
		Body   commandBody `parser:"@@"`
	}
	queryDecl struct {
		Name   anyWord  `parser:"'query':Word @@"`
		Params params   `parser:"@@"`
		Result ast.Type `parser:"( '->' @@ )?"`
		Body   body     `parser:"@@"`
	}
	signalDecl struct {
		Name    anyWord `parser:"'signal':Word @@"`
		Payload payload `parser:"@@?"`
	}
	settingDecl struct {
		Name  string `parser:"@( 'model':Word | 'system':Word )"`
		Value value  `parser:"@@"`
	}
	toolDecl struct {
		Name   anyWord      `parser:"'tool':Word @@"`
		Params params       `parser:"@@"`
		Result ast.Type     `parser:"( '->' @@ )?"`
		About  aboutLiteral `parser:"@@?"`
		Body   plainBlock   `parser:"@@"`
	}
)

// A declaration is read by participle and becomes a node of the tree.
type declaration interface {
	node(at ast.At, doc string) ast.Item
}

// A member is a declaration inside a workflow, entity or agent.
type member interface{ declaration }

// The productions of our own; each is an interface so that participle tells
// them apart, and its name is what the printed grammar says.
type (
	item          interface{ ast.Item }
	value         interface{ ast.Expr }
	limit         interface{ ast.Expr }
	name          interface{ ast.Node }
	typeName      interface{ ast.Node }
	anyWord       interface{ ast.Node }
	stringLiteral interface{ ast.Node }
	aboutLiteral  interface{ ast.Node }
	params        interface{ ast.Node }
	optParams     interface{ ast.Node }
	payload       interface{ ast.Node }
	fields        interface{ ast.Node }
	typeBody      interface{ ast.Node }
	outcome       interface{ ast.Node }
	clause        interface{ ast.Node }
	lineClause    interface{ ast.Node }
	body          interface{ ast.Node }
	commandBody   interface{ ast.Node }
	endingBlock   interface{ ast.Node }
	plainBlock    interface{ ast.Node }
	testBlock     interface{ ast.Node }
	memberList    interface{ ast.Node }
	undo          interface{ ast.Node }
)

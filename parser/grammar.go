package parser

import (
	"errors"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// A skeleton is participle's parser of the declarations, with our productions
// bound to one parse.
type skeleton struct {
	program     *participle.Parser[programDecl]
	declaration *participle.Parser[declarationRoot]
	member      *participle.Parser[memberRoot]
}

// The entries for one declaration and one member.
type (
	declarationRoot struct {
		It declaration `parser:"@@"`
	}
	memberRoot struct {
		It member `parser:"@@"`
	}
)

// roots makes one grammar of the three entries, so that all are built at once.
type roots struct {
	Program     *programDecl     `parser:"  @@"`
	Declaration *declarationRoot `parser:"| @@"`
	Member      *memberRoot      `parser:"| @@"`
}

// errFailed tells participle that one of our productions failed; what there
// was to say is said.
var errFailed = errors.New("reported")

// bind makes a production of ours one of participle's. read reports whether
// there was anything to read.
func bind[T any](p *parser, read func() (T, bool)) participle.Option {
	return participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (T, error) {
		outer := p.lex
		p.lex = lex
		p.fromLexer()
		v, ok := read()
		p.lex = outer
		switch {
		case p.failed:
			return v, errFailed
		case !ok:
			return v, participle.NextMatch
		}
		p.toLexer(lex)
		return v, nil
	})
}

// always is for productions that are never absent.
func always[T any](p *parser, read func() T) participle.Option {
	return bind(p, func() (T, bool) { return read(), true })
}

// fromLexer takes over the place of participle's cursor, toLexer hands ours on.
func (p *parser) fromLexer() {
	if at := int(p.lex.RawCursor()); at != p.pos {
		p.pos = at
		if at > 0 {
			p.lastTok, p.lastEnd = at-1, p.toks[at-1].Span.End
			for p.lastTok > 0 && p.toks[p.lastTok].Kind == token.NL {
				p.lastTok--
				p.lastEnd = p.toks[p.lastTok].Span.End
			}
		}
	}
	p.settle()
}

func (p *parser) toLexer(lex *lexer.PeekingLexer) {
	if p.pos > int(lex.RawCursor()) {
		lex.FastForward(lexer.RawCursor(p.pos - 1))
	}
}

// newSkeleton builds the grammar for one parse.
func newSkeleton(p *parser) (*skeleton, error) {
	all, err := participle.Build[roots](append(p.productions(),
		participle.Lexer(scan.Definition{}),
		participle.UseLookahead(0),
		participle.Union[declaration](&importDecl{}, &testDecl{}, &typeDecl{}, &eventDecl{}, &fnDecl{}, &actorDecl{}),
		participle.Union[member](&stateDecl{}, &timeoutDecl{}, &defaultDecl{}, &initDecl{}, &stepDecl{}, &parallelDecl{},
			&branchDecl{}, &commandDecl{}, &queryDecl{}, &fnDecl{}, &finallyDecl{}, &compensateDecl{}, &settingDecl{}, &toolDecl{}),
	)...)
	if err != nil {
		return nil, err
	}
	s := &skeleton{}
	if s.program, err = participle.ParserForProduction[programDecl](all); err != nil {
		return nil, err
	}
	if s.declaration, err = participle.ParserForProduction[declarationRoot](all); err != nil {
		return nil, err
	}
	s.member, err = participle.ParserForProduction[memberRoot](all)
	return s, err
}

// productions are ours, for participle.
func (p *parser) productions() []participle.Option {
	block := func(of string, ends, test bool) func() ast.Node {
		return func() ast.Node { return p.bodyBlock(of, ends, test) }
	}
	return []participle.Option{
		bind(p, p.item),
		bind(p, func() (clause, bool) { return p.headClause() }),
		bind(p, func() (lineClause, bool) { return p.clause(p.pos) }),
		bind(p, func() (undo, bool) { return p.undo() }),
		bind(p, func() (outcome, bool) { return p.outcome() }),
		bind(p, func() (optParams, bool) { return p.optionalParams() }),
		bind(p, func() (fields, bool) { return p.fieldList() }),
		bind(p, func() (aboutLiteral, bool) { return p.about() }),
		always(p, func() name { return p.headName() }),
		always(p, func() typeName { return p.headName() }),
		always(p, func() anyWord { return p.headWord() }),
		always(p, func() stringLiteral { return p.plainString() }),
		always(p, func() params { return p.paramList() }),
		always(p, func() typeBody { return p.typeBodyNode() }),
		always(p, func() body { return p.bodyNode(false) }),
		always(p, func() commandBody { return p.commandBody() }),
		always(p, func() endingBlock { return block("the head", true, false)() }),
		always(p, func() plainBlock { return block("the head of the tool", false, false)() }),
		always(p, func() testBlock { return block("the name of the test", false, true)() }),
		always(p, func() memberList { return p.members() }),
		always(p, func() ast.Expr { return p.headExpr() }),
		bind(p, func() (limit, bool) { return p.limit() }),
		always(p, func() value { return p.condition() }),
		always(p, func() ast.Type { return p.typ() }),
		always(p, func() ast.Pattern { return p.pattern(bindings) }),
	}
}

// readDeclaration lets participle read a declaration at the current token; nil
// if that failed.
func (s *skeleton) readDeclaration(p *parser) declaration {
	p.toLexer(p.lex)
	d, err := s.declaration.ParseFromLexer(p.lex, participle.AllowTrailing(true))
	if d == nil {
		d = &declarationRoot{}
	}
	return p.taken(d.It, err)
}

// readMember is readDeclaration for a member.
func (s *skeleton) readMember(p *parser) declaration {
	p.toLexer(p.lex)
	m, err := s.member.ParseFromLexer(p.lex, participle.AllowTrailing(true))
	if m == nil {
		m = &memberRoot{}
	}
	return p.taken(m.It, err)
}

// taken takes over what participle read. An error that is not ours is a symbol
// that it missed.
func (p *parser) taken(d declaration, err error) declaration {
	p.fromLexer()
	if err != nil {
		p.fail(say.Expected(p.where(), p.cur, expectation(err), ""))
		return nil
	}
	return d
}

// expectation is what participle would have accepted, for people.
func expectation(err error) string {
	_, what, _ := strings.Cut(err.Error(), "(expected ")
	if quoted, ok := strings.CutPrefix(what, `"`); ok {
		if symbol, _, ok := strings.Cut(quoted, `"`); ok {
			return "`" + symbol + "`"
		}
	}
	return "a clause or the rest of the declaration"
}

// EBNF prints the grammar of the declarations, as participle holds it. What
// stands in < > is a kind of token; a production without a rule - Block, Expr,
// Type and the like - is read by hand.
func EBNF() string {
	p := &parser{toks: []token.Token{{Kind: token.EOF}}, reported: map[int]bool{}}
	s, err := newSkeleton(p)
	if err != nil {
		return "" // the tests build the grammar, so this is not met
	}
	tidy := strings.NewReplacer(
		"Roots = ProgramDecl | DeclarationRoot | MemberRoot .\n", "",
		"DeclarationRoot = Declaration .\n", "", "MemberRoot = Member .\n", "",
		"TypeDecl", "TypeDecl", "Decl ", " ", "OptParams", "Params", "EndingBlock", "Block", "PlainBlock", "Block", "TestBlock", "Block",
		"TypeName", "Name", "StringLiteral", "<string>", "AboutLiteral", "<string>", "LineClause", "Clause",
		"CommandBody", "Body?", "Undo", "Compensate", "Outcome?", `("(" Name ")")?`, "MemberList", `"{" Member* "}"`, "Value", "Expr",
		`"none"? Limit?`, `("none" | Expr)`,
		"<nl>", "NL",
	)
	return tidy.Replace(s.program.String() + "\n")
}

package parser

import (
	"errors"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// A skeleton is participle's parser of the declarations, with our productions
// bound to the parse that it serves.
type skeleton struct {
	program *participle.Parser[programDecl]
	words   map[string]reader // of the declarations and members by the words that they begin with

	p       *parser   // the parse, nil between two
	windows []*window // one for each declaration inside another
	depth   int       // how many of them are at work
}

// skeletons are grammars that were built and serve nobody at the moment:
// building one takes longer than reading a small file. They are all alike and
// remember nothing, so it does not matter which one a parse gets.
var skeletons = sync.Pool{New: func() any {
	s, err := newSkeleton()
	if err != nil {
		return nil // the tests build the grammar, so this is not met
	}
	return s
}}

// serve lends the parser a skeleton while do runs.
func (p *parser) serve(do func()) {
	s, _ := skeletons.Get().(*skeleton)
	if s == nil {
		return
	}
	s.p, p.grammar = p, s
	do()
	s.p, p.grammar = nil, nil
	for _, w := range s.windows {
		clear(w.toks) // the text of a file must not outlive it
	}
	skeletons.Put(s)
}

// run lets participle read one production at our current token.
func run[T any](p *parser, production *participle.Parser[T]) (*T, error) {
	s := p.grammar
	if s.depth == len(s.windows) {
		s.windows = append(s.windows, newWindow(windowSize))
	}
	w := s.windows[s.depth]
	s.depth++
	lex := w.lexer
	w.show(p, &lex)
	tree, err := production.ParseFromLexer(&lex, participle.AllowTrailing(true))
	p.goTo(w.place(&lex))
	s.depth--
	return tree, err
}

// A reader lets participle read one kind of declaration at the current token.
type reader func(*parser) (declaration, error)

// roots makes one grammar of all that is read, so that all is built at once.
type roots struct {
	Program     *programDecl `parser:"  @@"`
	Declaration declaration  `parser:"| @@"`
	Member      member       `parser:"| @@"`
}

// errFailed tells participle that one of our productions failed; what there
// was to say is said.
var errFailed = errors.New("reported")

// bind makes a production of ours one of participle's. read reports whether
// there was anything to read.
func bind[T any](s *skeleton, read func(*parser) (T, bool)) participle.Option {
	return participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (T, error) {
		p, w := s.p, s.windows[s.depth-1]
		p.goTo(w.place(lex))
		v, ok := read(p)
		switch {
		case p.failed:
			return v, errFailed
		case !ok:
			return v, participle.NextMatch
		}
		w.passed(p, lex)
		return v, nil
	})
}

// always is for productions that are never absent.
func always[T any](s *skeleton, read func(*parser) T) participle.Option {
	return bind(s, func(p *parser) (T, bool) { return read(p), true })
}

// goTo makes the token i the current one: where participle's cursor is.
func (p *parser) goTo(i int) {
	if i != p.pos {
		p.pos = i
		if i > 0 {
			p.lastTok, p.lastEnd = i-1, p.toks[i-1].Span.End
			for p.lastTok > 0 && p.toks[p.lastTok].Kind == token.NL {
				p.lastTok--
				p.lastEnd = p.toks[p.lastTok].Span.End
			}
		}
	}
	p.settle()
}

// newSkeleton builds the grammar.
func newSkeleton() (*skeleton, error) {
	s := &skeleton{}
	all, err := participle.Build[roots](append(s.productions(),
		participle.Lexer(scan.NewDefinition()),
		participle.UseLookahead(0),
		participle.Union[declaration](&importDecl{}, &testDecl{}, &typeDecl{}, &eventDecl{}, &fnDecl{}, &actorDecl{}),
		participle.Union[member](&stateDecl{}, &timeoutDecl{}, &defaultDecl{}, &initDecl{}, &stepDecl{}, &parallelDecl{},
			&branchDecl{}, &commandDecl{}, &queryDecl{}, &signalDecl{}, &fnDecl{}, &finallyDecl{}, &compensateDecl{}, &settingDecl{}, &toolDecl{}),
	)...)
	if err != nil {
		return nil, err
	}
	if s.program, err = participle.ParserForProduction[programDecl](all); err != nil {
		return nil, err
	}
	s.words = map[string]reader{}
	return s, errors.Join(
		begun[importDecl](s, all, "import"), begun[testDecl](s, all, "test"), begun[typeDecl](s, all, "type"),
		begun[eventDecl](s, all, "event"), begun[fnDecl](s, all, "fn"), begun[actorDecl](s, all, "workflow", "entity", "agent"),
		begun[stateDecl](s, all, "state"), begun[timeoutDecl](s, all, "timeout"), begun[defaultDecl](s, all, "default"),
		begun[initDecl](s, all, "init"), begun[stepDecl](s, all, "step"), begun[parallelDecl](s, all, "parallel"),
		begun[branchDecl](s, all, "branch"), begun[commandDecl](s, all, "command"), begun[queryDecl](s, all, "query"),
		begun[signalDecl](s, all, "signal"),
		begun[finallyDecl](s, all, "finally"), begun[compensateDecl](s, all, "compensate"),
		begun[settingDecl](s, all, "model", "system"), begun[toolDecl](s, all, "tool"),
	)
}

// begun says with which words a declaration of type T begins. Going there by
// the word spares participle from trying one kind after another.
func begun[T any, D interface {
	*T
	declaration
}](s *skeleton, all *participle.Parser[roots], words ...string) error {
	production, err := participle.ParserForProduction[T](all)
	for _, w := range words {
		s.words[w] = func(p *parser) (declaration, error) {
			d, err := run(p, production)
			return D(d), err
		}
	}
	return err
}

// productions are ours, for participle.
func (s *skeleton) productions() []participle.Option {
	return []participle.Option{
		bind(s, (*parser).item),
		bind(s, func(p *parser) (clause, bool) { return p.headClause() }),
		bind(s, func(p *parser) (lineClause, bool) { return p.clause(p.pos) }),
		bind(s, func(p *parser) (undo, bool) { return p.undo() }),
		bind(s, func(p *parser) (outcome, bool) { return p.outcome() }),
		bind(s, func(p *parser) (optParams, bool) { return p.optionalParams() }),
		bind(s, func(p *parser) (payload, bool) { return p.payload() }),
		bind(s, func(p *parser) (fields, bool) { return p.fieldList() }),
		bind(s, func(p *parser) (aboutLiteral, bool) { return p.about() }),
		always(s, func(p *parser) name { return p.headName() }),
		always(s, func(p *parser) typeName { return p.headName() }),
		always(s, func(p *parser) anyWord { return p.headWord() }),
		always(s, func(p *parser) stringLiteral { return p.plainString() }),
		always(s, func(p *parser) params { return p.paramList() }),
		always(s, func(p *parser) typeBody { return p.typeBodyNode() }),
		always(s, func(p *parser) body { return p.bodyNode(false) }),
		always(s, func(p *parser) commandBody { return p.commandBody() }),
		always(s, func(p *parser) endingBlock { return p.bodyBlock("the head", true, false) }),
		always(s, func(p *parser) plainBlock { return p.bodyBlock("the head of the tool", false, false) }),
		always(s, func(p *parser) testBlock { return p.bodyBlock("the name of the test", false, true) }),
		always(s, func(p *parser) memberList { return p.members() }),
		always(s, func(p *parser) ast.Expr { return p.headExpr() }),
		bind(s, func(p *parser) (limit, bool) { return p.limit() }),
		always(s, func(p *parser) value { return p.condition() }),
		always(s, func(p *parser) ast.Type { return p.typ() }),
		always(s, func(p *parser) ast.Pattern { return p.pattern(bindings) }),
	}
}

// readDeclaration lets participle read the declaration or member at the current
// token; nil if that failed. An error that is not ours is a symbol that
// participle missed.
func (p *parser) readDeclaration() declaration {
	read := p.grammar.words[p.cur.Text]
	if read == nil {
		p.fail(say.Expected(p.where(), p.cur, "a declaration", ""))
		return nil
	}
	d, err := read(p)
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
	s, err := newSkeleton()
	if err != nil {
		return "" // the tests build the grammar, so this is not met
	}
	tidy := strings.NewReplacer(
		"Roots = ProgramDecl | Declaration | Member .\n", "",
		"TypeDecl", "TypeDecl", "Decl ", " ", "OptParams", "Params", "Payload", "Params", "EndingBlock", "Block", "PlainBlock", "Block", "TestBlock", "Block",
		"TypeName", "Name", "StringLiteral", "<string>", "AboutLiteral", "<string>", "LineClause", "Clause",
		"CommandBody", "Body?", "Undo", "Compensate", "Outcome?", `("(" Name ")")?`, "MemberList", `"{" Member* "}"`, "Value", "Expr",
		`"none"? Limit?`, `("none" | Expr)`,
		"<nl>", "NL",
	)
	return tidy.Replace(s.program.String() + "\n")
}

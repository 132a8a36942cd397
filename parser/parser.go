// Package parser turns the text of a .wf file into a syntax tree and says what
// is wrong with it: all mistakes of a file in one go, at most one a line.
//
// It may know characters, tokens and trees, and nothing of meaning: whether a
// member belongs into an entity or a name exists is the checker's question.
//
// Declarations and members are read by participle from the structs of
// skeleton.go; what is inside them - types, patterns, expressions, statements -
// by hand-written productions that participle calls, with a table of operator
// precedences at the core. All of them share one cursor over the tokens.
//
// A production that meets what it cannot read reports it and sets the parser
// to failed: from then on the cursor shows the end of the file, so that every
// production on the way returns by itself. The nearest guard - around each
// statement, arm, member and declaration - takes that back, puts a Bad node
// where the construct was, and goes on behind it. Where the mistake is known
// well enough, as with a forgotten comma, nothing fails: it is reported and
// read as what was meant.
package parser

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/say"
	"github.com/wf-lang/wf/parser/internal/scan"
)

const (
	maxDepth = 250 // of constructs in one another
	maxChain = 500 // of operators, calls or fields in a row
)

// Parse reads a file, whose number in the program's set is given. The tree is
// never nil; what could not be read is a Bad node in it. The diagnostics are
// in the order of the text.
func Parse(file *source.File, number uint16) (*ast.File, diag.List) {
	tree, p := read(file, number)
	return tree, p.diags
}

func read(file *source.File, number uint16) (*ast.File, *parser) {
	scanned := scan.Scan(file, number)
	p := &parser{
		file: file, fileNum: number,
		toks: scanned.Tokens, docs: scanned.Docs,
		reported: map[int]bool{}, ends: true,
	}
	for _, d := range scanned.Diags {
		p.report(d)
		p.deep = p.deep || d.Code == say.TooDeepCode
	}
	p.short = false
	p.countBraces()
	p.settle()
	tree := &ast.File{Comments: scanned.Comments}
	tree.Place = source.Span{File: number, End: uint32(len(file.Text))}
	p.serve(func() { tree.Items = p.program() })
	p.diags.Sort()
	return tree, p
}

// A parser is the state of one parse.
type parser struct {
	file    *source.File
	fileNum uint16
	toks    []token.Token
	docs    map[int]string // doc comments by the index of the token behind them
	grammar *skeleton      // lent to this parse

	pos     int          // index of the current token
	cur     *token.Token // the current token; the end of the file while failed
	lastEnd uint32       // end of the last token that was read, 0 before the first
	lastTok int          // its index

	inside
	ends    bool // `end`, `pause`, … may stand here
	test    bool // in a test
	agent   bool // in an agent
	depth   int  // of constructs in one another
	interps int  // interpolations that are open

	deep   bool // that brackets are too deep is reported
	failed bool
	failAt int  // index of the token at which it failed
	short  bool // something is missing at the end of the text

	surplus    int           // how many more } than { the file has
	balanced   bool          // every brace has its partner
	actor      *ast.Workflow // the last one
	lastCloser source.Span   // the } that closed it

	diags    diag.List
	reported map[int]bool // lines that have their diagnostic
}

// report adds a diagnostic unless its line has one.
func (p *parser) report(d diag.Diagnostic) {
	p.short = p.short || p.toks[p.pos].Kind == token.EOF && d.Span.End >= p.lastEnd
	if line := p.file.LineOf(d.Span.Start); !p.reported[line] {
		p.reported[line] = true
		p.diags.Add(d)
	}
}

// fail reports a diagnostic about the current token and gives up the construct
// up to the nearest guard.
func (p *parser) fail(d diag.Diagnostic) {
	if p.failed {
		return
	}
	if !p.deep || d.Code != say.TooDeepCode {
		p.report(d)
	}
	p.failed = true
	p.failAt = p.pos
	p.settle()
}

// countBraces finds out whether a bracket was forgotten somewhere.
func (p *parser) countBraces() {
	p.balanced = true
	for i := range p.toks {
		k := p.toks[i].Kind
		if (k == token.LBrace || k == token.RBrace || k == token.Stray) && p.toks[i].Match < 0 {
			p.balanced = false
		}
		switch k {
		case token.LBrace:
			p.surplus--
		case token.RBrace:
			p.surplus++
		}
	}
}

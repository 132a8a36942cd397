package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/wf-lang/wf/lang/token"
	"github.com/wf-lang/wf/parser/internal/scan"
)

const (
	windowSize = 24 // tokens that a window holds at first; it grows
	lookAhead  = 6  // words and symbols shown; more than the grammar has in a row between two productions of ours
)

// A window is what participle sees of a file while it reads one declaration.
// Most of a declaration is read by our own productions, so that participle gets
// the few tokens behind each of them and no copy of the whole text: a production
// counts as one token, and behind it the window shows what stands behind that in
// the file. One window serves one declaration after another.
type window struct {
	lexer lexer.PeekingLexer // over toks, at its beginning
	toks  []lexer.Token      // what it will give; all but the end of file behind them
	ahead int                // our index of a token less participle's
}

func newWindow(size int) *window {
	w := &window{}
	made, err := lexer.Upgrade(&blanks{left: size})
	if err != nil {
		return w // blanks give no errors
	}
	w.lexer, w.toks = *made, made.Range(0, lexer.RawCursor(size))
	return w
}

// show puts the tokens from our current one on where the cursor of lex is.
func (w *window) show(p *parser, lex *lexer.PeekingLexer) {
	at := int(lex.RawCursor())
	w.ahead = p.pos - at
	for i, left := p.pos, lookAhead; left > 0 && i < len(p.toks); i++ {
		if at == len(w.toks) {
			w.grow(lex)
		}
		t := &p.toks[i]
		w.toks[at] = lexer.Token{Type: scan.Type(t.Kind), Value: t.Text, Pos: lexer.Position{Offset: int(t.Span.Start)}}
		if at++; t.Kind != token.NL {
			left--
		}
	}
}

// grow makes room for twice as many tokens, and lex one that sees them.
func (w *window) grow(lex *lexer.PeekingLexer) {
	larger := newWindow(max(windowSize, 2*len(w.toks)))
	copy(larger.toks, w.toks)
	w.toks, w.lexer = larger.toks, larger.lexer
	larger.lexer.LoadCheckpoint(lex.MakeCheckpoint())
	*lex = larger.lexer
}

// passed tells lex of a production that has read something: everything between
// its cursor and our current token is one token for it.
func (w *window) passed(p *parser, lex *lexer.PeekingLexer) {
	if p.pos > w.place(lex) {
		lex.Next()
		w.show(p, lex)
	}
}

// place is our index of the token at the cursor of lex.
func (w *window) place(lex *lexer.PeekingLexer) int { return int(lex.RawCursor()) + w.ahead }

// blanks is a lexer of as many tokens that say nothing.
type blanks struct{ left int }

// Next is participle's lexer.Lexer.
func (b *blanks) Next() (lexer.Token, error) {
	if b.left == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	b.left--
	return lexer.Token{Type: scan.Type(token.NL)}, nil
}

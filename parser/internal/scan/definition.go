package scan

import (
	"io"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/token"
)

// Definition presents the scanner to participle.
type Definition struct{ symbols map[string]lexer.TokenType }

// NewDefinition makes a Definition.
func NewDefinition() Definition {
	symbols := make(map[string]lexer.TokenType)
	for _, k := range token.All() {
		symbols[k.String()] = Type(k)
	}
	return Definition{symbols: symbols}
}

// Type is participle's number for a kind of token.
func Type(k token.Kind) lexer.TokenType {
	if k == token.EOF {
		return lexer.EOF
	}
	return lexer.TokenType(-1 - int(k))
}

// Symbols names the kinds of tokens for the tags of the grammar.
func (d Definition) Symbols() map[string]lexer.TokenType { return d.symbols }

// Lex scans all of r.
func (Definition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return Tokens(Scan(source.NewFile(filename, string(text)), 0).Tokens), nil
}

// Tokens presents what was scanned already.
func Tokens(toks []token.Token) lexer.Lexer { return &reader{toks: toks} }

type reader struct{ toks []token.Token }

// Next is participle's lexer.Lexer; the last token comes again and again.
func (r *reader) Next() (lexer.Token, error) {
	if len(r.toks) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := &r.toks[0]
	if len(r.toks) > 1 {
		r.toks = r.toks[1:]
	}
	return lexer.Token{Type: Type(t.Kind), Value: t.Text, Pos: lexer.Position{Offset: int(t.Span.Start)}}, nil
}

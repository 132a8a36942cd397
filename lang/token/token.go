// Package token names what a source text consists of: the kinds of tokens, and
// the words that mean something to the language. It knows nothing of how
// tokens are found (package scan) or put together (package parser).
package token

import "github.com/wf-lang/wf/lang/source"

// A Kind tells tokens apart. Whether a Word is reserved is the parser's
// question: any word may name a field or a step.
type Kind uint8

// The kinds of tokens.
const (
	EOF  Kind = iota
	NL        // a line break that may end a statement, or ";"
	Word      // a name or keyword

	Int      // 42, 1_000
	Decimal  // 12.50
	Float    // 1e9
	Duration // 1h30m

	String // a string without interpolation, raw or not
	Open   // the opening quotes of a string with interpolations
	Text   // the text between quotes and interpolations
	Close  // the closing quotes

	Interp    // ${
	InterpEnd // the } of a ${
	LParen    // (
	RParen    // )
	LBrack    // [
	RBrack    // ]
	LBrace    // {
	RBrace    // }
	Stray     // a } that, by the indentation around it, closes nothing

	Ellipsis // ...
	Range    // ..
	OptDot   // ?.
	Coalesce // ??
	Pipe     // |>
	OrOr     // ||
	AndAnd   // &&
	EqEq     // ==
	NotEq    // !=
	LessEq   // <=
	MoreEq   // >=
	FatArrow // =>
	Arrow    // ->
	PlusEq   // +=
	MinusEq  // -=
	Comma    // ,
	Colon    // :
	Dot      // .
	Question // ?
	Assign   // =
	Less     // <
	More     // >
	Plus     // +
	Minus    // -
	Star     // *
	Slash    // /
	Percent  // %
	Bar      // |
	Bang     // !

	kinds // how many there are
)

// names are what people are told, and what the printed grammar calls a kind.
var names = [kinds]string{
	EOF: "EOF", NL: "NL", Word: "Word",
	Int: "Int", Decimal: "Decimal", Float: "Float", Duration: "Duration",
	String: "String", Open: "Open", Text: "Text", Close: "Close",
	Interp: "${", InterpEnd: "}", LParen: "(", RParen: ")", LBrack: "[", RBrack: "]", LBrace: "{", RBrace: "}", Stray: "}",
	Ellipsis: "...", Range: "..", OptDot: "?.", Coalesce: "??", Pipe: "|>", OrOr: "||", AndAnd: "&&",
	EqEq: "==", NotEq: "!=", LessEq: "<=", MoreEq: ">=", FatArrow: "=>", Arrow: "->", PlusEq: "+=", MinusEq: "-=",
	Comma: ",", Colon: ":", Dot: ".", Question: "?", Assign: "=", Less: "<", More: ">",
	Plus: "+", Minus: "-", Star: "*", Slash: "/", Percent: "%", Bar: "|", Bang: "!",
}

// String is the spelling of a symbol, the name of any other kind.
func (k Kind) String() string {
	if k >= kinds {
		return "?"
	}
	return names[k]
}

// All lists every kind.
func All() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// IsSymbol reports whether the kind is punctuation, brackets included.
func (k Kind) IsSymbol() bool { return k >= Interp && k < kinds }

// IsNumber reports whether the kind is a numeric literal.
func (k Kind) IsNumber() bool { return k >= Int && k <= Duration }

// A Token is a piece of source text with its place.
type Token struct {
	Kind    Kind
	Newline bool  // a line break stands between it and the token before
	Match   int32 // of a bracket: the index of its partner, -1 if it has none
	Span    source.Span
	Text    string // as written; "" if it was put in where one was missing
	Value   string // of strings: the text they stand for; of numbers: without "_"
}

// Is reports whether the token is the word w.
func (t *Token) Is(w string) bool { return t.Kind == Word && t.Text == w }

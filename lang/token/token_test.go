package token_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/token"
)

func TestEveryKindHasAName(t *testing.T) {
	for _, k := range token.All() {
		require.NotEmpty(t, k.String())
		require.False(t, k.IsNumber() && k.IsSymbol())
	}
	require.Equal(t, "?", token.Kind(255).String())
	require.True(t, token.Interp.IsSymbol())
	require.True(t, token.Bang.IsSymbol())
	require.False(t, token.Close.IsSymbol())
	require.True(t, token.Duration.IsNumber())
	require.False(t, token.String.IsNumber())
}

func TestWords(t *testing.T) {
	require.Len(t, token.ReservedWords(), 29)
	for _, w := range token.ReservedWords() {
		require.True(t, token.Reserved(w), w)
	}
	for _, list := range [][]string{token.Declarations(), token.Members(), token.Clauses()} {
		for _, w := range list {
			require.Equal(t, w == "fn" || w == "else", token.Reserved(w), "only fn and else are reserved: %s", w)
		}
	}
	for _, w := range token.RejectCodes() {
		require.True(t, token.RejectCode(w), w)
	}
	require.False(t, token.RejectCode("error"))
	require.True(t, token.BreaksNoLine("in"))
	require.False(t, token.BreaksNoLine("if"))
	word := token.Token{Kind: token.Word, Text: "step"}
	require.True(t, word.Is("step"))
	text := token.Token{Kind: token.String, Text: "step"}
	require.False(t, text.Is("step"))
}

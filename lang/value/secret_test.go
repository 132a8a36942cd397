package value

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func basic(t *testing.T) Value {
	v, err := NewSecret(SecretPart{Kind: SecretText, Text: "Basic "},
		SecretPart{Kind: SecretBase64, Parts: []SecretPart{{Kind: SecretText, Text: "ann:"}, {Kind: SecretName, Text: "door"}}})
	require.NoError(t, err)
	return v
}

// A secret is known by its names, has no text, and taints what it is in.
func TestSecretsHaveNoText(t *testing.T) {
	s := basic(t)
	require.Equal(t, `Secret(text "Basic ", base64 Secret(text "ann:", "door"))`, s.String())
	require.Equal(t, KindSecret, s.Kind())
	deep := NewRecord([]string{"list"}, []Value{List(Int(1), Tuple(Int(1), s))})
	for _, v := range []Value{s, deep, NewVariant(&Variant{Name: "Some", Fields: []Value{s}})} {
		require.True(t, v.HasSecret())
		require.True(t, v.IsData())
		_, err := ToText(v)
		require.Equal(t, CodeSecret, err.(*Error).Code)
		_, err = ToJSON(v)
		require.Equal(t, CodeSecret, err.(*Error).Code)
		require.Error(t, NoText(v))
	}
	r, _ := deep.AsRecord()
	without := r.With("list", Nil)
	require.False(t, without.HasSecret(), "what does not hold it any more is free again")
	require.NoError(t, NoText(without))
	require.NoError(t, NoText(List(String("Secret"))))
}

func TestSecretsAreCompared(t *testing.T) {
	require.True(t, Equal(basic(t), basic(t)))
	require.True(t, Equal(Named("a"), Named("a")))
	require.False(t, Equal(Named("a"), Named("b")))
	require.False(t, Equal(Named("a"), String("a")))
	_, err := Compare(Named("a"), Named("b"))
	require.Error(t, err)
}

// What stands for no secret is none, and layers are bounded.
func TestSecretsAreWellFormed(t *testing.T) {
	for _, parts := range [][]SecretPart{nil, {{Kind: SecretText, Text: "x"}}, {{Kind: SecretName}}, {{Kind: 9, Text: "x"}},
		{{Kind: SecretName, Text: "a"}, {Kind: SecretBase64, Parts: []SecretPart{{Kind: 9}}}}} {
		_, err := NewSecret(parts...)
		require.Error(t, err, "%v", parts)
	}
	parts := []SecretPart{{Kind: SecretName, Text: "a"}}
	for range maxSecretDepth {
		parts = []SecretPart{{Kind: SecretBase64, Parts: parts}}
	}
	v, err := NewSecret(parts...)
	require.NoError(t, err)
	b, err := Append(nil, v)
	require.NoError(t, err)
	got, rest, err := Decode(b)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.True(t, Equal(v, got))
	_, err = NewSecret(SecretPart{Kind: SecretBase64, Parts: parts})
	require.Error(t, err)

	joined, err := NewSecret(SecretPart{Kind: SecretText, Text: "a"}, SecretPart{Kind: SecretText, Text: "b"}, SecretPart{Kind: SecretName, Text: "n"})
	require.NoError(t, err)
	require.Equal(t, `Secret(text "ab", "n")`, joined.String())
}

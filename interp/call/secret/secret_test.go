package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/lang/value"
)

func named(t *testing.T, parts ...value.SecretPart) *value.Secret {
	v, err := value.NewSecret(parts...)
	require.NoError(t, err)
	s, _ := v.AsSecret()
	return s
}

func TestWhereSecretsAre(t *testing.T) {
	require.Equal(t, "WF_SECRET_MY_KEY_2", secret.EnvName("my-key.2"))
	k := secret.New([]string{"WF_SECRET_MY_KEY=from-environment", "OTHER=x", "WF_SECRET_SHORT=abc"}, map[string]string{"my-key": "from-file", "only": "in-the-file"})
	for name, want := range map[string]string{"my-key": "from-environment", "MY_KEY": "from-environment", "only": "in-the-file"} {
		got, err := k.Text(named(t, value.SecretPart{Kind: value.SecretName, Text: name}))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, k.Check(name))
	}
	var bad *secret.Error
	require.True(t, errors.As(k.Check("gone"), &bad))
	require.True(t, bad.Missing)
	require.Contains(t, bad.Message, "WF_SECRET_GONE")
	require.True(t, errors.As(k.Check("short"), &bad))
	require.False(t, bad.Missing)
	require.Error(t, k.Check(""))
	require.Error(t, k.Check(strings.Repeat("x", 200)))

	text, err := k.Text(named(t, value.SecretPart{Kind: value.SecretText, Text: "Basic "},
		value.SecretPart{Kind: value.SecretBase64, Parts: []value.SecretPart{{Kind: value.SecretText, Text: "ann:"}, {Kind: value.SecretName, Text: "only"}}}))
	require.NoError(t, err)
	require.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte("ann:in-the-file")), text)
	require.NotContains(t, k.Redact("you sent "+text), text[6:])
}

// In whatever way a secret is written into a text, it is not there afterwards,
// and what is no secret stays.
func TestRedact(t *testing.T) {
	ways := []func(string) string{
		func(s string) string { return s },
		func(s string) string { b, _ := json.Marshal(map[string]string{"k": s}); return string(b) },
		func(s string) string { b, _ := json.Marshal(s); b, _ = json.Marshal(string(b)); return string(b) },
		url.QueryEscape, url.PathEscape,
		func(s string) string { return strings.ToLower(url.QueryEscape("€")) + url.QueryEscape(s) },
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return hex.EncodeToString([]byte(s)) },
		func(s string) string { return fmt.Sprintf("%X", s) },
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[!-~]{12,40}`).Draw(t, "secret")
		before, after := rapid.StringMatching(`[ -~]{0,9}`).Draw(t, "before"), rapid.StringMatching(`[ -~]{0,9}`).Draw(t, "after")
		k := secret.New(nil, map[string]string{"x": text})
		way := rapid.IntRange(0, len(ways)-1).Draw(t, "way")
		got := k.Redact(before + ways[way](text) + after)
		if strings.Contains(got, text) || strings.Contains(got, ways[way](text)) || !strings.Contains(got, "[secret x]") {
			t.Fatalf("%q is left of %q", got, ways[way](text))
		}
	})
	rapid.Check(t, func(t *rapid.T) { // inside of the Base64 of more, all but its ends
		text := rapid.StringMatching(`[a-z0-9]{18,40}`).Draw(t, "secret")
		before, after := rapid.StringMatching(`[A-Z]{0,5}`).Draw(t, "before"), rapid.StringMatching(`[A-Z]{0,5}`).Draw(t, "after")
		k := secret.New(nil, map[string]string{"x": text})
		got := k.Redact(base64.StdEncoding.EncodeToString([]byte(before + text + after)))
		if !strings.Contains(got, "[secret x]") || len(strings.ReplaceAll(got, "[secret x]", "")) > 4*(len(before)+len(after)+12)/3 {
			t.Fatalf("%q", got)
		}
	})
	k := secret.New(nil, map[string]string{"a": "sekret-one", "b": "sekret-one-more", "pem": "-----BEGIN-----\nMIIEvQIBADANBgkq\nAbCdEfGhIjKlMnOp\n-----END-----"})
	require.Equal(t, "x [secret b] y [secret a] z", k.Redact("x sekret-one-more y sekret-one z"))
	require.NotContains(t, k.Redact("line AbCdEfGhIjKlMnOp alone"), "AbCd")
	require.Equal(t, "nothing here", k.Redact("nothing here"))
	require.Equal(t, "sekret-one", secret.New(nil, nil).Redact("sekret-one"))
}

// Values lose secrets in texts, names of fields and numbers, at any depth.
func TestRedactValue(t *testing.T) {
	k := secret.New(nil, map[string]string{"n": "12345678", "s": "sekret-one"})
	v := value.NewRecord([]string{"a", "sekret-one"}, []value.Value{value.List(value.String("it is sekret-one"), value.Int(3)), value.Tuple(value.Int(12345678), value.Bool(true))})
	require.Equal(t, `{ a: ["it is [secret s]", 3], "[secret s]": ("[secret n]", true) }`, k.RedactValue(v).String())
	x := value.NewVariant(&value.Variant{Name: "Some", Fields: []value.Value{value.String("sekret-one")}})
	require.Equal(t, `Some("[secret s]")`, k.RedactValue(x).String())
	require.Equal(t, `Secret("s")`, k.RedactValue(value.Named("s")).String())
}

package call

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/wf-lang/wf/lang/value"
)

// secret makes a call of the module Secret.
func (c *Caller) secret(a arguments) (value.Value, error) {
	if a.op.Name == "hmac" {
		return c.sign(a)
	}
	name, err := a.needText("name")
	if err != nil {
		return value.Nil, err
	}
	if err := c.secrets.Check(name); err != nil {
		return value.Nil, err
	}
	return value.Named(name), nil
}

// sign makes a signature, which is no secret.
func (c *Caller) sign(a arguments) (value.Value, error) {
	s, ok := a.get("secret").AsSecret()
	if !ok {
		return value.Nil, a.bad("secret", "a Secret", a.get("secret"))
	}
	text, err := a.needText("text")
	if err != nil {
		return value.Nil, err
	}
	algorithm, _, err := a.text("algorithm")
	if err != nil {
		return value.Nil, err
	}
	encoding, _, err := a.text("encoding")
	if err != nil {
		return value.Nil, err
	}
	var sum func() hash.Hash
	switch algorithm {
	case "", "sha256":
		sum = sha256.New
	case "sha1":
		sum = sha1.New
	case "sha512":
		sum = sha512.New
	default:
		return value.Nil, badArgument("`algorithm` of Secret.hmac is \"sha256\", \"sha1\" or \"sha512\", not %q", algorithm)
	}
	key, err := c.secrets.Text(s)
	if err != nil {
		return value.Nil, err
	}
	mac := hmac.New(sum, []byte(key))
	mac.Write([]byte(text))
	switch encoding {
	case "", "hex":
		return value.String(hex.EncodeToString(mac.Sum(nil))), nil
	case "base64":
		return value.String(base64.StdEncoding.EncodeToString(mac.Sum(nil))), nil
	}
	return value.Nil, badArgument("`encoding` of Secret.hmac is \"hex\" or \"base64\", not %q", encoding)
}

// env reads a variable of the environment.
func (c *Caller) env(a arguments) (value.Value, error) {
	name, err := a.needText("name")
	if err != nil {
		return value.Nil, err
	}
	if err := c.rules.Variable(name); err != nil {
		return value.Nil, err
	}
	found := value.Nil
	for _, e := range c.environ {
		if n, text, _ := strings.Cut(e, "="); n == name {
			found = value.String(strings.ToValidUTF8(text, "?"))
		}
	}
	return found, nil
}

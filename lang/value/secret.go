package value

import (
	"encoding/binary"
	"slices"
)

// SecretKind says what a part of a secret is.
type SecretKind byte

// The kinds of parts. Numbers are on disk: never reuse one.
const (
	SecretName   SecretKind = 1 // stands for the text of the secret of this name
	SecretText   SecretKind = 2 // a text that is no secret
	SecretBase64 SecretKind = 3 // the text of its parts in standard Base64
)

// A SecretPart is a piece of the text that a secret stands for.
type SecretPart struct {
	Kind  SecretKind
	Text  string // the name, or the text
	Parts []SecretPart
}

// A Secret stands for a text that no script ever sees: it knows the names of
// the secrets in it and how they are put together. Who makes a call to the
// world outside puts the texts in, in that moment.
type Secret struct{ Parts []SecretPart }

// maxSecretDepth bounds how deep parts nest in parts.
const maxSecretDepth = 8

// Named makes the secret of a name, which must not be empty.
func Named(name string) Value {
	return Value{ref: &Secret{Parts: []SecretPart{{Kind: SecretName, Text: name}}}}
}

// NewSecret makes a secret of parts; texts that follow each other become one. It
// is an error if no name is among them, or if they nest too deep. Nobody may
// change parts after.
func NewSecret(parts ...SecretPart) (Value, error) {
	named, ok := checkSecret(parts, 0)
	switch {
	case !ok:
		return Nil, errorf(CodeDepth, "a secret is put together in more than %d layers", maxSecretDepth)
	case !named:
		return Nil, errorf(CodeType, "there is no secret among the parts")
	}
	return Value{ref: &Secret{Parts: joinTexts(parts)}}, nil
}

// checkSecret reports whether a name is in parts, and whether they are well
// formed.
func checkSecret(parts []SecretPart, depth int) (named, ok bool) {
	if depth > maxSecretDepth {
		return false, false
	}
	for i := range parts {
		switch p := &parts[i]; p.Kind {
		case SecretName:
			named = true
			if p.Text == "" {
				return false, false
			}
		case SecretText:
		case SecretBase64:
			within, fine := checkSecret(p.Parts, depth+1)
			if !fine {
				return false, false
			}
			named = named || within
		default:
			return false, false
		}
	}
	return named, true
}

// joinTexts makes the one form of parts: no text follows a text, in no layer.
func joinTexts(parts []SecretPart) []SecretPart {
	out := make([]SecretPart, 0, len(parts))
	for _, p := range parts {
		last := len(out) - 1
		switch {
		case p.Kind == SecretText && last >= 0 && out[last].Kind == SecretText:
			out[last].Text += p.Text
			continue
		case p.Kind == SecretBase64:
			p.Parts = joinTexts(p.Parts)
		}
		out = append(out, p)
	}
	return out
}

// AsSecret gives a secret; it must not be changed.
func (v Value) AsSecret() (*Secret, bool) { s, ok := v.ref.(*Secret); return s, ok }

// NoText is the error of code secret if v is a secret or holds one, nil if v
// has a text.
func NoText(v Value) error {
	if !v.HasSecret() {
		return nil
	}
	return errorf(CodeSecret, "a secret has no text here: hand it to Http in a header, the query or the body, or to Exec in env; Secret.bearer(s), Secret.basic(user, s) and Secret.join(…) put one together with text")
}

func (s *Secret) size() int { return 24 + partsSize(s.Parts) }

func partsSize(parts []SecretPart) int {
	n := 0
	for i := range parts {
		n += 48 + len(parts[i].Text) + partsSize(parts[i].Parts)
	}
	return n
}

// secret shows the names of a secret: Secret("stripe").
func (p *printer) secret(parts []SecretPart) {
	p.text("Secret(")
	for i := range parts {
		if i > 0 {
			p.text(", ")
		}
		switch part := &parts[i]; part.Kind {
		case SecretText:
			p.text("text ")
			p.quoted(part.Text)
		case SecretBase64:
			p.text("base64 ")
			p.secret(part.Parts)
		default:
			p.quoted(part.Text)
		}
	}
	p.text(")")
}

func secretsEqual(a, b []SecretPart) bool {
	return slices.EqualFunc(a, b, func(x, y SecretPart) bool {
		return x.Kind == y.Kind && x.Text == y.Text && secretsEqual(x.Parts, y.Parts)
	})
}

func appendSecretParts(dst []byte, parts []SecretPart) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(parts)))
	for i := range parts {
		p := &parts[i]
		dst = append(dst, byte(p.Kind))
		if p.Kind == SecretBase64 {
			dst = appendSecretParts(dst, p.Parts)
		} else {
			dst = appendString(dst, p.Text)
		}
	}
	return dst
}

func (d *decoder) secret() Value {
	parts := d.secretParts(0)
	v, err := NewSecret(parts...)
	if err != nil {
		d.fail("a secret that stands for nothing")
		return Nil
	}
	if s, _ := v.AsSecret(); !secretsEqual(s.Parts, parts) {
		d.fail("a secret in a form of its own")
	}
	return v
}

func (d *decoder) secretParts(depth int) []SecretPart {
	if depth > maxSecretDepth {
		d.fail("a secret that nests too deep")
		return nil
	}
	n := d.claim(2)
	parts := make([]SecretPart, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		d.owed -= 2
		kind := d.raw(1)
		if d.err != nil {
			break
		}
		p := SecretPart{Kind: SecretKind(kind[0])}
		if p.Kind == SecretBase64 {
			p.Parts = d.secretParts(depth + 1)
		} else {
			p.Text = d.string()
		}
		parts = append(parts, p)
	}
	return parts
}

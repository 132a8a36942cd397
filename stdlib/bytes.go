package stdlib

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// hashModule is the module Hash. All read the bytes of a text in UTF-8.
func hashModule() []*program.Builtin {
	sum := func(name string, make func() hash.Hash, doc, example string) *program.Builtin {
		return pure("Hash."+name+"(text: String; base64?: Bool) -> String", func(c call) (value.Value, error) {
			h := make()
			_, _ = h.Write([]byte(c.text(0))) // a hash never fails
			return c.digest(h, 1)
		}, doc, example)
	}
	mac := func(name string, make func() hash.Hash, example string) *program.Builtin {
		return pure("Hash."+name+"(text: String, key: String; base64?: Bool) -> String", func(c call) (value.Value, error) {
			h := hmac.New(make, []byte(c.text(1)))
			_, _ = h.Write([]byte(c.text(0)))
			return c.digest(h, 2)
		}, "Signs a text with a key (HMAC): in hexadecimal digits, or in Base64.", example)
	}
	return []*program.Builtin{
		sum("sha256", sha256.New, "Gives the SHA-256 of a text in hexadecimal digits, or in Base64.",
			`Hash.sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"`),
		sum("sha512", sha512.New, "Gives the SHA-512 of a text in hexadecimal digits, or in Base64.",
			`String.slice(Hash.sha512("abc"), 0, 16) == "ddaf35a193617aba"`),
		sum("sha1", sha1.New, "Gives the SHA-1 of a text, for services that ask for it: it is no protection against forgery.",
			`Hash.sha1("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d"`),
		sum("md5", md5.New, "Gives the MD5 of a text, for services that ask for it: it is no protection against forgery.",
			`Hash.md5("abc") == "900150983cd24fb0d6963f7d28e17f72"`),
		mac("hmac_sha256", sha256.New, `Hash.hmac_sha256("message", "key") == "6e9ef29b75fffc5b7abae527d58fdadb2fe42e7219011976917343065f58ed4a"`),
		mac("hmac_sha512", sha512.New, `String.slice(Hash.hmac_sha512("message", "key"), 0, 16) == "e477384d7ca229dd"`),
		mac("hmac_sha1", sha1.New, `Hash.hmac_sha1("message", "key") == "2088df74d5f2146b48146caf4965377e9d0be3a4"`),
		pure("Hash.crc32(text: String) -> Int", func(c call) (value.Value, error) {
			return value.Int(int64(crc32.ChecksumIEEE([]byte(c.text(0))))), nil
		}, "Gives the CRC-32 (IEEE) of a text, to spread or compare, not to protect.", `Hash.crc32("abc") == 891568578`),
		pure("Hash.same(x: String, y: String) -> Bool", func(c call) (value.Value, error) {
			return value.Bool(subtle.ConstantTimeCompare([]byte(c.text(0)), []byte(c.text(1))) == 1), nil
		}, "Compares two signatures in a time that does not tell how far they agree.", `Hash.same("ab", "ab") == true`),
	}
}

// digest is what a hash gives, in Base64 if the argument at i says so.
func (c call) digest(h hash.Hash, i int) (value.Value, error) {
	if c.flag(i) {
		return value.String(base64.StdEncoding.EncodeToString(h.Sum(nil))), nil
	}
	return value.String(hex.EncodeToString(h.Sum(nil))), nil
}

// base64Module is the module Base64.
func base64Module() []*program.Builtin {
	return []*program.Builtin{
		pure("Base64.encode(text: String; url?: Bool) -> String", func(c call) (value.Value, error) {
			if err := c.Hold(len(c.text(0))/3*4 + 4); err != nil {
				return value.Nil, err
			}
			if c.flag(1) {
				return value.String(base64.RawURLEncoding.EncodeToString([]byte(c.text(0)))), nil
			}
			return value.String(base64.StdEncoding.EncodeToString([]byte(c.text(0)))), nil
		}, "Writes the bytes of a text in Base64; with `url: true` in the letters that URLs and tokens use, without padding.",
			`Base64.encode("añ?") == "YcOxPw=="`, `Base64.encode("añ?", url: true) == "YcOxPw"`),
		pure("Base64.decode(text: String) -> String", base64Decode,
			"Reads Base64, in either set of letters, with padding or without. What is not the text of somebody, but other bytes, is a fault.",
			`Base64.decode("YcOxPw==") == "añ?"`, `Base64.decode("YcOxPw") == "añ?"`),
	}
}

func base64Decode(c call) (value.Value, error) {
	s := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "").Replace(c.text(0)), "=")
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return value.Nil, c.fault(value.CodeFormat, "%s is not Base64", c.args[0].Short(40))
	}
	return c.string(string(b))
}

// hexModule is the module Hex.
func hexModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Hex.encode(text: String) -> String", func(c call) (value.Value, error) {
			if err := c.Hold(2 * len(c.text(0))); err != nil {
				return value.Nil, err
			}
			return value.String(hex.EncodeToString([]byte(c.text(0)))), nil
		}, "Writes the bytes of a text in hexadecimal digits.", `Hex.encode("añ") == "61c3b1"`),
		pure("Hex.decode(text: String) -> String", func(c call) (value.Value, error) {
			b, err := hex.DecodeString(c.text(0))
			if err != nil {
				return value.Nil, c.fault(value.CodeFormat, "%s is not hexadecimal", c.args[0].Short(40))
			}
			return c.string(string(b))
		}, "Reads hexadecimal digits. What is not the text of somebody, but other bytes, is a fault.", `Hex.decode("61c3b1") == "añ"`),
	}
}

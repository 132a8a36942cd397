package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown is the text of an example as people are to see it: characters that
// cannot be seen, or that change how others are seen, and bytes that are no
// text, are spelled out, as in <U+0007> and <0xE9>.
func Shown(example string) string {
	var out strings.Builder
	for i := 0; i < len(example); {
		c, n := utf8.DecodeRuneInString(example[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, "<0x%02X>", example[i])
		case c == '\n', c == '\t':
			out.WriteRune(c)
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == '\u2028', c == '\u2029':
			fmt.Fprintf(&out, "<U+%04X>", c)
		default:
			out.WriteRune(c)
		}
		i += n
	}
	return out.String()
}

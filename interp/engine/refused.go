package engine

import (
	"fmt"

	"github.com/wf-lang/wf/lang/spell"
)

// orMeant goes on behind "there is no such name" with the known one that may be
// meant; it is "" if none is near.
func orMeant(name string, known []string) string {
	near := spell.Nearest(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", near)
}

package format

import (
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	p := os.Getenv("WF_DUMP")
	if p == "" {
		return
	}
	b, _ := os.ReadFile(p)
	f, tree, _ := read(string(b))
	os.WriteFile(os.Getenv("WF_OUT"), []byte(File(f, tree)), 0o644)
}

package parser

import (
	"os"
	"testing"
	"fmt"
	"github.com/wf-lang/wf/lang/source"
)

func TestSmoke(t *testing.T) {
	fmt.Println(EBNF())
	text, _ := os.ReadFile("testdata/transfer.wf")
	f, l := Parse(source.NewFile("x.wf", string(text)), 0)
	for _, d := range l { fmt.Println(d.Code, d.Message, source.NewFile("x", string(text)).Position(d.Span.Start)) }
	for _, i := range f.Items { fmt.Printf("%T\n", i) }
}

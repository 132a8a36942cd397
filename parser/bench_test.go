package parser

import (
	"strings"
	"testing"

	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser/internal/scan"
)

// large is about 150 kB of ordinary script.
func large(b testing.TB) *source.File {
	text := samples(b)["testdata/order.wf"]
	text = text[strings.Index(text, "type Item"):]
	return source.NewFile("large.wf", strings.Repeat(text, 30))
}

func BenchmarkParse(b *testing.B) {
	file := large(b)
	b.SetBytes(int64(len(file.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(file, 0)
	}
}

func BenchmarkScan(b *testing.B) {
	file := large(b)
	b.SetBytes(int64(len(file.Text)))
	b.ReportAllocs()
	for b.Loop() {
		scan.Scan(file, 0)
	}
}

func BenchmarkParseSmall(b *testing.B) {
	file := source.NewFile("small.wf", "workflow W { step a { 1 } }\nlet w = spawn W {} in { await w }\n")
	b.ReportAllocs()
	for b.Loop() {
		Parse(file, 0)
	}
}

package parser

import "testing"

func TestBuild(t *testing.T) {
	p := &parser{}
	_, err := newSkeleton(p)
	t.Log(err)
}
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
	p := &parser{}
	newSkeleton(p)
	}
}

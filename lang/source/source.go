// Package source knows source texts and places in them, and nothing else.
//
// A program consists of one or more files. Every token, node, diagnostic and
// journaled request names its place as a Span: the number of the file in the
// program's Set and two byte offsets.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// A Span is a half-open range of bytes [Start, End) in the file number File of
// a Set. The zero Span stands for "no place".
type Span struct {
	File       uint16
	Start, End uint32
}

// IsZero reports whether the span names no place.
func (s Span) IsZero() bool { return s == Span{} }

// Holds reports whether t lies inside s.
func (s Span) Holds(t Span) bool { return s.File == t.File && s.Start <= t.Start && t.End <= s.End }

// To is the span from the beginning of s to the end of t, in the file of s.
func (s Span) To(t Span) Span {
	if t.IsZero() {
		return s
	}
	return Span{File: s.File, Start: s.Start, End: max(s.End, t.End)}
}

// A File is one source text under the name that the user gave.
type File struct {
	Name string
	Text string

	lines []uint32 // offset of the first byte of each line
}

// NewFile makes a File; it indexes the beginnings of lines.
func NewFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: []uint32{0}}
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		f.lines = append(f.lines, uint32(i))
	}
	return f
}

// Position is a place for people: line and column count from 1, the column in
// characters (not bytes).
type Position struct {
	File         string
	Line, Column int
}

// Position says at which line and column the byte offset lies.
func (f *File) Position(offset uint32) Position {
	if int(offset) > len(f.Text) {
		offset = uint32(len(f.Text))
	}
	line := f.LineOf(offset) - 1
	col := utf8.RuneCountInString(f.Text[f.lines[line]:offset]) + 1
	if line == 0 && strings.HasPrefix(f.Text, "\uFEFF") && offset > 0 {
		col-- // a byte-order mark is not a character that anybody sees
	}
	return Position{File: f.Name, Line: line + 1, Column: col}
}

// LineOf is the number (from 1) of the line in which the byte offset lies. It
// does not look at the text, so it costs the same on the longest line.
func (f *File) LineOf(offset uint32) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// Line is the text of line n (from 1) without its line end.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start := f.lines[n-1]
	end := uint32(len(f.Text))
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(f.Text[start:end], "\r")
}

// LineStart is the offset of the first byte of line n (from 1).
func (f *File) LineStart(n int) uint32 {
	if n < 1 || n > len(f.lines) {
		return uint32(len(f.Text))
	}
	return f.lines[n-1]
}

// A Set is the ordered list of a program's files; Span.File indexes it.
type Set struct{ Files []*File }

// Add appends the file and returns its number.
func (s *Set) Add(f *File) uint16 {
	s.Files = append(s.Files, f)
	return uint16(len(s.Files) - 1)
}

// File is the file a span lies in, nil if the set has none of that number.
func (s *Set) File(sp Span) *File {
	if s == nil || int(sp.File) >= len(s.Files) {
		return nil
	}
	return s.Files[sp.File]
}

// Position says where a span begins.
func (s *Set) Position(sp Span) Position {
	f := s.File(sp)
	if f == nil {
		return Position{}
	}
	return f.Position(sp.Start)
}

// Text is the source text of a span.
func (s *Set) Text(sp Span) string {
	f := s.File(sp)
	if f == nil || int(sp.End) > len(f.Text) || sp.Start > sp.End {
		return ""
	}
	return f.Text[sp.Start:sp.End]
}

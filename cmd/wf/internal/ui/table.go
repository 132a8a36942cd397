package ui

import (
	"io"
	"strings"

	"github.com/wf-lang/wf/lang/diag"
)

// A Table lines up columns. The last one is cut where the terminal ends.
type Table struct {
	Head  []string
	rows  [][]string
	Paint func(column int, cell string) string // of a padded cell; nil: as it is
}

// Add appends a row; it has a cell for every column.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

const gap = 2 // blanks between columns

// Write writes the table.
func (t *Table) Write(w io.Writer, term Terminal) error {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	var b strings.Builder
	line := func(row []string, paint func(int, string) string) {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		room := term.Width
		for i, cell := range row {
			last := i == len(row)-1
			if last && term.Width > 0 {
				cell = Cut(cell, max(room, 1))
			}
			b.WriteString(paint(i, cell))
			if !last {
				b.WriteString(strings.Repeat(" ", widths[i]+gap-Columns(cell)))
			}
			room -= widths[i] + gap
		}
		b.WriteByte('\n')
	}
	line(t.Head, func(_ int, s string) string { return term.Faint(s) })
	paint := t.Paint
	if paint == nil {
		paint = func(_ int, s string) string { return s }
	}
	for _, row := range t.rows {
		line(row, paint)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Columns is how many columns a text takes in a terminal.
func Columns(s string) int {
	n := 0
	for _, c := range s {
		n += diag.Columns(c)
	}
	return n
}

// Cut shortens a text to n columns.
func Cut(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	n-- // for the mark
	for i, c := range s {
		if n -= diag.Columns(c); n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// Package ui knows terminals: colour, width, tables. It prints nothing by
// itself.
package ui

import (
	"os"

	"golang.org/x/term"
)

// A Terminal is what a stream leads to. The zero value is no terminal: no
// colour, no width.
type Terminal struct {
	Width int // columns; 0: unbounded
	Color bool
	Live  bool // what is shown can be painted over
}

// Of looks what a file is. NO_COLOR and TERM=dumb are respected.
func Of(f *os.File, getenv func(string) string) Terminal {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Terminal{}
	}
	dumb := getenv("TERM") == "dumb"
	t := Terminal{Color: getenv("NO_COLOR") == "" && !dumb, Live: !dumb}
	if w, _, err := term.GetSize(fd); err == nil {
		t.Width = w
	}
	return t
}

// Size is how many columns and lines a terminal has now; what cannot be found
// out counts as 80 and 24.
func Size(f *os.File) (width, height int) {
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// Red, Green, Yellow and Faint colour a text if there is colour.

// Bold is a heading.
func (t Terminal) Bold(s string) string { return t.paint("1", s) }

// Red is for what failed.
func (t Terminal) Red(s string) string { return t.paint("31", s) }

// Green is for what is done.
func (t Terminal) Green(s string) string { return t.paint("32", s) }

// Yellow is for what waits for somebody.
func (t Terminal) Yellow(s string) string { return t.paint("33", s) }

// Faint is for what matters less.
func (t Terminal) Faint(s string) string { return t.paint("2", s) }

func (t Terminal) paint(code, s string) string {
	if !t.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

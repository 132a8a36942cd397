package ui

import (
	"strconv"
	"strings"
	"unicode"
)

// Line makes one line of a text that comes from a script: line breaks become
// " / ", and nothing in it reaches the terminal as a command.
func Line(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	s = strings.ReplaceAll(strings.TrimSpace(s), "\n", " / ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '·'
		}
		return r
	}, s)
}

// Block is a text from a script on lines of its own: line breaks and tabs stay,
// and nothing in it reaches the terminal as a command.
func Block(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '·'
		}
		return r
	}, s)
}

// Count is a number of things: "1 step", "2 steps".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Are is a Count with its verb: "1 record is", "2 records are".
func Are(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return Count(n, thing) + " are"
}

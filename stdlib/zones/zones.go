// Package zones has the rules of the world's time zones in the program, so that
// a script finds the same ones on every machine: what a machine has installed is
// never asked.
//
// zoneinfo.zip is the IANA time zone database (public domain), release 2025c, in
// the form in which Go ships it: an archive without compression.
package zones

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/spell"
)

//go:embed zoneinfo.zip
var archive string

// Load finds a zone by its name in the database (`Europe/Berlin`, `UTC`), or
// makes one of a fixed offset (`+02:00`). The error says what there is instead.
func Load(name string) (*time.Location, error) {
	if name == "UTC" || name == "Z" {
		return time.UTC, nil
	}
	if l := fixed(name); l != nil {
		return l, nil
	}
	var names []string
	for e := range entries {
		if e.name == name {
			l, err := time.LoadLocationFromTZData(name, []byte(e.data))
			if err != nil {
				return nil, fmt.Errorf("the rules of the zone %s cannot be read: %w", name, err)
			}
			return l, nil
		}
		names = append(names, e.name)
	}
	if near := spell.Nearest(name, names); near != "" {
		return nil, fmt.Errorf("there is no zone %q; did you mean %q?", short(name), near)
	}
	return nil, fmt.Errorf("there is no zone %q: zones have names such as Europe/Berlin, UTC or +02:00", short(name))
}

func short(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// fixed reads an offset, nil if the text is none.
func fixed(s string) *time.Location {
	if len(s) != 6 || s[3] != ':' || s[0] != '+' && s[0] != '-' {
		return nil
	}
	h, err1 := strconv.ParseUint(s[1:3], 10, 8)
	m, err2 := strconv.ParseUint(s[4:], 10, 8)
	if err1 != nil || err2 != nil || h > 23 || m > 59 {
		return nil
	}
	seconds := int(h*3600 + m*60)
	if s[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(s, seconds)
}

// entry is a file of the archive.
type entry struct{ name, data string }

// Sizes and places in the records of an archive.
const (
	centralSize = 46
	localSize   = 30
	endSize     = 22
)

// entries goes through the files of the archive. They are stored as they are,
// so their bytes can be taken out of it.
func entries(yield func(entry) bool) {
	end := archive[len(archive)-endSize:]
	at := archive[u32(end, 16):]
	for range u16(end, 10) {
		nameLen, extraLen, commentLen := u16(at, 28), u16(at, 30), u16(at, 32)
		size, offset := u32(at, 24), u32(at, 42)
		name := at[centralSize : centralSize+nameLen]
		at = at[centralSize+nameLen+extraLen+commentLen:]
		local := archive[offset:]
		begin := localSize + u16(local, 26) + u16(local, 28)
		if size > 0 && !strings.HasSuffix(name, "/") && !yield(entry{name, local[begin : begin+size]}) {
			return
		}
	}
}

func u16(s string, i int) int { return int(binary.LittleEndian.Uint16([]byte(s[i : i+2]))) }
func u32(s string, i int) int { return int(binary.LittleEndian.Uint32([]byte(s[i : i+4]))) }

// Instant is the moment at which the clocks of a zone show a time, whose own
// zone does not matter. Of two moments (the clocks were put back) it is the
// first; if there is none (they were put forward) skipped is true, and it is the
// moment as much later as was skipped.
func Instant(wall time.Time, zone *time.Location) (at time.Time, skipped bool) {
	first, _, n := Instants(wall, zone)
	return first, n == 0
}

// Instants are the moments at which the clocks of a zone show a time: none, one
// or two. With none, first is the moment as much later as was skipped.
func Instants(wall time.Time, zone *time.Location) (first, second time.Time, n int) {
	y, mo, d := wall.Date()
	h, mi, s := wall.Clock()
	utc := time.Date(y, mo, d, h, mi, s, wall.Nanosecond(), time.UTC)
	_, before := utc.Add(-24 * time.Hour).In(zone).Zone()
	_, after := utc.Add(24 * time.Hour).In(zone).Zone()
	shows := func(offset int) (time.Time, bool) {
		t := utc.Add(-time.Duration(offset) * time.Second).In(zone)
		_, is := t.Zone()
		return t, is == offset
	}
	a, isA := shows(before)
	b, isB := shows(after)
	switch {
	case isA && isB && !a.Equal(b):
		if b.Before(a) {
			a, b = b, a
		}
		return a, b, 2
	case isA:
		return a, a, 1
	case isB:
		return b, b, 1
	}
	return a, a, 0
}

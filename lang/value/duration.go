package value

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// unit is a unit of durations.
type unit struct {
	name  string
	nanos uint64
}

// units are those of the notation, the largest first.
func units() [7]unit {
	return [7]unit{
		{"d", uint64(24 * time.Hour)}, {"h", uint64(time.Hour)}, {"m", uint64(time.Minute)},
		{"s", uint64(time.Second)}, {"ms", uint64(time.Millisecond)}, {"us", uint64(time.Microsecond)}, {"ns", 1},
	}
}

// ParseDuration reads the notation of durations: `1h30m`, `150ms`, `7d`, with a
// `-` before it if negative. Each of the units d h m s ms us ns stands at most
// once, larger ones first.
func ParseDuration(s string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(s, "-")
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	total, next := uint64(0), 0
	if rest == "" {
		return 0, badDuration(s)
	}
	for rest != "" {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		count, err := strconv.ParseUint(rest[:n], 10, 64)
		u, after := cutUnit(rest[n:], next)
		if n == 0 || u < 0 || err != nil && count == 0 {
			return 0, badDuration(s)
		}
		nanos := units()[u].nanos
		if err != nil || count > (limit-total)/nanos {
			return 0, errorf(CodeOverflow, "%q does not fit a Duration (about 292 years)", s)
		}
		total += count * nanos
		rest, next = after, u+1
	}
	if negative {
		return time.Duration(-total), nil
	}
	return time.Duration(total), nil
}

func badDuration(s string) error {
	return errorf(CodeFormat, "%s is not a duration: write it like 1h30m, 150ms or 7d", String(s).Short(40))
}

// cutUnit takes a unit not larger than units()[from] off the front of s.
func cutUnit(s string, from int) (index int, rest string) {
	n := 0
	for n < len(s) && (s[n] < '0' || s[n] > '9') {
		n++
	}
	all := units()
	for i := from; i < len(all); i++ {
		if all[i].name == s[:n] {
			return i, s[n:]
		}
	}
	return -1, s
}

// FormatDuration is the notation of d.
func FormatDuration(d time.Duration) string { return string(appendDuration(nil, int64(d))) }

func appendDuration(dst []byte, d int64) []byte {
	if d == 0 {
		return append(dst, "0s"...)
	}
	if d < 0 {
		dst = append(dst, '-')
	}
	rest := magnitude(d)
	for _, u := range units() {
		if n := rest / u.nanos; n > 0 {
			dst = append(strconv.AppendUint(dst, n, 10), u.name...)
			rest -= n * u.nanos
		}
	}
	return dst
}

package value

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// DurationFromISO reads a duration as ISO 8601 has it: `PT1H30M`, `P2DT0.5S`,
// `P1W`, with a `-` before it if negative. Days have 24 hours. Years and months
// are refused, with code format: how long they are depends on when they begin.
func DurationFromISO(s string) (Value, error) {
	rest, negative := strings.CutPrefix(s, "-")
	rest, ok := strings.CutPrefix(rest, "P")
	days, clock, timed := strings.Cut(rest, "T")
	bad := errorf(CodeFormat, "%s is not an ISO 8601 duration: write it like PT1H30M or P2D", String(s).Short(40))
	if !ok || rest == "" || timed && clock == "" {
		return Nil, bad
	}
	if strings.ContainsAny(days, "YM") {
		return Nil, errorf(CodeFormat, "%s counts in years or months, which are not always equally long: Time.add_months adds them to a Time", String(s).Short(40))
	}
	total, err := isoParts(days, "WD", []time.Duration{7 * 24 * time.Hour, 24 * time.Hour}, 0)
	if err == nil {
		total, err = isoParts(clock, "HMS", []time.Duration{time.Hour, time.Minute, time.Second}, total)
	}
	if err != nil {
		if err == errISO {
			return Nil, bad
		}
		return Nil, err
	}
	if negative {
		total = -total
	}
	return Duration(total), nil
}

var errISO = errorf(CodeFormat, "no ISO 8601 duration")

// isoParts reads numbers with the letters of their units, in this order, and
// adds them to a total. Only the last may have a fraction.
func isoParts(s, letters string, units []time.Duration, total time.Duration) (time.Duration, error) {
	next := 0
	for s != "" {
		n := strings.IndexAny(s, letters)
		if n < 0 {
			return 0, errISO
		}
		u := strings.IndexByte(letters, s[n])
		whole, fraction, dotted := strings.Cut(strings.Replace(s[:n], ",", ".", 1), ".")
		if u < next || trimDigits(whole) != "" || whole == "" || dotted && (fraction == "" || trimDigits(fraction) != "" || s[n+1:] != "" || units[u] != time.Second) {
			return 0, errISO
		}
		count, err := strconv.ParseInt(whole, 10, 64)
		if err != nil || count > (math.MaxInt64-int64(total))/int64(units[u]) {
			return 0, errorf(CodeOverflow, "%s does not fit a Duration (about 292 years)", String(s).Short(40))
		}
		total += time.Duration(count) * units[u]
		nanos, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
		if int64(total) > math.MaxInt64-nanos {
			return 0, errorf(CodeOverflow, "%s does not fit a Duration (about 292 years)", String(s).Short(40))
		}
		total += time.Duration(nanos)
		s, next = s[n+1:], u+1
	}
	return total, nil
}

// DurationToISO is d as ISO 8601 has it, in days, hours, minutes and seconds.
func DurationToISO(d time.Duration) string {
	if d == 0 {
		return "PT0S"
	}
	out := []byte("P")
	if d < 0 {
		out = []byte("-P")
	}
	rest := magnitude(int64(d))
	part := func(unit time.Duration, letter byte) {
		if n := rest / uint64(unit); n > 0 {
			out = append(strconv.AppendUint(out, n, 10), letter)
			rest -= n * uint64(unit)
		}
	}
	part(24*time.Hour, 'D')
	if rest == 0 {
		return string(out)
	}
	out = append(out, 'T')
	part(time.Hour, 'H')
	part(time.Minute, 'M')
	if rest > 0 {
		out = strconv.AppendUint(out, rest/1e9, 10)
		if nanos := rest % 1e9; nanos > 0 {
			out = append(out, '.')
			out = append(out, strings.TrimRight(strconv.FormatUint(nanos+1e9, 10)[1:], "0")...)
		}
		out = append(out, 'S')
	}
	return string(out)
}

package stdlib

import (
	"fmt"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// durationModule is the module Duration.
func durationModule() []*program.Builtin {
	in := func(name string, unit time.Duration) *program.Builtin {
		example := value.Duration(90 * unit).String()
		return flat("Duration.in_"+name+"(duration: Duration) -> Decimal", func(c call) (value.Value, error) {
			d, _ := c.args[0].AsDuration()
			return value.Div(mustDecimal(value.Int(int64(d))), value.Int(int64(unit)))
		}, "Gives a duration as a number of "+name+".", "Duration.in_"+name+"("+example+") == 90")
	}
	return []*program.Builtin{
		flat("Duration.of(; days?: Int, hours?: Int, minutes?: Int, seconds?: Int, milliseconds?: Int) -> Duration", durationOf,
			"Makes a duration of its parts.", `Duration.of(hours: 1, minutes: 30) == 90m`),
		flat("Duration.parts(duration: Duration) -> { days: Int, hours: Int, minutes: Int, seconds: Int, milliseconds: Int, nanoseconds: Int }", durationParts,
			"Takes a duration apart; the parts of a negative one are negative.", `Duration.parts(26h5s) == { days: 1, hours: 2, minutes: 0, seconds: 5, milliseconds: 0, nanoseconds: 0 }`),
		in("days", 24*time.Hour), in("hours", time.Hour), in("minutes", time.Minute), in("seconds", time.Second), in("milliseconds", time.Millisecond),
		flat("Duration.round(duration: Duration, to: Duration) -> Duration", durationRound,
			"Rounds to a multiple of another duration, halves away from zero.", `Duration.round(1h29m, 15m) == 1h30m`),
		flat("Duration.format(duration: Duration, parts?: Int) -> String", durationFormat,
			"Writes a duration in words: its two largest parts, or another number of them. The rest is left out.",
			`Duration.format(90m) == "1 hour 30 minutes"`, `Duration.format(26h5s, 1) == "1 day"`),
		flat("Duration.clock(duration: Duration) -> String", durationClock,
			"Writes a duration as hours, minutes and seconds.", `Duration.clock(1h5m9s) == "1:05:09"`),
		flat("Duration.iso(duration: Duration) -> String", func(c call) (value.Value, error) {
			d, _ := c.args[0].AsDuration()
			return value.String(value.DurationToISO(d)), nil
		}, "Writes a duration as ISO 8601 has it.", `Duration.iso(1h30m) == "PT1H30M"`),
		flat("Duration.from_iso(text: String) -> Duration", func(c call) (value.Value, error) { return value.DurationFromISO(c.text(0)) },
			"Reads a duration as ISO 8601 has it; years and months have no fixed length and are refused.", `Duration.from_iso("P1DT12H") == 36h`),
	}
}

func durationOf(c call) (value.Value, error) {
	sum := value.Duration(0)
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second, time.Millisecond} {
		part, err := value.Mul(value.Duration(unit), value.Int(c.int(i)))
		if err != nil {
			return value.Nil, err
		}
		if sum, err = value.Add(sum, part); err != nil {
			return value.Nil, err
		}
	}
	return sum, nil
}

// units of durations in words, the largest first.
func units() []struct {
	one  string
	size time.Duration
} {
	return []struct {
		one  string
		size time.Duration
	}{
		{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}, {"millisecond", time.Millisecond}, {"nanosecond", 1},
	}
}

func durationParts(c call) (value.Value, error) {
	d, _ := c.args[0].AsDuration()
	var keys []string
	var vals []value.Value
	for _, u := range units() {
		keys, vals = append(keys, u.one+"s"), append(vals, value.Int(int64(d/u.size)))
		d %= u.size
	}
	return value.NewRecord(keys, vals), nil
}

func durationRound(c call) (value.Value, error) {
	d, _ := c.args[0].AsDuration()
	to, _ := c.args[1].AsDuration()
	if to <= 0 {
		return value.Nil, c.fault(value.CodeRange, "it rounds to a duration above 0s, not %s", c.args[1])
	}
	return value.Duration(d.Round(to)), nil
}

func durationFormat(c call) (value.Value, error) {
	d, _ := c.args[0].AsDuration()
	left := c.intOr(1, 2)
	if left < 1 {
		return value.Nil, c.fault(value.CodeRange, "the number of parts must be at least 1, and it is %d", left)
	}
	var words []string
	for _, u := range units() {
		n := int64(d / u.size)
		d %= u.size
		if n < 0 && len(words) == 0 {
			words = append(words, "minus")
			left++
		}
		if n = max(n, -n); n != 0 && int64(len(words)) < left {
			words = append(words, fmt.Sprintf("%d %s", n, plural(u.one, n)))
		}
	}
	if len(words) == 0 {
		return value.String("0 seconds"), nil
	}
	return value.String(strings.Join(words, " ")), nil
}

func plural(one string, n int64) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

func durationClock(c call) (value.Value, error) {
	d, _ := c.args[0].AsDuration()
	sign := ""
	s := int64(d / time.Second)
	if s < 0 {
		sign, s = "-", -s
	}
	return value.String(fmt.Sprintf("%s%d:%02d:%02d", sign, s/3600, s/60%60, s%60)), nil
}

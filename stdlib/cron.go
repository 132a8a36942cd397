package stdlib

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/zones"
)

// cronModule is the module Cron.
func cronModule() []*program.Builtin {
	return []*program.Builtin{
		flat("Cron.next(spec: String; after: Time, zone?: String) -> Time?", func(c call) (value.Value, error) {
			ts, err := c.upcoming(1, 2, 1)
			if err != nil || len(ts) == 0 {
				return value.Nil, err
			}
			return ts[0], nil
		}, "Gives the first time after another that a schedule names, as the clocks of a zone show it, UTC if none is named; nil if there is none, as for 30 February.",
			`Cron.next("0 9 * * mon-fri", after: Time("2030-01-05T12:00:00Z"), zone: "Europe/Berlin") == Time("2030-01-07T08:00:00Z")`,
			`Cron.next("*/15 * * * *", after: Time("2030-01-05T12:15:00Z")) == Time("2030-01-05T12:30:00Z")`),
		flat("Cron.upcoming(spec: String, count: Int; after: Time, zone?: String) -> [Time]", func(c call) (value.Value, error) {
			n := c.int(1)
			if n < 0 || n > 1_000 {
				return value.Nil, c.fault(value.CodeRange, "the count lies between 0 and 1000, and it is %d", n)
			}
			ts, err := c.upcoming(2, 3, int(n))
			return value.List(ts...), err
		}, "Lists the next times that a schedule names.",
			`Cron.upcoming("@monthly", 2, after: Time("2030-01-05T00:00:00Z")) == [Time("2030-02-01T00:00:00Z"), Time("2030-03-01T00:00:00Z")]`),
		flat("Cron.valid(spec: String) -> Bool", func(c call) (value.Value, error) {
			_, err := readCron(c.text(0))
			return value.Bool(err == nil), nil
		}, "Says whether a text is a schedule.", `Cron.valid("0 25 * * *") == false`),
		flat("Cron.problem(spec: String) -> String?", func(c call) (value.Value, error) {
			if _, err := readCron(c.text(0)); err != nil {
				return value.String(err.Error()), nil
			}
			return value.Nil, nil
		}, "Says why a text is no schedule; nil if it is one.", `Cron.problem("0 25 * * *") == "the hour lies between 0 and 23, and 25 does not"`),
	}
}

// cronSpec is a schedule: the allowed values of each field as bits.
type cronSpec struct {
	minute, hour, day, month, weekday uint64
	anyDay, anyWeekday                bool // the field is *
	running                           bool // minute or hour is * or a step of it: goes on by the clock, not at times of day
}

// cronField describes a field of a schedule.
type cronField struct {
	name        string
	least, most int
	names       string // of its values from least on, three letters each
}

// upcoming lists the next n times after the one at an argument.
func (c call) upcoming(after, zone, n int) ([]value.Value, error) {
	spec, err := readCron(c.text(0))
	if err != nil {
		return nil, c.fault(value.CodeFormat, "%s: %s", c.args[0].Short(60), err)
	}
	t, err := c.local(after, zone)
	if err != nil {
		return nil, err
	}
	var out []value.Value
	for range n {
		next, found, err := spec.next(t, c.Spend)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		v, err := value.FromTime(next)
		if err != nil {
			break // no Time holds it
		}
		out, t = append(out, v), next
	}
	return out, nil
}

func readCron(s string) (cronSpec, error) {
	if len(s) > 300 {
		return cronSpec{}, fmt.Errorf("a schedule has at most 300 bytes")
	}
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "@hourly":
		s = "0 * * * *"
	case "@daily", "@midnight":
		s = "0 0 * * *"
	case "@weekly":
		s = "0 0 * * 0"
	case "@monthly":
		s = "0 0 1 * *"
	case "@yearly", "@annually":
		s = "0 0 1 1 *"
	}
	if strings.HasPrefix(s, "@") {
		return cronSpec{}, fmt.Errorf("there is no %s: there are @hourly, @daily, @weekly, @monthly and @yearly", value.String(s).Short(30))
	}
	parts := strings.Fields(s)
	if len(parts) == 6 || len(parts) == 7 {
		return cronSpec{}, fmt.Errorf("a schedule has five fields, and this has %d: seconds and years are not among them", len(parts))
	}
	if len(parts) != 5 {
		return cronSpec{}, fmt.Errorf("a schedule has five fields (minute, hour, day of month, month, day of week), and this has %d", len(parts))
	}
	var spec cronSpec
	for i, f := range []struct {
		cronField
		to *uint64
	}{
		{cronField{"minute", 0, 59, ""}, &spec.minute}, {cronField{"hour", 0, 23, ""}, &spec.hour}, {cronField{"day of the month", 1, 31, ""}, &spec.day},
		{cronField{"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"}, &spec.month}, {cronField{"day of the week", 0, 7, "sunmontuewedthufrisat"}, &spec.weekday},
	} {
		set, err := f.read(parts[i])
		if err != nil {
			return cronSpec{}, err
		}
		*f.to = set
	}
	spec.weekday |= spec.weekday >> 7 & 1 // 7 is sunday too
	star := func(s string) bool { return strings.HasPrefix(s, "*") || s == "?" }
	spec.anyDay, spec.anyWeekday = star(parts[2]), star(parts[4])
	spec.running = star(parts[0]) || star(parts[1])
	return spec, nil
}

// read gives the values of a field as bits.
func (f cronField) read(s string) (uint64, error) {
	var set uint64
	for _, part := range strings.Split(s, ",") {
		bounds, stepText, stepped := strings.Cut(part, "/")
		step := 1
		if stepped {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 || n > f.most {
				return 0, fmt.Errorf("a step of the %s lies between 1 and %d, and %s does not", f.name, f.most, value.String(stepText).Short(20))
			}
			step = n
		}
		from, to := f.least, f.most
		if bounds != "*" && bounds != "?" {
			low, high, ranged := strings.Cut(bounds, "-")
			var err error
			if from, err = f.number(low); err != nil {
				return 0, err
			}
			to = from
			if stepped {
				to = f.most
			}
			if ranged {
				if to, err = f.number(high); err != nil {
					return 0, err
				}
			}
			if from > to {
				return 0, fmt.Errorf("the %s goes from %s to %s, which is backwards", f.name, low, high)
			}
		}
		for n := from; n <= to; n += step {
			set |= 1 << n
		}
	}
	return set, nil
}

func (f cronField) number(s string) (int, error) {
	if len(s) == 3 {
		if at := strings.Index(f.names, strings.ToLower(s)); at >= 0 && at%3 == 0 {
			return f.least + at/3, nil
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil || strings.HasPrefix(s, "+") {
		return 0, fmt.Errorf("the %s cannot be %s", f.name, value.String(s).Short(20))
	}
	if n < f.least || n > f.most {
		return 0, fmt.Errorf("the %s lies between %d and %d, and %d does not", f.name, f.least, f.most, n)
	}
	return n, nil
}

// on reports whether the schedule has times on a day.
func (s cronSpec) on(d time.Time) bool {
	if s.month>>d.Month()&1 == 0 {
		return false
	}
	day, weekday := s.day>>d.Day()&1 == 1, s.weekday>>d.Weekday()&1 == 1
	if s.anyDay || s.anyWeekday {
		return day && weekday
	}
	return day || weekday
}

// farthest is how many days ahead a schedule is looked through: the longest
// way between two leap days is eight years, to one of some weekday forty.
const farthest = 41 * 366

// next finds the first time after another, day by day. Times of day are
// computed for the calendar's day and then turned into instants; the day before
// is looked at too, because a gap can push its last times over midnight.
func (s cronSpec) next(after time.Time, spend func(int) error) (time.Time, bool, error) {
	day := time.Date(after.Year(), after.Month(), after.Day()-1, 0, 0, 0, 0, time.UTC)
	for i := range farthest {
		d := day.AddDate(0, 0, i)
		if i%64 == 0 {
			if err := spend(20); err != nil {
				return time.Time{}, false, err
			}
		}
		if !s.on(d) {
			continue
		}
		if err := spend(bits.OnesCount64(s.minute) * bits.OnesCount64(s.hour) / 4); err != nil {
			return time.Time{}, false, err
		}
		if t, found := s.within(d, after); found {
			return t, true, nil
		}
	}
	return time.Time{}, false, nil
}

// within finds the first instant of a day that is after another.
func (s cronSpec) within(d, after time.Time) (best time.Time, found bool) {
	zone := after.Location()
	consider := func(t time.Time) {
		if t.After(after) && (!found || t.Before(best)) {
			best, found = t, true
		}
	}
	for h := range 24 {
		if s.hour>>h&1 == 0 {
			continue
		}
		for m := range 60 {
			if s.minute>>m&1 == 0 {
				continue
			}
			wall := time.Date(d.Year(), d.Month(), d.Day(), h, m, 0, 0, time.UTC)
			first, second, n := zones.Instants(wall, zone)
			switch {
			case n == 0 && s.running: // a running schedule has no time in a gap
			case n == 0:
				consider(gapEnd(wall, zone))
			case n == 2 && s.running:
				consider(second)
				fallthrough
			default:
				consider(first)
			}
		}
	}
	return best, found
}

// gapEnd is the instant at which the clocks were put forward over a time.
func gapEnd(wall time.Time, zone *time.Location) time.Time {
	at, _ := zones.Instant(wall, zone) // as much later as was skipped, so behind the gap
	_, offset := at.Zone()
	low, high := at.Add(-24*time.Hour), at
	for high.Sub(low) > time.Second {
		mid := low.Add(high.Sub(low) / 2).Truncate(time.Second)
		if _, o := mid.Zone(); o == offset {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

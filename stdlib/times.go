package stdlib

import (
	"slices"
	"strings"
	"time"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib/zones"
)

// timeModule are the pure functions of the module Time.
func timeModule() []*program.Builtin { return slices.Concat(timeText(), timeCalendar()) }

// timeText are the functions between times and texts or numbers.
func timeText() []*program.Builtin {
	return []*program.Builtin{
		pure("Time.parse(text: String, format?: String; zone?: String) -> Time", timeParse,
			"Reads a time. Without a format: ISO 8601, the time of day and the offset may be missing. With one, as Time.format writes it. What says no offset is in the zone, UTC if none is named.",
			`Time.parse("2030-01-31") == Time("2030-01-31T00:00:00Z")`,
			`Time.parse("31.1.2030 14:05", "d.M.yyyy HH:mm", zone: "Europe/Berlin") == Time("2030-01-31T13:05:00Z")`),
		pure("Time.format(time: Time, format?: String; zone?: String) -> String", timeFormat,
			"Writes a time as the clocks of a zone show it. In the format stand `yyyy` `yy`, `MMMM` `MMM` `MM` `M`, `dd` `d`, `EEEE` `EEE` (day of the week), `HH` `H` (0 to 23), `hh` `h` with `a` (AM, PM), `mm` `m`, `ss` `s`, `SSS` (parts of a second, 1 to 9 digits), `XXX` (offset), `z` (the zone's short name); letters in `'…'` and all that is no letter stand for themselves. Without a format it is ISO 8601.",
			`Time.format(Time("2030-01-31T13:05:00Z"), "d MMM yyyy HH:mm", zone: "Europe/Berlin") == "31 Jan 2030 14:05"`,
			`Time.format(Time("2030-01-31T13:05:00Z"), zone: "America/New_York") == "2030-01-31T08:05:00-05:00"`),
		flat("Time.unix(time: Time) -> Int", func(c call) (value.Value, error) {
			t, _ := c.args[0].AsTime()
			return value.Int(floorDiv(t, int64(time.Second))), nil
		}, "Gives the seconds since 1970.", `Time.unix(Time("1970-01-02T00:00:00Z")) == 86400`),
		flat("Time.unix_ms(time: Time) -> Int", func(c call) (value.Value, error) {
			t, _ := c.args[0].AsTime()
			return value.Int(floorDiv(t, int64(time.Millisecond))), nil
		}, "Gives the milliseconds since 1970.", `Time.unix_ms(Time("1970-01-01T00:00:01Z")) == 1000`),
		flat("Time.from_unix(seconds: Int) -> Time", func(c call) (value.Value, error) { return value.FromTime(time.Unix(c.int(0), 0)) },
			"Makes a time of the seconds since 1970.", `Time.from_unix(86400) == Time("1970-01-02T00:00:00Z")`),
		flat("Time.from_unix_ms(milliseconds: Int) -> Time", func(c call) (value.Value, error) { return value.FromTime(time.UnixMilli(c.int(0))) },
			"Makes a time of the milliseconds since 1970.", `Time.from_unix_ms(1000) == Time("1970-01-01T00:00:01Z")`),
	}
}

// timeCalendar are the functions that know days, months and clocks.
func timeCalendar() []*program.Builtin {
	return []*program.Builtin{
		flat("Time.of(year: Int, month: Int, day: Int, hour?: Int, minute?: Int, second?: Int; zone?: String) -> Time", timeOf,
			"Makes a time of what calendar and clock of a zone show. What the clocks skip is as much later; of what they show twice it is the first.",
			`Time.of(2030, 1, 31) == Time("2030-01-31T00:00:00Z")`, `Time.of(2030, 7, 1, 9, zone: "Europe/Berlin") == Time("2030-07-01T07:00:00Z")`),
		flat("Time.parts(time: Time; zone?: String) -> { year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, nanosecond: Int, weekday: String, day_of_year: Int, week: Int, zone: String, offset: Duration }", timeParts,
			"Takes a time apart, as calendar and clock of a zone show it. Weeks are those of ISO 8601.",
			`Time.parts(Time("2030-01-31T13:05:00Z")).weekday == "thursday"`, `Time.parts(Time("2030-01-31T13:05:00Z"), zone: "+02:00").hour == 15`),
		flat("Time.weekday(time: Time; zone?: String) -> String", func(c call) (value.Value, error) {
			t, err := c.local(0, 1)
			return value.String(strings.ToLower(t.Weekday().String())), err
		}, "Gives the day of the week: monday to sunday.", `Time.weekday(Time("2030-01-31T13:05:00Z")) == "thursday"`),
		timeAdd("days", func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) }, "The time of day stays, also when the clocks change.",
			`Time.add_days(Time("2030-03-30T12:00:00Z"), 1, zone: "Europe/Berlin") == Time("2030-03-31T11:00:00Z")`),
		timeAdd("months", addMonths, "Of a month that is too short it is the last day.", `Time.add_months(Time("2030-01-31T00:00:00Z"), 1) == Time("2030-02-28T00:00:00Z")`),
		timeAdd("years", func(t time.Time, n int) time.Time { return addMonths(t, 12*n) }, "Of a 29 February without such a day it is the 28th.",
			`Time.add_years(Time("2028-02-29T00:00:00Z"), 1) == Time("2029-02-28T00:00:00Z")`),
		flat("Time.start_of(time: Time, unit: String; zone?: String) -> Time", func(c call) (value.Value, error) { return c.edge(0) },
			"Gives the beginning of the minute, hour, day, week (monday), month, quarter or year that a time lies in.",
			`Time.start_of(Time("2030-01-31T13:05:00Z"), "month") == Time("2030-01-01T00:00:00Z")`,
			`Time.start_of(Time("2030-01-31T23:30:00Z"), "day", zone: "Europe/Berlin") == Time("2030-01-31T23:00:00Z")`),
		flat("Time.end_of(time: Time, unit: String; zone?: String) -> Time", func(c call) (value.Value, error) { return c.edge(1) },
			"Gives the end of the minute, hour, day, week, month, quarter or year that a time lies in: the beginning of the next one.",
			`Time.end_of(Time("2030-01-31T13:05:00Z"), "month") == Time("2030-02-01T00:00:00Z")`),
		flat("Time.days_between(from: Time, to: Time; zone?: String) -> Int", timeDaysBetween,
			"Counts the midnights between two times; negative if `to` is before `from`.", `Time.days_between(Time("2030-01-30T23:00:00Z"), Time("2030-02-01T01:00:00Z")) == 2`),
		flat("Time.days_in_month(year: Int, month: Int) -> Int", func(c call) (value.Value, error) {
			if m := c.int(1); m < 1 || m > 12 {
				return value.Nil, c.fault(value.CodeRange, "a month lies between 1 and 12, and it is %d", m)
			}
			return value.Int(int64(daysIn(int(min(max(c.int(0), 0), 9999)), int(c.int(1))))), nil
		}, "Counts the days of a month.", `Time.days_in_month(2028, 2) == 29`),
		flat("Time.has_zone(zone: String) -> Bool", func(c call) (value.Value, error) {
			_, err := zones.Load(c.text(0))
			return value.Bool(err == nil), c.Spend(zoneCost)
		}, "Says whether there is a zone of this name.", `Time.has_zone("Europe/Berlin") == true`),
	}
}

// zoneCost is what looking up a zone costs, in evaluations.
const zoneCost = 20

// zone is the zone at an argument, UTC if it was left out.
func (c call) zone(i int) (*time.Location, error) {
	if !c.given(i) {
		return time.UTC, nil
	}
	if err := c.Spend(zoneCost); err != nil {
		return nil, err
	}
	l, err := zones.Load(c.text(i))
	if err != nil {
		return nil, c.fault(value.CodeRange, "%s", err)
	}
	return l, nil
}

// local is the time at an argument in the zone at another.
func (c call) local(i, zone int) (time.Time, error) {
	t, _ := c.args[i].AsTime()
	l, err := c.zone(zone)
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(0, t).In(l), nil
}

// at is the value of what the clocks of a zone show.
func at(wall time.Time, zone *time.Location) (value.Value, error) {
	t, _ := zones.Instant(wall, zone)
	return value.FromTime(t)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func timeOf(c call) (value.Value, error) {
	l, err := c.zone(6)
	if err != nil {
		return value.Nil, err
	}
	names := []string{"year", "month", "day", "hour", "minute", "second"}
	least, most := []int64{1600, 1, 1, 0, 0, 0}, []int64{2400, 12, 31, 23, 59, 59}
	n := make([]int, len(names))
	for i, name := range names {
		x := c.int(i)
		if i == 2 {
			most[i] = int64(daysIn(n[0], n[1]))
		}
		if x < least[i] || x > most[i] {
			return value.Nil, c.fault(value.CodeRange, "the %s lies between %d and %d, and it is %d", name, least[i], most[i], x)
		}
		n[i] = int(x)
	}
	return at(time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC), l)
}

func timeParts(c call) (value.Value, error) {
	t, err := c.local(0, 1)
	if err != nil {
		return value.Nil, err
	}
	_, week := t.ISOWeek()
	name, offset := t.Zone()
	n := func(i int) value.Value { return value.Int(int64(i)) }
	return value.NewRecord(
		[]string{"year", "month", "day", "hour", "minute", "second", "nanosecond", "weekday", "day_of_year", "week", "zone", "offset"},
		[]value.Value{n(t.Year()), n(int(t.Month())), n(t.Day()), n(t.Hour()), n(t.Minute()), n(t.Second()), n(t.Nanosecond()),
			value.String(strings.ToLower(t.Weekday().String())), n(t.YearDay()), n(week), value.String(name), value.Duration(time.Duration(offset) * time.Second)}), nil
}

// timeAdd makes a function that adds units of the calendar.
func timeAdd(unit string, add func(time.Time, int) time.Time, doc, example string) *program.Builtin {
	return flat("Time.add_"+unit+"(time: Time, count: Int; zone?: String) -> Time", func(c call) (value.Value, error) {
		t, err := c.local(0, 2)
		if err != nil {
			return value.Nil, err
		}
		const most = 1_000_000
		n := c.int(1)
		if n < -most || n > most {
			return value.Nil, c.fault(value.CodeRange, "%d %s lead out of what a Time holds (1678 to 2262)", n, unit)
		}
		wall := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		return at(add(wall, int(n)), t.Location())
	}, "Goes on by "+unit+" of the calendar, or back. "+doc, example)
}

func addMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	return first.AddDate(0, 0, min(t.Day(), daysIn(first.Year(), int(first.Month())))-1)
}

// edge is the beginning of the unit that a time lies in, or of the n-th after.
func (c call) edge(n int) (value.Value, error) {
	t, err := c.local(0, 2)
	if err != nil {
		return value.Nil, err
	}
	y, m, d := t.Year(), t.Month(), t.Day()
	wall := func(y int, m time.Month, d int) (value.Value, error) {
		return at(time.Date(y, m, d, 0, 0, 0, 0, time.UTC), t.Location())
	}
	switch unit := strings.TrimSuffix(c.text(1), "s"); unit {
	case "minute", "hour": // zones shift by parts of an hour, but never within a minute
		size := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour}[unit]
		into := time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
		if unit == "hour" {
			into += time.Duration(t.Minute()) * time.Minute
		}
		return value.FromTime(t.Add(time.Duration(n)*size - into))
	case "day":
		return wall(y, m, d+n)
	case "week":
		return wall(y, m, d-(int(t.Weekday())+6)%7+7*n)
	case "month":
		return wall(y, m+time.Month(n), 1)
	case "quarter":
		return wall(y, (m-1)/3*3+1+time.Month(3*n), 1)
	case "year":
		return wall(y+n, 1, 1)
	}
	return value.Nil, c.fault(value.CodeRange, "a unit is minute, hour, day, week, month, quarter or year, and not %s", c.args[1].Short(40))
}

func timeDaysBetween(c call) (value.Value, error) {
	from, err := c.local(0, 2)
	if err != nil {
		return value.Nil, err
	}
	to, err := c.local(1, 2)
	if err != nil {
		return value.Nil, err
	}
	day := func(t time.Time) int64 {
		return floorDiv(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix(), 24*60*60)
	}
	return value.Int(day(to) - day(from)), nil
}

package stdlib_test

import "testing"

func evalAll(t *testing.T, cases []struct{ expr, want string }) {
	t.Helper()
	for _, c := range cases {
		if got := eval(t, c.expr); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

// Berlin put its clocks forward on 31 March 2030 (02:00 to 03:00) and back on 27
// October 2030 (03:00 to 02:00).
func TestClockChanges(t *testing.T) {
	const zone = `zone: "Europe/Berlin"`
	evalAll(t, []struct{ expr, want string }{
		{`Time.of(2030, 3, 31, 2, 30, ` + zone + `)`, `Time("2030-03-31T01:30:00Z")`}, // shows 03:30
		{`Time.of(2030, 10, 27, 2, 30, ` + zone + `)`, `Time("2030-10-27T00:30:00Z")`},
		{`Time.add_days(Time("2030-03-30T01:30:00Z"), 1, ` + zone + `)`, `Time("2030-03-31T01:30:00Z")`},
		{`Time.end_of(Time("2030-03-31T00:00:00Z"), "day", ` + zone + `) - Time.start_of(Time("2030-03-31T00:00:00Z"), "day", ` + zone + `)`, `23h`},
		{`Time.end_of(Time("2030-10-27T00:00:00Z"), "day", ` + zone + `) - Time.start_of(Time("2030-10-27T00:00:00Z"), "day", ` + zone + `)`, `1d1h`},
		{`Time.days_between(Time("2030-03-30T23:30:00Z"), Time("2030-03-31T22:30:00Z"), ` + zone + `)`, `1`},
		{`Time.format(Time("2030-10-27T01:30:00Z"), "H:mm XXX z", ` + zone + `)`, `"2:30 +01:00 CET"`},
		{`Time.start_of(Time("2030-06-15T13:45:30Z"), "hour", zone: "Asia/Kolkata")`, `Time("2030-06-15T13:30:00Z")`},
		// A time of day in the gap comes right behind it, one that is there twice comes once.
		{`Cron.upcoming("30 2 * * *", 2, after: Time("2030-03-30T12:00:00Z"), ` + zone + `)`, `[Time("2030-03-31T01:00:00Z"), Time("2030-04-01T00:30:00Z")]`},
		{`Cron.upcoming("30 2 * * *", 2, after: Time("2030-10-26T12:00:00Z"), ` + zone + `)`, `[Time("2030-10-27T00:30:00Z"), Time("2030-10-28T01:30:00Z")]`},
		// What runs by the clock goes on through both.
		{`Cron.upcoming("*/30 * * * *", 4, after: Time("2030-03-31T00:10:00Z"), ` + zone + `)`, `[Time("2030-03-31T00:30:00Z"), Time("2030-03-31T01:00:00Z"), Time("2030-03-31T01:30:00Z"), Time("2030-03-31T02:00:00Z")]`},
		{`Cron.upcoming("*/30 2 * * *", 5, after: Time("2030-10-26T23:50:00Z"), ` + zone + `)`, `[Time("2030-10-27T00:00:00Z"), Time("2030-10-27T00:30:00Z"), Time("2030-10-27T01:00:00Z"), Time("2030-10-27T01:30:00Z"), Time("2030-10-28T01:00:00Z")]`},
		{`Cron.upcoming("0 * * * *", 4, after: Time("2030-10-26T23:30:00Z"), ` + zone + `)`, `[Time("2030-10-27T00:00:00Z"), Time("2030-10-27T01:00:00Z"), Time("2030-10-27T02:00:00Z"), Time("2030-10-27T03:00:00Z")]`},
	})
}

func TestCron(t *testing.T) {
	const after = `, after: Time("2030-01-01T00:00:00Z"))`
	evalAll(t, []struct{ expr, want string }{
		{`Cron.next("0 0 30 2 *"` + after, `nil`},
		{`Cron.next("0 0 29 2 *"` + after, `Time("2032-02-29T00:00:00Z")`},
		{`Cron.next("0 0 13 * fri"` + after, `Time("2030-01-04T00:00:00Z")`}, // either day counts
		{`Cron.next("0 0 * * 7"` + after, `Time("2030-01-06T00:00:00Z")`},
		{`Cron.next("5-10/5,50 3 * jan-mar *"` + after, `Time("2030-01-01T03:05:00Z")`},
		{`Cron.next("0 0 1 1 *"` + after, `Time("2031-01-01T00:00:00Z")`}, // not the time itself
		{`Cron.next("@hourly", after: Time("2030-01-01T00:00:00.5Z"))`, `Time("2030-01-01T01:00:00Z")`},
		{`Cron.next("0 0 1 1 *", after: Time("2262-02-01T00:00:00Z"))`, `nil`},
		{`Cron.next("61 * * * *"` + after, `format: Cron.next: "61 * * * *": the minute lies between 0 and 59, and 61 does not`},
		{`Cron.problem("* * * *")`, `"a schedule has five fields (minute, hour, day of month, month, day of week), and this has 4"`},
		{`Cron.problem("0 0 0 * * *")`, `"a schedule has five fields, and this has 6: seconds and years are not among them"`},
		{`Cron.problem("@often")`, `"there is no \"@often\": there are @hourly, @daily, @weekly, @monthly and @yearly"`},
		{`Cron.problem("10-5 * * * *")`, `"the minute goes from 10 to 5, which is backwards"`},
		{`Cron.problem("*/0 * * * *")`, `"a step of the minute lies between 1 and 59, and \"0\" does not"`},
		{`Cron.problem("0 0 L * *")`, `"the day of the month cannot be \"L\""`},
		{`Cron.problem("0 0 * * mon-fri")`, `nil`},
		{`Cron.next("* * * * *", zone: "Mars/Base"` + after, `range: Cron.next: there is no zone "Mars/Base": zones have names such as Europe/Berlin, UTC or +02:00`},
	})
}

func TestTimes(t *testing.T) {
	evalAll(t, []struct{ expr, want string }{
		{`Time.parse("2030-01-31T10:00", zone: "+02:00")`, `Time("2030-01-31T08:00:00Z")`},
		{`Time.parse("2030-01-31T10:00+01:00", zone: "+02:00")`, `Time("2030-01-31T09:00:00Z")`},
		{`Time.parse("20300131140559", "yyyyMMddHHmmss")`, `Time("2030-01-31T14:05:59Z")`},
		{`Time.parse("Thursday, 31 January 2030 at 2:05 PM", "EEEE, d MMMM yyyy 'at' h:mm a")`, `Time("2030-01-31T14:05:00Z")`},
		{`Time.parse("2030-01-31T14:05:59.250+02:00", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX")`, `Time("2030-01-31T12:05:59.25Z")`},
		{`Time.parse("31.02.2030", "dd.MM.yyyy")`, `format: Time.parse: "31.02.2030" is not a time of the format "dd.MM.yyyy"`},
		{`Time.parse("31/01/2030", "dd.MM.yyyy")`, `format: Time.parse: "31/01/2030" is not a time of the format "dd.MM.yyyy": "." was expected, and there is "/01/2030"`},
		{`Time.parse("tomorrow")`, `format: Time.parse: "tomorrow" is not a time: write it like 2030-01-31T13:05:00Z, or say its format`},
		{`Time.format(Time("2030-01-31T00:05:09Z"), "yy-M-d h:m:s a '!' ä", zone: "UTC")`, `"30-1-31 12:5:9 AM ! ä"`},
		{`Time.format(Time("2030-01-31T00:05:09Z"), "YYYY")`, "format: Time.format: a format has no YYYY; it has yyyy MM dd HH mm ss and others (`wf doc Time.format`), and letters in '…'"},
		{`Time.parse(Time.format(Time("2030-01-31T00:05:09.123456789Z"), "yyyy-MM-dd HH:mm:ss.SSSSSSSSS"), "yyyy-MM-dd HH:mm:ss.SSSSSSSSS")`, `Time("2030-01-31T00:05:09.123456789Z")`},
		{`Time.of(2030, 2, 29)`, `range: Time.of: the day lies between 1 and 28, and it is 29`},
		{`Time.of(2300, 1, 1)`, `range: the year 2300 is outside of what a Time holds (1678 to 2262)`},
		{`Time.add_months(Time("2030-03-31T00:00:00Z"), -1)`, `Time("2030-02-28T00:00:00Z")`},
		{`Time.add_years(Time("2030-03-31T00:00:00Z"), 1000000)`, `range: the year 1002030 is outside of what a Time holds (1678 to 2262)`},
		{`Time.add_years(Time("2030-03-31T00:00:00Z"), 1000000000000)`, `range: Time.add_years: 1000000000000 years lead out of what a Time holds (1678 to 2262)`},
		{`Time.start_of(Time("2030-06-15T13:45:30Z"), "week")`, `Time("2030-06-10T00:00:00Z")`},
		{`Time.start_of(Time("2030-06-15T13:45:30Z"), "quarter")`, `Time("2030-04-01T00:00:00Z")`},
		{`Time.end_of(Time("2030-06-15T13:45:30Z"), "year")`, `Time("2031-01-01T00:00:00Z")`},
		{`Time.start_of(Time("2030-06-15T13:45:30Z"), "fortnight")`, `range: Time.start_of: a unit is minute, hour, day, week, month, quarter or year, and not "fortnight"`},
		{`Time.parts(Time("2030-01-01T00:00:00Z"), zone: "Europe/Berlni")`, `range: Time.parts: there is no zone "Europe/Berlni"; did you mean "Europe/Berlin"?`},
		{`Time.has_zone("Local")`, `false`},
		{`Time.unix(Time("1969-12-31T23:59:59.5Z"))`, `-1`},
		{`Duration.format(-90m)`, `"minus 1 hour 30 minutes"`},
		{`Duration.format(0s)`, `"0 seconds"`},
		{`Duration.in_hours(90m) * 10.00`, `15.000`},
		{`Duration.of(days: 200000)`, `overflow: 1d * 200000 does not fit a Duration`},
	})
}

func TestTemplates(t *testing.T) {
	evalAll(t, []struct{ expr, want string }{
		{`Template.render("a\n{{#xs}}\n- {{.}}\n{{/xs}}\nb\n", { xs: [1, 2] })`, `"a\n- 1\n- 2\nb\n"`},
		{`Template.render("x {{#a}}{{/a}}\ny", { a: true })`, `"x \ny"`},
		{`Template.render("  {{! nothing }}  \nx", {})`, `"x"`},
		{`Template.render("{{order.item.sku}} {{#order}}{{id}} {{total}}{{/order}}", { total: 2.50, order: { id: 7, item: { sku: "a" } } })`, `"a 7 2.50"`},
		{`Template.render("{{^xs}}none{{/xs}}", { xs: [] })`, `"none"`},
		{`Template.render("{{a}}{{{a}}}{{&a}}", { a: "<" }, escape: "html")`, `"&lt;<<"`},
		{`Template.render("one\n{{order.idd}}", { order: { id: 1 } })`, `missing: Template.render: line 2: the data has no order.idd; did you mean id?`},
		{`Template.render("{{note}}", { note: nil })`, `missing: Template.render: line 1: note is nil; {{#note}}…{{/note}} leaves out what is`},
		{`Template.render("{{#nope}}x{{/nope}}", {})`, `missing: Template.render: line 1: the data has no nope`},
		{`Template.render("{{#a}}x", { a: 1 })`, `format: Template.render: line 1: the section {{#a}} has no end: {{/a}}`},
		{`Template.render("x{{/a}}", { a: 1 })`, `format: Template.render: line 1: {{/a}} ends no section that is open here`},
		{`Template.render("{{a + 1}}", { a: 1 })`, `format: Template.render: line 1: {{"a + 1"}} is no name: a template has names such as {{order.id}}, and computes nothing`},
		{`Template.render("{{a", { a: 1 })`, `format: Template.render: line 1: a {{ has no }}`},
		{`Template.render("{{a}}", { a: "{{b}}", b: "x" })`, `"{{b}}"`}, // what is filled in is no template
	})
}

package tests_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/stdlib"
)

// builtins are the library and a world outside that answers only mocks.
func builtins() []*program.Builtin {
	return append(stdlib.Table(),
		&program.Builtin{Module: "World", Name: "send", Effect: program.Performs, Params: []program.BuiltinParam{
			{Name: "to"}, {Name: "text", Optional: true}, {Name: "tag", Optional: true, Named: true, Default: value.Nil}}},
		&program.Builtin{Module: "World", Name: "all", Effect: program.Performs, Rest: true, Params: []program.BuiltinParam{{Name: "first"}}})
}

// try runs the tests of one script and gives what they come to, by name.
func try(t *testing.T, text string, o tests.Options) map[string]tests.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.wf")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	if o.Builtins == nil {
		o.Builtins = builtins()
	}
	o.Load = func(string) (*source.Set, *program.Program, diag.List, error) {
		set := &source.Set{}
		set.Add(source.NewFile("x.wf", text))
		prog, ds := engine.Compile(set, o.Builtins)
		if prog == nil {
			var b strings.Builder
			diag.Render(&b, set, ds, diag.RenderOptions{})
			return nil, nil, nil, fmt.Errorf("%s", b.String())
		}
		return set, prog, ds, nil
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	out := map[string]tests.Result{}
	require.NoError(t, tests.Run(t.Context(), []string{path}, o, func(f *tests.File) {
		require.NoError(t, f.Err)
		require.False(t, f.Broken)
		for _, r := range f.Results {
			out[r.Name] = r
		}
	}))
	return out
}

// passes runs the tests of a script, all of which have to pass.
func passes(t *testing.T, text string, o tests.Options) map[string]tests.Result {
	t.Helper()
	out := try(t, text, o)
	require.NotEmpty(t, out)
	for name, r := range out {
		require.Equal(t, tests.Passed, r.Status, "%s: %+v\n%s", name, r.Failure, r.Diff)
	}
	return out
}

// fails runs a script with one test and gives its failure as text.
func fails(t *testing.T, text string, o tests.Options) (string, tests.Result) {
	t.Helper()
	for _, r := range try(t, text, o) {
		require.Equal(t, tests.Failed, r.Status)
		f := r.Failure
		out := fmt.Sprintf("%d:%d: %s %s\n", f.Place.Line, f.Place.Column, f.Crash, f.Message)
		for _, p := range f.Parts {
			out += p.Text + " = " + p.Value + "\n"
		}
		return out + strings.Join(f.Pending, "\n"), r
	}
	t.Fatal("no test")
	return "", tests.Result{}
}

const sender = `
workflow Sender {
    state got: Any = nil
    state to: String
    step send { self.got = perform World.send(self.to, "hello", tag: "t") }
    query got() { self.got }
}
fn got(to) {
    let s = spawn Sender { to: to }
    await s
    ask s.got()
}
`

// Mocks that answer once come first, in the order of the text; then the last one
// declared. A mock holds from its line on, in functions and loops too.
func TestWhichMockAnswers(t *testing.T) {
	passes(t, sender+`
test "order" {
    mock World.send(_, ...) => 1
    expect got("a") == 1
    mock World.send("b", ...) => 2
    mock once World.send(...) => "first"
    mock once World.send(_, _) => "second"
    expect [got("b"), got("b"), got("b"), got("a")] == ["first", "second", 2, 1]
    for n in [10, 20] { mock World.send(...) => n }
    expect got("z") == 20
}
test "patterns" {
    mock World.send(...) => "other"
    mock World.send(to, text, tag: "t") => "${to} ${text}"
    mock World.send(to, tag: "u") => throw "no"
    mock World.send("x" | "y", ...) => "x or y"
    expect got("b") == "b hello" && got("y") == "x or y"
    mock World.send => 7
    expect got("y") == 7
}
test "the rest" {
    mock World.all(...) => "any"
    mock World.all(1, 2, 3) => "three"
    mock World.all(1, 2) => "two"
    mock World.all(0, x, ...) => x
    expect perform World.all(1) == "any"
    expect [perform World.all(1, 2), perform World.all(1, 2, 3), perform World.all(1, 2, 3, 4)] == ["two", "three", "any"]
    expect perform World.all(0, 5, 6) == 5
    expect calls(World.all)[0] == { first: 1 } && calls(World.all)[1] == { first: 1, rest: [2] }
}
`, tests.Options{Crash: true})
}

// An answer takes the time that the mock says; nothing really waits.
func TestAnswersThatTakeTime(t *testing.T) {
	passes(t, sender+`
test "it takes 20 s" {
    mock World.send(...) after 20s => "late"
    let s = spawn Sender { to: "a" }
    advance 19s
    expect (ask s.lifecycle()).status == "running" && ask s.got() == nil
    advance 1s
    expect ask s.got() == "late"
}
test "too late for the step" {
    mock World.send(...) after 40s => "late"
    let s = spawn Sender { to: "a" }
    expect_error "timeout" { await s }
    expect calls(World.send).length == 1
}
test "the test itself calls" {
    mock World.send(...) after 2h => 3
    let before = perform Time.now()
    expect perform World.send("x") == 3
    expect perform Time.now() - before == 2h
}
`, tests.Options{})
}

// What a mock throws is an error of the call.
func TestMocksThatThrow(t *testing.T) {
	passes(t, `
workflow Careful {
    state seen: [String] = []
    step try_it retry 2 {
        let code = try { perform World.send("a") } catch e { e.code }
        if code != "fine" { throw code }
        self.seen = [code]
    }
    query seen() { self.seen }
}
test "the third time" {
    mock World.send(...) => "fine"
    mock once World.send(...) => { throw { code: "busy", message: "later" } }
    mock once World.send(...) => { throw "again" }
    let c = spawn Careful {}
    await c
    expect ask c.seen() == ["fine"] && calls(World.send) == [{ to: "a" }, { to: "a" }, { to: "a" }]
    expect (ask c.lifecycle()).retries == { try_it: 2 }
}
test "never" {
    mock World.send(...) => throw { code: "busy", message: "later" }
    let c = spawn Careful {}
    expect_error "busy" { try { await c } catch e { throw { code: e.message, message: "" } } }
}
`, tests.Options{Crash: true})
}

// A call that no mock is for fails the test, also if the script catches that; what
// is said has the line to write.
func TestNoMock(t *testing.T) {
	said, r := fails(t, sender+`
test "it calls" {
    mock World.send("b", ...) => 1
    mock World.all(...) => 1
    let s = spawn Sender { to: "a" }
    try { await s } catch e { e }
}`, tests.Options{})
	require.Contains(t, said, "5:28:  Sender-1 calls World.send in a way that none of its mocks is for; change one, or write\n    mock World.send(...) => ")
	require.Contains(t, said, "to = \"a\"\ntext = \"hello\"\ntag = \"t\"\n")
	require.Len(t, r.Notes, 2)
	require.Equal(t, "this mock of World.all was never used", r.Notes[1].Message)
	require.Equal(t, 16, r.Notes[1].Place.Line)

	said, _ = fails(t, `workflow W { step a { perform World.send(1) } }
test "nobody waits for it" { spawn W {} }`, tests.Options{})
	require.Contains(t, said, "1:23:  W-1 calls World.send, and there is no mock for it; write\n    mock World.send(...) => ")
	said, _ = fails(t, "test \"it calls itself\" { perform World.send(1) }", tests.Options{})
	require.Contains(t, said, "the test calls World.send")
}

// A match in a mock that fits nothing is a failure at the mock, and so is what it
// computes wrongly.
func TestMocksThatAreWrong(t *testing.T) {
	said, _ := fails(t, sender+"test \"x\" {\n    mock World.send(...) => 1 / 0\n    got(\"a\")\n}", tests.Options{})
	require.Contains(t, said, "zero")
	said, _ = fails(t, "test \"x\" {\n    let d = Json.parse(\"-1\")\n    mock World.send(...) after d => 1\n}", tests.Options{})
	require.Contains(t, said, "3:5:  a mock answers after a Duration, not after -1")
	said, _ = fails(t, "test \"x\" {\n    advance -5s\n}", tests.Options{})
	require.Contains(t, said, "2:5:  `advance` moves the clock forward by a Duration, not by -5s")
}

// A crash has a call that had no durable answer made again, under the same key:
// the list of calls has it once, a mock that answers once answers it again, and the
// report says that it runs twice.
func TestCallsAndCrashes(t *testing.T) {
	out := passes(t, sender+`
workflow Again {
    state n: Int = 0
    step count { self.n = 1 }
    step send retry 1 {
        perform World.send("x")
        perform World.send("y")
    }
}
test "once is enough" {
    mock once World.send(...) => 1
    mock once World.send(...) => 2
    expect got("a") == 1 && got("b") == 2
    expect calls(World.send).length == 2
}
test "a retry is a call of its own" {
    mock World.send("x") => 1
    mock World.send("y") => 2
    mock once World.send("y") => throw "not yet"
    await spawn Again {}
    expect calls(World.send) == [{ to: "x" }, { to: "y" }, { to: "x" }, { to: "y" }]
}`, tests.Options{Crash: true})
	r := out["once is enough"]
	require.GreaterOrEqual(t, r.Points, 10)
	require.Len(t, r.Repeats, 1)
	require.Equal(t, "World.send", r.Repeats[0].Operation)
	require.Equal(t, 5, r.Repeats[0].Place.Line)
	require.Less(t, r.Repeats[0].Times, r.Points)
	require.Len(t, out["a retry is a call of its own"].Repeats, 2)
}

// Of calls to which the script has given a key nothing is said: it has thought of
// repetitions.
func TestCallsWithAKeyOfTheirOwn(t *testing.T) {
	script := func(headers string) string {
		return "workflow Pay { step pay { perform Http.post(\"https://x.example\"" + headers + ") } }\n" +
			"test \"x\" {\n    mock Http.post(...) => { json: 1 }\n    await spawn Pay {}\n}"
	}
	require.Empty(t, passes(t, script(", headers: { \"idempotency-key\": \"pay-1\" }"), tests.Options{Crash: true})["x"].Repeats)
	for _, headers := range []string{"", ", headers: { accept: \"text/plain\" }"} {
		require.Len(t, passes(t, script(headers), tests.Options{Crash: true})["x"].Repeats, 1)
	}
}

// Once promised, a call is not repeated: after a crash its outcome may be unknown,
// and that is no failure.
func TestOnceAndCrashes(t *testing.T) {
	out := passes(t, `
workflow Pay { step pay { perform once World.send("bank"); emit Paid() } }
test "it is paid once" {
    mock World.send(...) => "ok"
    let p = spawn Pay {}
    await p
    expect events(p) == [Paid()] && calls(World.send).length == 1
}`, tests.Options{Crash: true})
	require.Empty(t, out["it is paid once"].Repeats)
}

// A test that fails only with a crash says at which one. The script cheats: it
// counts outside of the engine how often it is computed.
func TestAFailureOfACrash(t *testing.T) {
	counted := int64(0)
	cheat := &program.Builtin{Module: "Cheat", Name: "count", Fn: func(program.Caller, []value.Value) (value.Value, error) {
		counted++
		return value.Int(counted), nil
	}}
	said, r := fails(t, `
workflow W { state n: Int = 0
    step a { let x = Cheat.count(); perform World.send(x); self.n = x }
}
test "it depends on luck" {
    mock World.send(...) => 1
    await spawn W {}
    expect calls(World.send)[0].to == 1
}`, tests.Options{Crash: true, Builtins: append(builtins(), cheat)})
	require.Regexp(t, `^8:5: with a crash (before|after) write \d+ to the store expect calls\(World.send\)\[0\].to == 1\ncalls`, said)
	require.Zero(t, r.Points)
}

// The timeout of a step begins anew after a crash: a call that it would have cut
// may be answered then, and that is no failure. All else still has to be the same.
func TestTimeoutsAndCrashes(t *testing.T) {
	script := func(takes string) string {
		return `
workflow Slow { step call timeout 30s { perform World.send("x"); perform World.send("y") } }
workflow Other { step tick { perform Timer.sleep(10s); emit Tick() } }
test "cut" {
    mock World.send("x") after ` + takes + ` => 1
    mock World.send("y") after 25s => 2
    let other = spawn Other {}
    let slow = spawn Slow {}
    expect_error "timeout" { await slow }
    await other
    expect events(other) == [Tick()]
}`
	}
	for _, takes := range []string{"20s", "40s"} {
		require.NotZero(t, passes(t, script(takes), tests.Options{Crash: true})["cut"].Points)
	}
	counted := int64(0)
	cheat := &program.Builtin{Module: "Cheat", Name: "count", Fn: func(program.Caller, []value.Value) (value.Value, error) {
		counted++
		return value.Int(counted), nil
	}}
	said, _ := fails(t, strings.Replace(script("40s"), "emit Tick()", "if Cheat.count() == 1 { emit Tick() }", 1),
		tests.Options{Crash: true, Builtins: append(builtins(), cheat)})
	require.Contains(t, said, "with a crash before write 1 ")
}

// Names choose tests.
func TestRunByName(t *testing.T) {
	out := try(t, "test \"a one\" { expect true }\ntest \"a two\" { expect false }", tests.Options{Run: regexp.MustCompile("one$")})
	require.Len(t, out, 1)
	require.Equal(t, tests.Passed, out["a one"].Status)
}

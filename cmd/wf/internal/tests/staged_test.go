package tests_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
)

// The answers of mocks go through the rules of real ones.
func TestAnswersOfMocks(t *testing.T) {
	passes(t, `
type Charge = { id: String, fee: Decimal? }
workflow Pay {
    step charge retry 2 backoff 1s..10s {
        let key = perform Secret.get("bank")
        let r = perform Http.post("https://pay.example/charge", body: { n: 1 }, headers: { authorization: Secret.bearer(key) }, schema: Charge)
        emit Charged(r.json.id, r.status, r.headers, r.body)
        r.json.fee ?? 0.0
    }
}
workflow Look { step look { (perform Http.get("https://x.example", expect: 404)).status } }
workflow Build { step make { perform Exec.run("make", ["all"]) } }
workflow Ask { step ask { (perform LLM.ask("who?", schema: Charge)).id } }

test "what is not said is as usual" {
    mock Http.post(_, ...) => { json: { id: "c-1", fee: 1.50 } }
    let p = spawn Pay {}
    expect await p == 1.50
    expect events(p) == [Charged("c-1", 200, {}, "{\"id\":\"c-1\",\"fee\":1.50}")]
}
test "errors are errors, and wait as long as the server says" {
    mock Http.post(_, ...) => { status: 503, headers: { "Retry-After": "60" }, body: "later" }
    let p = spawn Pay {}
    expect_error "http_503" { await p }
    expect perform Time.now() == Time("2030-01-01T00:02:00Z")
    expect calls(Http.post).length == 3
    expect (ask p.lifecycle()).failure.detail.body == "later"
}
test "what is expected is none" {
    mock Http.get(_, ...) => { status: 404 }
    expect await spawn Look {} == 404
}
test "what does not fit the schema" {
    mock Http.post(_, ...) => { json: { idd: "1" } }
    expect_error "schema" { await spawn Pay {} }
}
test "programs" {
    mock Exec.run("make", ...) => { code: 2, err: "no rule" }
    expect_error "exec_2" { await spawn Build {} }
    mock Exec.run(...) => { out: "fine" }
    expect await spawn Build {} == { code: 0, out: "fine", err: "" }
}
test "models" {
    mock LLM.ask(...) => { id: "x" }
    expect await spawn Ask {} == "x"
    mock LLM.ask(...) => "{\"id\": \"y\"}"
    expect await spawn Ask {} == "y"
    mock LLM.ask(...) => { id: 3 }
    expect_error "schema" { await spawn Ask {} }
}`, tests.Options{Crash: true})
}

// What no server, program or model could answer is a mistake of the mock, and no
// script can catch that.
func TestMocksThatAnswerWhatCannotBe(t *testing.T) {
	for _, c := range []struct{ call, mock, want string }{
		{`Http.get("https://x.example")`, `Http.get(_) => { jsn: 1 }`, "has the fields status, headers, body, json, and not `jsn`"},
		{`Http.get("https://x.example")`, `Http.get(_) => 200`, "answers a record { status, headers, body, json }, and the mock gives an Int"},
		{`Http.get("https://x.example")`, `Http.get(_) => { status: 99 }`, "a number from 100 to 599, and this is 99"},
		{`Http.get("https://x.example")`, `Http.get(_) => { body: "a", json: 1 }`, "has a `body` or a `json`, not both"},
		{`Http.get("https://x.example")`, `Http.get(_) => { headers: 1 }`, "a record, and this is 1"},
		{`Exec.run("make", [])`, `Exec.run(...) => "out"`, "answers a record { code, out, err }"},
		{`Exec.run("make", [])`, `Exec.run(...) => { code: -1 }`, "a number from 0 to 255, and this is -1"},
		{`Exec.run("make", [])`, `Exec.run(...) => { out: 1 }`, "a String, and this is 1"},
		{`LLM.ask("?")`, `LLM.ask(_) => { a: 1 }`, "answers a String, and the mock gives a record"},
	} {
		said, _ := fails(t, "workflow W { step a { try { perform "+c.call+" } catch _ { nil } } }\ntest \"x\" {\n    mock "+c.mock+"\n    await spawn W {}\n}", tests.Options{})
		require.Contains(t, said, c.want)
		require.Contains(t, said, "3:5:  ", "%s is blamed on the mock", c.mock)
	}
}

// A mock that takes longer than the call's own `timeout:`, or five minutes where
// nothing bounds it, is an answer that has not come; the step goes on in its time.
func TestMocksThatTakeTooLong(t *testing.T) {
	passes(t, `
fn get(limit: Duration) {
    let r = try { perform Http.get("https://x.example", timeout: limit).body } catch e { e.code }
    (r, perform Time.now() - Time("2030-01-01T00:00:00Z"))
}
workflow Get {
    state limit: Duration
    step get timeout 20s { get(self.limit) }
}
workflow Build { step make timeout none { perform Exec.run("make") } }
workflow Pay { step pay retry 3 { perform once Http.post("https://x.example", timeout: 1s) } }

test "the call's own limit" {
    mock Http.get(_) after 5s => { body: "late" }
    expect await spawn Get { limit: 4s } == ("timeout", 4s)
    expect calls(Http.get).length == 1
}
test "an answer in the last instant is in time" {
    mock Http.get(_) after 5s => { body: "just" }
    expect await spawn Get { limit: 5s } == ("just", 5s)
}
test "the step's limit comes first" {
    mock Http.get(_) after 1h => { body: "late" }
    let problem = try { await spawn Get { limit: 30s } } catch e { e.message }
    expect String.contains(problem, "step get ran for longer than its timeout of 20s")
    expect perform Time.now() == Time("2030-01-01T00:00:20Z")
}
test "what an answer too late would have thrown" {
    mock Http.get(_) after 5s => throw { code: "http_404", message: "gone" }
    expect (await spawn Get { limit: 4s })[0] == "timeout"
}
test "five minutes where nothing is said" {
    mock Exec.run(_) after 1h => { out: "made" }
    let problem = try { await spawn Build {} } catch e { e }
    expect problem.code == "timeout" && String.contains(problem.message, "within 5m")
    mock Exec.run(_) after 4m => { out: "made" }
    expect (await spawn Build {}).out == "made"
}
test "at most once" {
    mock Http.post(_) after 2s => { status: 201 }
    expect_error "outcome_unknown" { await spawn Pay {} }
    expect calls(Http.post).length == 1
}
`, tests.Options{})
}

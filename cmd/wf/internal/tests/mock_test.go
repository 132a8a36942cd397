package tests_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/tests"
)

// A mock that another one, declared later, has hidden is told as such; so is one
// that may have answered the wrong calls, but only if the test has failed. A mock
// that answers once hides nobody.
func TestHiddenMocks(t *testing.T) {
	notes := func(r tests.Result) string {
		var out []string
		for _, n := range r.Notes {
			out = append(out, fmt.Sprintf("%d: %s", n.Place.Line, n.Message))
		}
		return strings.Join(out, "\n")
	}
	hidden := `test "x" {
    mock World.send("a", ...) => 1
    mock World.send(...) => 2
    expect got("a") == `
	unused := "14: this mock of World.send was never used: the one in line 15, which is declared later, answers its calls"
	require.Equal(t, unused, notes(passes(t, sender+hidden+"2\n}", tests.Options{})["x"]))
	_, r := fails(t, sender+hidden+"1\n}", tests.Options{})
	require.Equal(t, unused, notes(r))

	between := `test "x" {
    mock World.send("a", ...) => 1
    mock World.send("b", ...) => 3
    mock once World.send("a", ...) => 0
    let first = [got("a"), got("a"), got("b")]
    mock World.send(...) => 2
    expect first == [0, 1, 3] && got("a") == `
	require.Empty(t, notes(passes(t, sender+between+"2\n}", tests.Options{})["x"]))
	said, r := fails(t, sender+between+"1\n}", tests.Options{})
	require.Contains(t, said, `got("a") = 2`)
	require.Equal(t, "18: this mock of World.send, which is declared later, has answered all calls since that the one in line 14 is for", notes(r))

	special := `test "x" {
    mock World.send(...) => 1
    mock World.send("b", ...) => 2
    expect [got("b"), got("a"), got("b")] == [2, 1, 1]
}`
	_, r = fails(t, sender+special, tests.Options{})
	require.Empty(t, notes(r))
}

// What a `mock once` has answered already is told where its answer is missed.
func TestNoMockIsLeft(t *testing.T) {
	said, _ := fails(t, sender+`
test "x" {
    mock World.send("b", ...) => 1
    mock once World.send("a", ...) => 2
    expect got("a") == 2
    got("a")
}`, tests.Options{})
	require.Contains(t, said, "5:28:  Sender-2 calls World.send once more than its mocks answer: the `mock once` in line 16 has answered; write\n    mock World.send(...) => ")
}

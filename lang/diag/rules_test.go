package diag_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/lang/diag"
)

// What cannot be read has no meaning, and no more has a name that is unknown.
func TestRulesAreAboutProgramsThatMeanSomething(t *testing.T) {
	rules := 0
	for _, e := range diag.All() {
		if e.Code.Rule() {
			rules++
			require.GreaterOrEqual(t, e.Code, diag.Code("WF23"), "syntax, files, names, state and calls say what a program means")
			require.Less(t, e.Code, diag.Code("WF28"), "the rest are warnings")
		}
	}
	require.Equal(t, 44, rules, "every rule has an entry")
	for _, c := range []diag.Code{"WF1001", "WF2001", "WF2301", "WF2504", "WF2505", "WF2506", "WF2707", "WF2708", "WF2901"} {
		require.False(t, c.Rule(), c)
	}
}

package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/engine"
)

// Only what the asked one has answered makes the same request a new one.
func TestWhatSettlesARequest(t *testing.T) {
	for what, codes := range map[string]struct{ settled, open []string }{
		"perform Http.post": {
			settled: []string{"http_400", "http_404", "http_408", "http_429", "http_500", "http_503"},
			open:    []string{"http_502", "http_504", "unavailable", "timeout", "schema", "too_large", "encoding", "overflow", "too_many_redirects", "http_", "http_x"},
		},
		"perform LLM.ask": {
			settled: []string{"http_400", "http_429", "http_500", "schema"},
			open:    []string{"http_504", "unavailable", "timeout", "budget", "too_large"},
		},
		"perform Exec.run": {
			settled: []string{"exec_1", "exec_75"},
			open:    []string{"exec_signal", "unavailable", "timeout", "too_large", "encoding"},
		},
		"ask account.pay": {
			settled: []string{"bad_request", "conflict", "http_504"},
			open:    []string{"unavailable", "timeout"},
		},
	} {
		for _, code := range codes.settled {
			require.True(t, engine.Settles(what, code), "%s of %s", code, what)
		}
		for _, code := range codes.open {
			require.False(t, engine.Settles(what, code), "%s of %s", code, what)
		}
	}
}

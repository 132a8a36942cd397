package parser

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEBNF compares the printed grammar with the one that the documentation
// shows. WF_UPDATE=1 writes it anew.
func TestEBNF(t *testing.T) {
	const golden = "testdata/ebnf.txt"
	if os.Getenv("WF_UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, []byte(EBNF()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), EBNF())
}

package tell

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandsCanBeGivenAsPrinted(t *testing.T) {
	require.Equal(t, "wf signal order-17 approve", Shell{}.Wf("signal", "order-17", "approve"))
	require.Equal(t, `wf signal a 'it'\''s so' --store '/my stores/a'`, Shell{Store: "/my stores/a"}.Wf("signal", "a", "it's so"))
	require.Equal(t, "''", Word(""))
	require.Equal(t, "'$(x)'", Word("$(x)"))
}

package flow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/flow"
)

func TestBranchesOfAPath(t *testing.T) {
	for path, want := range map[string][]int{"": nil, "/1.1:0": {0}, "/0.2:17": {17}, "/1.1:3/0.1:12": {3, 12}, "~0000": nil, "~00/1": nil} {
		require.Equal(t, want, flow.Branches(path), path)
	}
}

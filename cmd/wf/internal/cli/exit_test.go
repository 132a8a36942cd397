package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/operate"
	"github.com/wf-lang/wf/cmd/wf/internal/tell"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, exitDone},
		{errors.New("any"), exitFailed},
		{said(exitFailed), exitFailed},
		{usage("wrong"), exitUsage},
		{said(exitSource), exitSource},
		{&engine.RefusedError{Code: "conflict"}, exitRefused},
		{fmt.Errorf("show: %w", &engine.RefusedError{Code: "not_found"}), exitRefused},
		{(&app{}).openTrouble("x", &persist.LockedError{Path: "x", PID: 7}), exitStore},
		{fmt.Errorf("commit: %w", persist.ErrFull), exitStore},
		{fmt.Errorf("read: %w", persist.ErrDamaged), exitStore},
		{fmt.Errorf("%w: %w", engine.ErrUnknown, persist.ErrDamaged), exitUnknown},
		{&operate.LostError{PID: 7, Acted: true, Err: io.EOF}, exitUnknown},
		{&operate.LostError{PID: 7, Acted: true, Err: errInterrupted}, exitUnknown},
		{&operate.LostError{PID: 7, Err: io.EOF}, exitStore},
		{(&app{}).openTrouble("x", &operate.VersionError{PID: 7}), exitStore},
		{errInterrupted, exitInterrupted},
		{context.Canceled, exitInterrupted},
		{errors.Join(errInterrupted, nil), exitInterrupted},
	} {
		require.Equal(t, c.code, codeOf(c.err), "%v", c.err)
	}
}

// A trace of Go never reaches the user.
func TestWordsHaveNoTrace(t *testing.T) {
	text := words(errors.New("internal error: index out of range\ngoroutine 7 [running]:\nmain.main()"), tell.Shell{})
	require.Contains(t, text, "index out of range")
	require.Contains(t, text, "report")
	require.NotContains(t, text, "goroutine")
}

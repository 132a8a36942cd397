package call

import (
	"context"
	"io"
	"os/exec"
)

// runGroup runs a command and ends it when ctx is done. Windows has no groups
// that end together without a job object; what the program has started may go
// on.
func runGroup(ctx context.Context, cmd *exec.Cmd, out, errs io.Writer) error {
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = outputWait
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // it may have ended
	defer stop()
	return cmd.Wait()
}

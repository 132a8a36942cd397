//go:build unix

package call

import (
	"context"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// runGroup runs a command in a process group of its own. When ctx is done the
// whole group is asked to end and, a little later, ended. What a program has
// left behind when it ends is ended too: nothing goes on that nobody waits for.
func runGroup(ctx context.Context, cmd *exec.Cmd, out, errs io.Writer) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = outputWait
	if err := cmd.Start(); err != nil {
		return err
	}
	group := -cmd.Process.Pid
	end := func(with syscall.Signal) { _ = syscall.Kill(group, with) } // it may have ended
	var last *time.Timer
	asked := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		end(syscall.SIGTERM)
		last = time.AfterFunc(killGrace, func() { end(syscall.SIGKILL) })
		close(asked)
	})
	err := cmd.Wait()
	if !stop() {
		<-asked
		last.Stop()
	}
	end(syscall.SIGKILL)
	return err
}

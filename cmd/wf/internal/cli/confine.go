package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/persist/bolt"
)

// Reading a damaged file may take any time and memory, whatever care is taken.
// So it is done by a process of its own: this command again, told so by a
// variable of the environment. It ends itself when it uses too much memory, and
// is ended when it takes too long.

const (
	confinedName = "WF_CONFINED"
	confinedMin  = time.Minute // and as long again for each 64 MB of the file
	confinedRate = 64 << 20
	confinedMem  = 1 << 30 // bytes
	lookAtMemory = 20 * time.Millisecond
)

// confined runs f in a process of its own.
func (a *app) confined(cmd *cobra.Command, dir string, f func(context.Context) error) error {
	ctx, stop := a.interruptible(cmd.Context())
	defer stop()
	if a.getenv(confinedName) != "" {
		return guardMemory(ctx, f)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start a process of its own: %w", err)
	}
	limit := confinedMin
	if info, err := os.Stat(filepath.Join(dir, bolt.FileName)); err == nil {
		limit *= time.Duration(1 + info.Size()/confinedRate)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTooLong)
	defer cancel()
	child := exec.CommandContext(ctx, self, a.args...)
	child.Args[0] = os.Args[0]
	child.Env = append(os.Environ(), confinedName+"=1")
	child.Stdout, child.Stderr = a.stdout, a.stderr
	child.Cancel = func() error { return child.Process.Kill() } // it changes nothing that is in use
	err = child.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), errTooLong):
		return storeTrouble("it takes longer than %v, which is more than such a store can need; it was ended, and nothing was changed", limit)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return said(exit.ExitCode())
	case err != nil:
		return storeTrouble("the process that reads the store has ended: %v; nothing was changed", err)
	}
	return nil
}

var errTooLong = errors.New("too long")

// guardMemory runs f and leaves the process if that uses too much memory.
func guardMemory(ctx context.Context, f func(context.Context) error) error {
	done := make(chan struct{})
	var guard sync.WaitGroup
	guard.Go(func() {
		used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(lookAtMemory)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			if metrics.Read(used); used[0].Value.Uint64() > confinedMem {
				fmt.Fprintf(os.Stderr, "wf: more than %d MB of memory are needed to read this store; it was given up, and nothing was changed\n", confinedMem>>20)
				os.Exit(exitStore)
			}
		}
	})
	err := f(ctx)
	close(done)
	guard.Wait()
	return err
}

package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruptible gives a context that ends with errInterrupted on Ctrl-C, or when
// the process is asked to end. A second time leaves at once: whatever was said
// to be done is in the store by then. The function gives the signals back.
func (a *app) interruptible(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	var listener sync.WaitGroup
	listener.Go(func() {
		select {
		case <-signals:
			cancel(errInterrupted)
		case <-done:
			return
		}
		select {
		case <-signals:
			a.sayf("wf: left at once; nothing that was reported is lost")
			os.Exit(exitInterrupted)
		case <-done:
		}
	})
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		listener.Wait()
		cancel(nil)
	}
}

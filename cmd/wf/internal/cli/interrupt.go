package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/wf-lang/wf/interp/engine"
)

// leaveAtOnce ends the process, whatever holds it up: that may be somebody who
// does not read what it writes.
func leaveAtOnce() {
	told := make(chan struct{})
	go func() {
		defer close(told)
		fmt.Fprintln(os.Stderr, "wf: left at once; nothing that was reported is lost")
	}()
	select {
	case <-told:
	case <-time.After(100 * time.Millisecond):
	}
	os.Exit(exitInterrupted)
}

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
			leaveAtOnce()
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

// interruption is errInterrupted if an error comes of that alone: whatever was
// looked up at that moment ends with the error of the context.
func interruption(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), errInterrupted) && !storeFailed(err) {
		return errInterrupted
	}
	return err
}

// onlyInterrupted reports whether an error is an interruption and nothing else:
// then nothing is lost.
func onlyInterrupted(err error) bool { return errors.Is(err, errInterrupted) && !storeFailed(err) }

func storeFailed(err error) bool { return errors.Is(err, engine.ErrUnknown) || isStoreError(err) }

package operate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// lookEvery is the time between two looks at a store that nobody drives.
const lookEvery = 200 * time.Millisecond

// Follow calls f for the events from a number on, and for those that come, until
// f returns false or ctx is done: its cause is the error then. It goes with the
// store: while a process drives it, events come from there as they are
// committed; while nobody does it looks now and then, and does not hold the
// store meanwhile. However often that changes, no event is missed, and none
// comes twice.
func Follow(ctx context.Context, dir, id string, from uint64, f func(*engine.EventRecord) bool) error {
	next, going := max(from, 1), true
	forward := func(it Item) bool {
		if it.Event.Number < next {
			return true
		}
		next = it.Event.Number + 1
		going = f(it.Event)
		return going
	}
	quiet := 0 // looks that were left out because nothing has changed
	for seen := ""; going; {
		now := traces(dir)
		if now != seen || quiet > maxQuiet {
			err := followOnce(ctx, dir, &Request{Op: OpFollow, ID: id, From: next}, forward)
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil && !passes(err, seen == ""):
				return err
			}
			seen, quiet = now, 0
		}
		quiet++
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lookEvery):
		}
	}
	return nil
}

// maxQuiet is how many looks are left out at most: times of files are coarse.
const maxQuiet = 20

// traces is what a process that uses the store changes: the times of its files.
// It spares looking into the store.
func traces(dir string) string {
	text := ""
	for _, name := range []string{bolt.FileName, "lock", socketName} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			text += fmt.Sprint(name, info.ModTime().UnixNano(), info.Size(), " ")
		}
	}
	return text
}

// followOnce follows by the way that there is now, to its end.
func followOnce(ctx context.Context, dir string, r *Request, f func(Item) bool) error {
	w, err := find(ctx, Options{Dir: dir})
	if err != nil {
		return err
	}
	if w.pid() != 0 {
		return errors.Join(w.do(ctx, r, f), w.close())
	}
	look := *r
	look.Op = OpEvents
	return errors.Join(w.do(ctx, &look, f), w.close())
}

// passes reports whether an end of following is one after which it goes on: the
// owner of the store has gone, or another one is about to come.
func passes(err error, first bool) bool {
	var lost *LostError
	return mayRepeat(err) || errors.As(err, &lost) || errors.Is(err, persist.ErrLocked) && !first
}

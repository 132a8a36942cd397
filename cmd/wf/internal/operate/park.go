package operate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// A Doubt is why an instance of a salvaged store must not simply run on.
type Doubt struct {
	Number uint64 // of the instance
	Reason string
}

// Park opens the store in a folder, which nobody else may have open, and pauses
// the instances that are in doubt, each with the first reason given for it. It
// gives the ids of those that it has paused: not those that have ended, that are
// paused already, that are not there, or that cannot be read (nobody can drive
// these).
func Park(ctx context.Context, dir string, doubts []Doubt) (ids []string, err error) {
	s, err := bolt.Open(dir, bolt.Options{MustExist: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	e, err := passive(ctx, s)
	if err != nil {
		return nil, err
	}
	err = e.Drive(ctx, engine.UntilIdle, func(ctx context.Context) (err error) {
		ids, err = parkAll(ctx, s, e, doubts)
		return err
	})
	return ids, errors.Join(err, e.Close())
}

// parking is how many instances are paused at the same time: they share commits.
const parking = 64

func parkAll(ctx context.Context, s persist.Store, e *engine.Engine, doubts []Doubt) (ids []string, err error) {
	var mu sync.Mutex // of ids and err
	var workers sync.WaitGroup
	queue := make(chan Doubt)
	for range parking {
		workers.Go(func() {
			for d := range queue {
				id, failed := park(ctx, s, e, d)
				mu.Lock()
				if id != "" {
					ids = append(ids, id)
				}
				err = errors.Join(err, failed)
				mu.Unlock()
			}
		})
	}
	seen := map[uint64]bool{}
	for _, d := range doubts {
		mu.Lock()
		stop := err != nil
		mu.Unlock()
		if stop {
			break
		}
		if !seen[d.Number] {
			seen[d.Number] = true
			queue <- d
		}
	}
	close(queue)
	workers.Wait()
	return ids, err
}

// park pauses an instance and gives its id, "" if that is not possible.
func park(ctx context.Context, s persist.Store, e *engine.Engine, d Doubt) (string, error) {
	row, err := s.Load(ctx, d.Number)
	if err == nil {
		err = e.Park(ctx, row.ID, d.Reason)
	}
	switch {
	case err == nil:
		return row.ID, nil
	case errors.Is(err, engine.ErrRefused), errors.Is(err, persist.ErrNotFound), errors.Is(err, persist.ErrDamaged):
		return "", nil
	}
	return "", fmt.Errorf("pause instance number %d: %w", d.Number, err)
}

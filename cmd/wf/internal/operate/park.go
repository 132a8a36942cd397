package operate

import (
	"context"
	"errors"
	"fmt"

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
	seen := map[uint64]bool{}
	err = e.Drive(ctx, engine.UntilIdle, func(ctx context.Context) error {
		for _, d := range doubts {
			if seen[d.Number] {
				continue
			}
			seen[d.Number] = true
			row, err := s.Load(ctx, d.Number)
			if err == nil {
				err = e.Park(ctx, row.ID, d.Reason)
			}
			switch {
			case err == nil:
				ids = append(ids, row.ID)
			case errors.Is(err, engine.ErrRefused), errors.Is(err, persist.ErrNotFound), errors.Is(err, persist.ErrDamaged):
			default:
				return fmt.Errorf("pause instance number %d: %w", d.Number, err)
			}
		}
		return nil
	})
	return ids, errors.Join(err, e.Close())
}

package bolt

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/wf-lang/wf/persist"
)

// Commit applies the batches in order in one durable transaction. See
// persist.Store for its errors; besides, ErrReadOnly means that nothing was
// written. A damaged record that is met before the writing starts (it is named)
// fails the commit only; the store takes others.
func (s *Store) Commit(ctx context.Context, batches []persist.Batch) error {
	err := persist.Validate(batches)
	if err == nil {
		err = s.use(ctx, func() error { return s.commit(ctx, batches) })
	}
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (s *Store) commit(ctx context.Context, batches []persist.Batch) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	switch {
	case s.readOnly:
		return ErrReadOnly
	case s.failed != nil:
		return fmt.Errorf("after an earlier error: %w", s.failed)
	case ctx.Err() != nil:
		return ctx.Err() // it may have ended while this waited for its turn
	}
	s.stage.reset(s)
	if err := s.stage.prepare(batches); err != nil {
		return err
	}
	if !s.stage.empty() {
		if err := s.write(); err != nil {
			return err
		}
	}
	s.finish()
	return nil
}

// write makes the staged ops durable.
func (s *Store) write() error {
	finished := false
	err := guard(func() error {
		defer func() { s.stuck = !finished }()
		err := s.db.Update(s.stage.apply)
		finished = true
		return err
	})
	if err == nil {
		s.txid++
		return nil
	}
	if isFull(err) && !s.stuck && s.unmoved() {
		return fmt.Errorf("%w: %w", persist.ErrFull, err)
	}
	s.failed = err
	return err
}

// apply is all that happens inside bbolt's transaction.
func (g *stage) apply(tx *bbolt.Tx) error {
	for k := range g.ops {
		if len(g.ops[k]) == 0 {
			continue
		}
		b := tx.Bucket(buckets[k].name)
		b.FillPercent = buckets[k].fill
		for i := range g.ops[k] {
			o := &g.ops[k][i]
			var err error
			if o.value == nil {
				err = b.Delete(o.key)
			} else {
				err = b.Put(o.key, o.value)
			}
			if err != nil {
				return fmt.Errorf("bucket %s, key %x: %w", kind(k), o.key, err)
			}
		}
	}
	return nil
}

// unmoved tells whether the file still stands at the last good commit.
func (s *Store) unmoved() bool {
	same := false
	err := guard(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			same = uint64(tx.ID()) == s.txid
			return nil
		})
	})
	return err == nil && same
}

// finish takes over what the commit has made of heads and counters.
func (s *Store) finish() {
	g := &s.stage
	for i := range g.instances {
		switch in := &g.instances[i]; {
		case in.number == 0:
		case in.exists:
			s.heads.put(in.number, in.head, in.slot)
		default:
			s.heads.drop(in.number)
		}
	}
	for hash := range g.programs {
		s.hashes[hash] = struct{}{}
	}
	s.tail.LastNumber, s.tail.LastEvent = g.lastNumber, g.lastEvent
}

// isFull tells whether bbolt failed for want of space. It does not wrap all
// errors of the operating system, some it only prints.
func isFull(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, bolterrors.ErrMaxSizeReached) || noSpace(err) {
		return true
	}
	for _, text := range noSpaceTexts() {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// copyBytes is about how much is written to a new file in one transaction.
const copyBytes = 8 << 20

// copyFill is how full the pages of a compacted file are: some room is left for
// changes, which would otherwise split every page that they touch.
const copyFill = 0.9

// Compact writes the store in the folder dir anew, without the room that
// deleted and replaced records have left, and gives the size of its file in
// bytes before and after. Records are copied as they are, damaged ones too.
//
// Nobody else may have the store open (*persist.LockedError). A crash or an
// error leaves the store as it was or, at the very end, compacted; nothing is
// lost at any moment. It needs room for the new file beside the old one
// (persist.ErrFull). Its other errors are those of Open and of ctx.
func Compact(ctx context.Context, dir string) (before, after int64, err error) {
	c, err := startCompaction(dir)
	if err != nil {
		return 0, 0, err
	}
	for _, step := range c.steps() {
		if err = guard(func() error { return step(ctx) }); err != nil {
			break
		}
	}
	if isFull(err) {
		err = fmt.Errorf("%w: %w", persist.ErrFull, err)
	}
	if err = errors.Join(err, c.end()); err != nil {
		return 0, 0, fmt.Errorf("compact store %s: %w", dir, err)
	}
	return c.before, c.after, nil
}

// compaction is a Compact under way.
type compaction struct {
	path          string
	store         *Store
	fresh         *bbolt.DB // nil while there is none that is open
	before, after int64
}

func startCompaction(dir string) (*compaction, error) {
	s, err := Open(dir, Options{MustExist: true})
	if err != nil {
		return nil, err
	}
	return &compaction{path: filepath.Join(dir, FileName), store: s}, nil
}

// steps are what is done one after the other; after each of them a crash
// leaves a whole store.
func (c *compaction) steps() []func(ctx context.Context) error {
	return []func(ctx context.Context) error{c.create, c.fill, c.finish, c.swap}
}

func (c *compaction) create(context.Context) (err error) {
	c.before, err = fileSize(c.path)
	if err == nil {
		c.fresh, err = newFile(c.path + suffixNew)
	}
	return err
}

// fill copies all records. Nobody else uses the store, so one long transaction
// for reading does no harm.
func (c *compaction) fill(ctx context.Context) error {
	return c.store.db.View(func(from *bbolt.Tx) error {
		for k := kindMeta; k < kindCount; k++ {
			if err := copyBucket(ctx, from, c.fresh, k); err != nil {
				return err
			}
		}
		return nil
	})
}

func copyBucket(ctx context.Context, from *bbolt.Tx, to *bbolt.DB, k kind) error {
	source := cursor(from, k)
	key, value := source.First()
	for key != nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := to.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket(buckets[k].name)
			b.FillPercent = max(copyFill, buckets[k].fill)
			for size := 0; key != nil && size < copyBytes; key, value = source.Next() {
				if err := b.Put(key, value); err != nil {
					return err
				}
				size += len(key) + len(value)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *compaction) finish(context.Context) (err error) {
	fresh := c.fresh
	c.fresh = nil
	if err = finishFile(fresh, nil); err == nil {
		c.after, err = fileSize(c.path + suffixNew)
	}
	return err
}

// swap ends the use of the old file, so that it can be replaced everywhere, but
// not the lock.
func (c *compaction) swap(context.Context) error {
	if err := c.store.db.Close(); err != nil {
		return err
	}
	return swapFile(c.path)
}

// end closes what is open.
func (c *compaction) end() (err error) {
	if c.fresh != nil {
		err = errors.Join(c.fresh.Close(), os.Remove(c.fresh.Path()))
	}
	c.store.failed = errors.Join(c.store.failed, err)
	if txid, terr := lastTransaction(c.path); terr == nil {
		c.store.txid = txid // of the file that is there now, for the note in the lock
	}
	return errors.Join(err, c.store.Close())
}

func lastTransaction(path string) (uint64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	var meta fileMeta
	if err == nil {
		meta, _, err = readMeta(f, info.Size())
	}
	return meta.txid, errors.Join(err, f.Close())
}

func fileSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

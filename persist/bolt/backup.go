package bolt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

// Backup writes a copy of the store, as it is at one moment, to w: a file that
// is a store if it is put into a folder of its own under the name FileName. It
// has the same store id. The store may be in use meanwhile.
//
// The copy goes to a file in the store's folder first, at the speed of the disk,
// because bbolt cannot use pages again that a reader may see: the file grows by
// what is written while that lasts, however slow w is. So there has to be room
// for the store once more (persist.ErrFull; nothing else fails because of it).
// The copy's structure is checked before the first byte goes to w
// (persist.ErrDamaged). A store that is open for reading only is sent to w
// without that: nobody writes to it.
//
// After an error, that of w or ctx for instance, what was written is no backup.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	out := &endingWriter{ctx: ctx, w: w}
	err := func() error {
		if s.readOnly {
			return s.copyTo(ctx, out)
		}
		return s.spool(ctx, out)
	}()
	if isFull(err) && out.err == nil {
		err = fmt.Errorf("%w: %w", persist.ErrFull, err)
	}
	if err != nil {
		return fmt.Errorf("backup of store %s: %w", s.dir, err)
	}
	return nil
}

// spool sends a copy by way of a file.
func (s *Store) spool(ctx context.Context, w io.Writer) (err error) {
	f, err := os.CreateTemp(s.dir, FileName+suffixCopy+"*")
	if err != nil {
		return err
	}
	_ = os.Remove(f.Name()) // where that is possible, so that no crash leaves it
	defer func() {
		err = errors.Join(err, f.Close())
		if rerr := os.Remove(f.Name()); !errors.Is(rerr, os.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}()
	if err := s.copyTo(ctx, &endingWriter{ctx: ctx, w: f}); err != nil {
		return err
	}
	if err := checkStructure(f, 0); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.CopyBuffer(w, struct{ io.Reader }{f}, make([]byte, 1<<20))
	return err
}

// copyTo writes the pages of one transaction.
func (s *Store) copyTo(ctx context.Context, w io.Writer) error {
	return s.use(ctx, func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			_, err := tx.WriteTo(w)
			return err
		})
	})
}

// endingWriter ends with its context. It keeps the error that w gave.
type endingWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (e *endingWriter) Write(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := e.w.Write(b)
	e.err = err
	return n, err
}

package operate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wf-lang/wf/interp/engine"
)

// Backup writes a consistent copy of the store to a file, which must not exist
// and is there as a whole or not at all. Nobody is held up by it.
func (o *Operator) Backup(ctx context.Context, path string) error {
	path, err := filepath.Abs(path) // who writes it may be somewhere else
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return o.none(ctx, &Request{Op: OpBackup, Path: path})
}

func (h *host) backup(ctx context.Context, path string) error {
	if !filepath.IsAbs(path) {
		return &engine.RefusedError{Code: "bad_request", Message: "a backup needs an absolute path"}
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return &engine.RefusedError{Code: "conflict", Message: "there is something under the name " + path + " already"}
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part*")
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	err = h.store.Backup(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("backup: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// Package bolt keeps a persist.Store in one bbolt file. It is the only importer
// of bbolt.
//
// The store is a folder with two files: store.db and lock. Each kind of record
// has one flat bucket, keyed by ascending numbers, because that is what bbolt
// is fastest at. Every value carries a checksum over bucket, key and body; the
// entries of a journal are chained, each checksum covering the one before, and
// the row (or a small head record) remembers the last one, so that a lost or
// exchanged record is noticed. bbolt's own pages have no checksums: their form
// is checked when the store is opened, before bbolt sees the file.
//
// Commit does all work before it opens bbolt's transaction: it checks the
// changes against a cache of heads (version, last entry) of recently used
// instances, encodes them and sorts them by bucket and key. Inside, there is
// nothing but puts and deletes in ascending order.
package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/wf-lang/wf/persist"
)

// Options say how a store is opened. The zero value opens it for writing and
// creates it if there is none.
type Options struct {
	// ReadOnly opens an existing store for reading; nothing on disk is created
	// or changed. Any number of readers, or one writer, may have it open.
	ReadOnly bool
	// MustExist gives an error that wraps persist.ErrNotFound, and creates
	// nothing, if there is no store. ReadOnly implies it.
	MustExist bool
	// Timeout is how long to wait for another process to close the store; 0
	// means one second, negative not at all.
	Timeout time.Duration
	// MaxSize is the size in bytes beyond which the file is not grown; commits
	// that need more give persist.ErrFull. 0 means no limit.
	MaxSize int
	// NoSync leaves out the flushes: a crash of the machine may destroy the
	// store. For benchmarks only.
	NoSync bool
}

// ErrReadOnly is what Commit gives if the store was opened with
// Options.ReadOnly; nothing was written.
var ErrReadOnly = errors.New("store is open for reading only")

// FileName is the name of the store's file in its folder.
const FileName = "store.db"

// Store is a persist.Store in a file. Its methods may be called concurrently.
type Store struct {
	dir      string
	db       *bbolt.DB
	lock     *folderLock // nil if reading without a lock file
	readOnly bool

	life   sync.RWMutex // held by everything that uses db; Close takes it alone
	closed bool         // guarded by life

	writing sync.Mutex // one commit at a time; guards all below
	failed  error      // of a commit with unknown outcome; no more are taken
	stuck   bool       // bbolt panicked inside a transaction and cannot be closed
	txid    uint64     // of the last commit
	tail    persist.Tail
	heads   headCache
	hashes  map[string]struct{} // programs known to be there
	stage   stage
}

var _ persist.Store = (*Store)(nil)

// Open opens the store in the folder dir.
//
// Its errors wrap persist.ErrNotFound (see Options), a *persist.LockedError,
// persist.ErrDamaged (the file is not what was written: nothing is changed),
// persist.ErrFormat (a newer program wrote it), or what the operating system
// says.
func Open(dir string, opts Options) (*Store, error) {
	err := rehearse(dir, opts)
	if err == nil {
		var s *Store
		if s, err = open(dir, opts); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("open store %s: %w", dir, err)
}

// rehearse keeps an opening for writing from leaving anything beside a file that
// is no usable store: where there is no lock file yet, the store is first opened
// for reading, which creates nothing.
func rehearse(dir string, opts Options) error {
	lock := filepath.Join(dir, lockName)
	if opts.ReadOnly || present(lock) || !present(filepath.Join(dir, FileName)) {
		return nil
	}
	s, err := open(dir, Options{ReadOnly: true, Timeout: opts.Timeout})
	if err == nil {
		return s.Close()
	}
	if present(lock) {
		return nil // another process has begun to use it, whose work may have looked like damage
	}
	return err
}

// present tells whether there is something of that name.
func present(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, os.ErrNotExist)
}

func open(dir string, opts Options) (s *Store, err error) {
	timeout := opts.Timeout
	if timeout == 0 {
		timeout = time.Second
	}
	if err := findFolder(dir, opts); err != nil {
		return nil, err
	}
	lock, err := takeLock(dir, opts.ReadOnly, timeout)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = lock.release() // the first error says more
		}
	}()
	path := filepath.Join(dir, FileName)
	if err := ensureFile(path, opts); err != nil {
		return nil, err
	}
	if err := checkFile(path, lock.closedAt()); err != nil {
		return nil, err
	}
	s = &Store{dir: dir, lock: lock, readOnly: opts.ReadOnly, hashes: map[string]struct{}{}}
	err = guard(func() error {
		s.db, err = bbolt.Open(path, fileMode, boltOptions(opts, max(timeout, time.Millisecond)))
		if errors.Is(err, bolterrors.ErrTimeout) {
			err = &persist.LockedError{Path: dir}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	err = guard(s.readMeta)
	if err == nil && !opts.ReadOnly {
		err = removeLeftovers(dir)
	}
	if err == nil && !opts.ReadOnly {
		err = lock.note("pid %d", uint64(os.Getpid()))
	}
	if err != nil {
		_ = s.db.Close() // nothing was written
		return nil, err
	}
	return s, nil
}

// Close ends the use of the store after waiting for the calls under way.
// Closing it again does nothing.
func (s *Store) Close() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.stuck {
		return errors.Join(s.failed, s.lock.release())
	}
	txid := s.txid
	err := s.db.Close()
	if err == nil && s.failed == nil && !s.readOnly {
		err = s.lock.note("closed at %d", txid)
	}
	if err = errors.Join(err, s.lock.release()); err != nil {
		return fmt.Errorf("close store %s: %w", s.dir, err)
	}
	return nil
}

// use calls fn while the store is open.
func (s *Store) use(ctx context.Context, fn func() error) error {
	s.life.RLock()
	defer s.life.RUnlock()
	if s.closed {
		return persist.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return guard(fn)
}

package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/wf-lang/wf/persist"
)

// A Report says what Salvage has kept and what not.
type Report struct {
	StoreID string // of the new store
	NewID   bool   // the old store's id was lost, the new store has another one
	Kept    []Kept // by bucket
	Damage  []Damage
	Losses  []Loss
	Omitted int // damages and losses beyond MaxReported of each
	// Unnamed are the instances of losses beyond MaxReported. Some may be named
	// too, or be here more than once.
	Unnamed []uint64
}

// MaxReported is how many damages, and how many losses, a Report names.
const MaxReported = 10_000

// Kept is how many records of a bucket the new store has.
type Kept struct {
	Bucket  string
	Records uint64
}

// Damage is a place in the file where something could not be read.
type Damage struct {
	Page   uint64
	Bucket string // "" if that is not known
	From   []byte // the lowest key that may have been there; nil: the bucket's first
	To     []byte // the key behind the highest; nil: none
	Reason string
}

// Loss is something that is missing in the new store, or in doubt.
type Loss struct {
	Bucket   string
	Instance uint64 // 0: of none, or of the store itself
	ID       string // of the instance, if known
	Reason   string
	// Doubtful: nothing is known to be missing, but what was kept comes from a
	// page that nothing leads to any more, and may not be the last state.
	Doubtful bool
}

func (r *Report) damage(d Damage) {
	if len(r.Damage) == MaxReported {
		r.Omitted++
		return
	}
	r.Damage = append(r.Damage, d)
}

// lose adds a loss, once if it comes several times in a row.
func (r *Report) lose(k kind, instance uint64, id string, doubtful bool, format string, args ...any) {
	l := Loss{Bucket: k.String(), Instance: instance, ID: id, Reason: fmt.Sprintf(format, args...), Doubtful: doubtful}
	if n := len(r.Losses); n > 0 && r.Losses[n-1] == l {
		return
	}
	if len(r.Losses) == MaxReported {
		r.Omitted++
		if n := len(r.Unnamed); instance != 0 && (n == 0 || r.Unnamed[n-1] != instance) {
			r.Unnamed = append(r.Unnamed, instance)
		}
		return
	}
	r.Losses = append(r.Losses, l)
}

// Salvage reads the damaged store in the folder dir and makes a new store of all
// that is clean in it in the folder target, where there must be none. The old
// store is not changed; nobody may have it open for writing meanwhile.
//
// Every record of the new store has been checked, and they agree with each
// other: the new store passes Verify. A journal ends before the first entry that
// is lost; a lost event has left its number, see persist.Event; what belongs to
// an instance whose row is lost is left out. Where the tree of pages is broken,
// records are taken from pages that nothing leads to, and the report calls them
// doubtful: the instance may have been further on.
//
// The reading is bounded: each page is read once or twice, whatever is in it,
// and memory is needed for the places of damage, one bit for each page, a number
// for each instance that lacks something, and a few records.
//
// Its errors wrap persist.ErrNotFound, a *persist.LockedError, persist.ErrFormat,
// persist.ErrFull (no room for the new store), persist.ErrDamaged (there is not
// a single clean record), fs.ErrExist (there is a store in target) or what ctx
// and the operating system say. After an error there is no new store.
func Salvage(ctx context.Context, dir, target string) (Report, error) {
	report := &Report{}
	err := salvageFolders(dir, target, func(f *os.File, closedAt uint64, path string) error {
		return guard(func() error { return salvageFile(ctx, f, closedAt, path, report) })
	})
	if isFull(err) {
		err = fmt.Errorf("%w: %w", persist.ErrFull, err)
	}
	if err != nil {
		return Report{}, fmt.Errorf("salvage store %s to %s: %w", dir, target, err)
	}
	return *report, nil
}

// salvageFolders takes the locks of both folders and calls fn with the old file,
// when it was closed, and the path of the new one.
func salvageFolders(dir, target string, fn func(f *os.File, closedAt uint64, path string) error) (err error) {
	if err := findFolder(dir, Options{ReadOnly: true}); err != nil {
		return err
	}
	lock, err := takeLock(dir, true, time.Second)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	f, err := os.Open(filepath.Join(dir, FileName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	path := filepath.Join(target, FileName)
	if present(path) {
		return fmt.Errorf("there is a store already: %w", os.ErrExist)
	}
	fresh, freshLock := !present(target), !present(filepath.Join(target, lockName))
	if err := findFolder(target, Options{}); err != nil {
		return err
	}
	newLock, err := takeLock(target, false, time.Second)
	if err != nil {
		return err
	}
	if err = fn(f, lock.closedAt(), path); err != nil {
		if freshLock {
			err = errors.Join(err, os.Remove(filepath.Join(target, lockName)))
		}
		err = errors.Join(err, newLock.release())
		if fresh {
			err = errors.Join(err, os.Remove(target))
		}
		return err
	}
	return newLock.release()
}

// salvageFile makes the new file.
func salvageFile(ctx context.Context, f *os.File, closedAt uint64, path string, report *Report) error {
	db, err := newFile(path + suffixNew)
	if err != nil {
		return err
	}
	s := &salvage{ctx: ctx, db: db, report: report}
	err = s.sift(f, closedAt)
	if err == nil {
		err = s.reconcile()
	}
	if err = finishFile(db, err); err != nil {
		return err
	}
	return swapFile(path)
}

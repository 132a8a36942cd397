package bolt

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/wf-lang/wf/persist"
)

const (
	fileMode   = 0o600
	folderMode = 0o700
	pageSize   = 16 << 10 // of new files: 25-40 % faster than 4 KiB in large groups
)

// The keys of the meta bucket.
var (
	metaFormat = []byte("format") // the format's version, 4 bytes
	metaStore  = []byte("store")  // time of creation in Unix nanoseconds, 8 bytes, and the store id
	metaTail   = []byte("tail")   // last instance and last event number, 8 bytes each
)

func boltOptions(opts Options, timeout time.Duration) *bbolt.Options {
	return &bbolt.Options{
		Timeout:        timeout,
		ReadOnly:       opts.ReadOnly,
		NoSync:         opts.NoSync,
		MaxSize:        opts.MaxSize,
		NoFreelistSync: true,
		FreelistType:   bbolt.FreelistMapType,
		PageSize:       pageSize,
		NoStatistics:   true,
	}
}

// The ends of the names of files that are not store.db yet, or only for a time.
const (
	suffixNew  = ".new"
	suffixCopy = ".copy-"
)

// removeLeftovers removes what a crash has left beside the file. The lock is
// held.
func removeLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); name == FileName+suffixNew || strings.HasPrefix(name, FileName+suffixCopy) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, name)))
		}
	}
	return err
}

// newFile makes a file with empty buckets that is not flushed until finishFile.
// It replaces one of that name.
func newFile(temp string) (*bbolt.DB, error) {
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	db, err := bbolt.Open(temp, fileMode, boltOptions(Options{NoSync: true}, time.Second))
	if err != nil {
		return nil, errors.Join(err, os.Remove(temp))
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for k := kindMeta; k < kindCount; k++ {
			if _, err := tx.CreateBucket(buckets[k].name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, finishFile(db, err)
	}
	return db, nil
}

// finishFile closes a file of newFile, cuts off its unused end, makes it durable
// and checks it. If there was or is an error, it removes the file.
func finishFile(db *bbolt.DB, err error) error {
	temp := db.Path()
	if err = errors.Join(err, db.Close()); err == nil {
		err = trimFile(temp)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

func trimFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		var meta fileMeta
		if meta, _, err = readMeta(f, info.Size()); err == nil && meta.pages <= uint64(info.Size())/meta.pageSize {
			err = f.Truncate(int64(meta.pages * meta.pageSize))
		}
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = checkStructure(f, 0)
	}
	return errors.Join(err, f.Close())
}

// swapFile puts the finished new file in the place of path, durably.
func swapFile(path string) error {
	if err := os.Rename(path+suffixNew, path); err != nil {
		return errors.Join(err, os.Remove(path+suffixNew))
	}
	return syncFolder(filepath.Dir(path))
}

// findFolder checks that dir is a folder, and makes it if it may.
func findFolder(dir string, opts Options) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("it is a file, not the folder of a store")
	}
	if !opts.ReadOnly && !opts.MustExist {
		if err == nil {
			return nil
		}
		return makeFolder(dir)
	}
	if err == nil {
		_, err = os.Lstat(filepath.Join(dir, FileName))
	}
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no store: %w", persist.ErrNotFound)
	}
	return err
}

// makeFolder makes dir and what is missing above it, durably: a store must not
// vanish with the name of its folder.
func makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	if _, err := os.Stat(parent); errors.Is(err, os.ErrNotExist) && parent != dir {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, folderMode); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return syncFolder(parent)
}

// ensureFile creates the file if there is none and it may. The lock is held.
func ensureFile(path string, opts Options) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file: %w", FileName, persist.ErrDamaged)
	case err == nil:
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return err
	case opts.ReadOnly || opts.MustExist:
		return fmt.Errorf("there is no store: %w", persist.ErrNotFound)
	}
	// The name appears when the contents are durable, so that a crash leaves a
	// whole store or none.
	db, err := newFile(path + suffixNew)
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return errors.Join(putStoreID(tx, rand.Text(), time.Now()), putMeta(tx, metaTail, make([]byte, 16)))
	})
	if err = finishFile(db, err); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	return swapFile(path)
}

func putStoreID(tx *bbolt.Tx, id string, created time.Time) error {
	body := binary.BigEndian.AppendUint64(nil, uint64(created.UnixNano()))
	return errors.Join(
		putMeta(tx, metaFormat, binary.BigEndian.AppendUint32(nil, formatVersion)),
		putMeta(tx, metaStore, append(body, id...)),
	)
}

func putMeta(tx *bbolt.Tx, key, body []byte) error {
	value := append(make([]byte, headerLen), body...)
	seal(kindMeta, key, value)
	return tx.Bucket(buckets[kindMeta].name).Put(key, value)
}

// checkFile checks the form of the file without bbolt.
func checkFile(path string, closedAt uint64) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := checkStructure(f, closedAt); err != nil {
		return fmt.Errorf("%s: %w", FileName, err)
	}
	return nil
}

// readMeta reads what the store knows of itself.
func (s *Store) readMeta() error {
	return s.db.View(func(tx *bbolt.Tx) error {
		s.txid = uint64(tx.ID())
		for k := kindMeta; k < kindCount; k++ {
			if tx.Bucket(buckets[k].name) == nil {
				return fmt.Errorf("there is no bucket %s: %w", k, persist.ErrDamaged)
			}
		}
		format, err := metaBody(tx, metaFormat, 4)
		if err != nil {
			return err
		}
		if err := checkFormat(format); err != nil {
			return err
		}
		s.tail, err = readTail(tx)
		return err
	})
}

func checkFormat(body []byte) error {
	if v := binary.BigEndian.Uint32(body); v != formatVersion {
		return fmt.Errorf("format %d, this program knows %d: %w", v, formatVersion, persist.ErrFormat)
	}
	return nil
}

// decodeStoreID gives the parts of the store's record of itself.
func decodeStoreID(body []byte) (id string, created time.Time) {
	return string(body[8:]), time.Unix(0, int64(binary.BigEndian.Uint64(body))).UTC()
}

func metaBody(tx *bbolt.Tx, key []byte, size int) ([]byte, error) {
	value := tx.Bucket(buckets[kindMeta].name).Get(key)
	if value == nil {
		return nil, damaged(kindMeta, key, "missing")
	}
	body, err := unseal(kindMeta, key, value)
	if err == nil && len(body) < size {
		err = damaged(kindMeta, key, "malformed")
	}
	return body, err
}

func readTail(tx *bbolt.Tx) (persist.Tail, error) {
	store, err := metaBody(tx, metaStore, 8)
	if err != nil {
		return persist.Tail{}, err
	}
	tail, err := metaBody(tx, metaTail, 16)
	if err != nil {
		return persist.Tail{}, err
	}
	id, created := decodeStoreID(store)
	return persist.Tail{
		StoreID:    id,
		Created:    created,
		LastNumber: binary.BigEndian.Uint64(tail),
		LastEvent:  binary.BigEndian.Uint64(tail[8:]),
	}, nil
}

// guard calls fn and turns a panic into an error: bbolt panics, and reads where
// no memory is, if its file is changed under it.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v: %w", p, persist.ErrDamaged)
		}
	}()
	return fn()
}

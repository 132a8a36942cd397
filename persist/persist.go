// Package persist says what a store of workflow instances keeps and promises.
//
// A store sees bytes, not the language. It keeps, for every instance, one row
// (its present), numbered cells (parts of its present that are kept apart
// because they change alone: signals in the inbox, undo rows, branches of a
// parallel block, large fields) and a journal (its past, append only); and,
// for the whole store, the event log, the timers, the texts of the programs
// and a set of cells of its own (those of instance number 0).
//
// One Batch is one atomic change. Commit applies a group of batches in one
// transaction, in their order: when it returns nil all of them are durable;
// when it returns an error, nobody may assume either.
package persist

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Errors that callers branch on. Stores wrap them with the operation and the
// place.
var (
	// ErrNotFound: no instance, program or record of that name.
	ErrNotFound = errors.New("not found")
	// ErrConflict: an expected version did not match, a created id exists, a
	// number is not the next one, or a change contradicts itself; nothing was
	// written. It is a bug of the engine, never a user's mistake.
	ErrConflict = errors.New("version conflict")
	// ErrLocked: another process has the store open. See LockedError.
	ErrLocked = errors.New("store is in use")
	// ErrDamaged: a file or record is not what was written.
	ErrDamaged = errors.New("store is damaged")
	// ErrFull: no space is left for the commit.
	ErrFull = errors.New("no room is left on the disk")
	// ErrTooLarge: a record is over its limit; nothing was written.
	ErrTooLarge = errors.New("record too large")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("store is closed")
	// ErrFormat: the store was written by a newer program.
	ErrFormat = errors.New("unknown store format")
)

// LockedError tells who holds the store.
type LockedError struct {
	Path string
	PID  int // 0 if unknown
}

func (e *LockedError) Error() string { return "store " + e.Path + " is in use" }
func (e *LockedError) Unwrap() error { return ErrLocked }

// MaxRecord is the largest body of a row, cell, journal entry or event, in
// bytes. The engine's own limits are lower; this one guards the store.
const MaxRecord = 64 << 20

// A Row is the present of one instance. ID, Workflow, Status and Program are
// visible to the store so that it can list; Body is the engine's.
type Row struct {
	Number   uint64 // ascending in order of creation, never 0, never reused
	ID       string // unique name, never changed
	Workflow string
	Status   string
	Program  string // hash of the program version it runs
	Version  uint64 // counts the changes of the row; 1 when created
	Runnable bool   // has to be looked at when a driver starts (something to do now)
	Body     []byte
}

// CellKind tells the kinds of cells apart; the engine defines them.
type CellKind byte

// A Cell is a part of an instance's present that is written alone. A nil Body
// in a Batch deletes it.
type Cell struct {
	Kind CellKind
	Key  string // ordered bytewise within the kind
	Body []byte
}

// An Entry is one record of an instance's journal; Seq counts from 1 without
// gaps.
type Entry struct {
	Seq  uint64
	Body []byte
}

// An Event is one record of the store-wide event log; Number counts from 1 in
// commit order without gaps. One with Instance 0 and an empty Body stands for an
// event that was lost to damage and could not be salvaged.
type Event struct {
	Number   uint64
	Instance uint64 // the row's number
	Body     []byte
}

// A Timer is a durable deadline of an instance. At is in Unix nanoseconds.
// Key is unique within the instance.
type Timer struct {
	At       int64
	Instance uint64
	Key      string
}

// A Program is one version of a script: its hash and an encoding of its files.
type Program struct {
	Hash string
	Body []byte
}

// A Change is what a batch does to one instance.
//
// Expect is the version that the row must have (0: it must not exist); a
// mismatch fails the whole group with ErrConflict and writes nothing. A Change
// without a Row (Row == nil, Delete false) leaves the row as it is and checks
// no version: it only appends and sets cells and timers, but there must be a
// row. If Row is given, its Version must be Expect+1. A created Number must be
// above all numbers used before.
//
// Number 0 is the store itself: it takes cells, timers and events only.
type Change struct {
	Number uint64
	Expect uint64
	Row    *Row
	Delete bool // remove row, name, cells, journal and timers; events stay, and may be added; nothing else may be

	Cells   []Cell
	Journal []Entry // Seq must follow the last one of the instance
	Events  []Event // Number must follow the last one of the store
	Clear   []Timer // by all three fields; clearing one that is not there is no error
	Set     []Timer // after Clear; a timer that is set under the same key is moved
}

// A Batch becomes true as a whole or not at all.
type Batch struct {
	Programs []Program // kept if their hash is unknown
	Changes  []Change
}

// A Filter selects rows; zero fields select everything.
type Filter struct {
	Workflow string
	Status   string
	Runnable bool
	From     uint64 // lowest number
}

// A Store keeps instances. One driver at a time writes; reads may run at any
// time and concurrently, and each sees whole commits only. No iterator holds a
// transaction across a yield: a sequence may therefore see later commits in its
// later part. No slice that a store returns aliases its memory, and none that
// it was given is kept. Bodies that are read are never nil.
//
// persist/storetest holds every implementation to this contract.
type Store interface {
	// Commit applies the batches in order in one durable transaction. After
	// ErrConflict, ErrTooLarge, ErrFull, ErrClosed or an error of ctx nothing
	// was written; ctx is looked at only before the writing starts. After any
	// other error nobody knows, and the store takes no further commit.
	Commit(ctx context.Context, batches []Batch) error

	// Load and Lookup give the row of a number and of an id (ErrNotFound).
	Load(ctx context.Context, number uint64) (Row, error)
	Lookup(ctx context.Context, id string) (Row, error)
	// List gives the rows that pass the filter by ascending number.
	List(ctx context.Context, f Filter) iter.Seq2[Row, error]
	// Cells gives the instance's cells of a kind by ascending key, those with
	// the prefix only.
	Cells(ctx context.Context, number uint64, kind CellKind, prefix string) iter.Seq2[Cell, error]
	// Journal gives the instance's entries from Seq from on.
	Journal(ctx context.Context, number, from uint64) iter.Seq2[Entry, error]
	// Events gives the log from number from on.
	Events(ctx context.Context, from uint64) iter.Seq2[Event, error]
	// Due gives the first timers with At <= now, by At, then instance, then
	// key, at most limit of them. With now = math.MaxInt64 it gives the next
	// ones whenever they are.
	Due(ctx context.Context, now int64, limit int) ([]Timer, error)
	// Program gives the program of a hash (ErrNotFound).
	Program(ctx context.Context, hash string) (Program, error)
	// Programs lists the hashes of all programs in no particular order.
	Programs(ctx context.Context) ([]string, error)
	// Tail gives the counters from which a driver goes on.
	Tail(ctx context.Context) (Tail, error)
	// Close ends the use of the store. It waits for reads under way.
	Close() error
}

// Tail is where the numbering of a store stands.
type Tail struct {
	StoreID    string // random, made with the store
	LastNumber uint64 // highest instance number ever used
	LastEvent  uint64
	Created    time.Time
}

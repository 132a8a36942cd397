package operate

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// Op names what a request asks for.
type Op string

// What can be asked for.
const (
	OpShow    Op = "show"
	OpList    Op = "list"
	OpHistory Op = "history"
	OpEvents  Op = "events"
	OpFollow  Op = "follow"
	OpQuery   Op = "query"
	OpInfo    Op = "info"
	OpVerify  Op = "verify"
	OpBackup  Op = "backup"

	OpCall      Op = "call"
	OpSpawn     Op = "spawn"
	OpSignal    Op = "signal"
	OpCancel    Op = "cancel"
	OpTerminate Op = "terminate"
	OpResume    Op = "resume"
	OpRetry     Op = "retry"
	OpDelete    Op = "delete"
)

// A Request is one thing to be done. Which fields count depends on Op.
type Request struct {
	Op       Op
	ID       string // of an instance
	Name     string // of a query, command or signal
	Workflow string // List, Spawn
	Status   string // List
	Args     values // Spawn: the record of fields; Signal: the payload
	Key      string // idempotency key of Call, Spawn, Signal
	From     uint64 // Events, Follow: first number
	Force    bool   // Delete
	Path     string // Backup: the file to write, absolute
	Program  []File // Spawn
}

// A File is a source text.
type File struct{ Name, Text string }

// acts reports whether the request changes the store.
func (r *Request) acts() bool {
	switch r.Op {
	case OpCall, OpSpawn, OpSignal, OpCancel, OpTerminate, OpResume, OpRetry, OpDelete:
		return true
	}
	return false
}

// admissible refuses texts that are no UTF-8. On the way to another process they
// would become other texts.
func (r *Request) admissible() error {
	texts := []string{r.ID, r.Name, r.Workflow, r.Status, r.Key, r.Path}
	for _, f := range r.Program {
		texts = append(texts, f.Name, f.Text)
	}
	for _, t := range texts {
		if !utf8.ValidString(t) {
			return &engine.RefusedError{Code: "bad_request", Message: fmt.Sprintf("%q is not UTF-8", t)}
		}
	}
	return nil
}

// An Item is one part of an answer; one of its fields is set.
type Item struct {
	Instance *engine.Summary
	Bad      error // with Instance: why it cannot be read
	Record   *engine.Record
	Event    *engine.EventRecord
	Info     *Info
	Problem  *Problem
	Value    value.Value
}

// number orders the items of one answer; 0 if they have no order.
func (it *Item) number() uint64 {
	switch {
	case it.Instance != nil:
		return it.Instance.Number
	case it.Record != nil:
		return it.Record.Seq
	case it.Event != nil:
		return it.Event.Number
	}
	return 0
}

// Info is what a store holds.
type Info struct {
	StoreID   string
	Created   time.Time
	Size      int64 // bytes of the file
	Instances []Count
	LastEvent uint64
	Programs  int // versions
	Owner     int // process that drives the store, 0 if there is none
}

// A Count says how many instances of a workflow have a status.
type Count struct {
	Workflow string
	Status   string
	Count    int
}

// A Problem is a record of the store that is damaged.
type Problem struct {
	Place string // in words
	Text  string
}

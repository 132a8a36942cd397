package engine

import (
	"time"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// RecordKind says what a journal record tells.
type RecordKind byte

// The kinds of journal records. Numbers are on disk: never reuse one.
const (
	RecSpawned   RecordKind = 1  // the instance came into being
	RecAnswer    RecordKind = 2  // an attempt got the answer to a request
	RecWaiting   RecordKind = 3  // an attempt began to wait
	RecCompleted RecordKind = 4  // a step, or a compensation, completed
	RecFailed    RecordKind = 5  // an attempt failed
	RecSignal    RecordKind = 6  // a signal arrived
	RecEnded     RecordKind = 7  // the instance is terminal
	RecResumed   RecordKind = 8  // a pause ended
	RecCancelled RecordKind = 9  // somebody cancelled the instance
	RecParked    RecordKind = 10 // the engine paused the instance
	RecDropped   RecordKind = 11 // an answer came when its attempt was over
	RecCommand   RecordKind = 12 // a command was accepted
	RecTimeout   RecordKind = 13 // the workflow's timeout has passed
	RecTerminate RecordKind = 14 // somebody stopped the instance at once
	RecRetried   RecordKind = 15 // somebody has it tried anew
	RecStarted   RecordKind = 16 // a `perform once` is about to be made
)

// A Record is one entry of an instance's journal. Which fields are set depends
// on Kind; the place of an attempt is Path, Step, Visit, Attempt.
type Record struct {
	Kind    RecordKind
	Seq     uint64
	Time    int64 // Unix nanoseconds
	Path    string
	Step    string
	Visit   uint32
	Attempt uint32

	N       int         // Answer, Waiting: number of the request in the attempt; Ended: signals that are left over, unused
	What    string      // Answer, Waiting: the request in words; Completed: how; Ended: status; Parked: reason
	Hash    uint64      // Answer: of kind, operation and arguments
	Span    source.Span // Answer: of the request
	Value   value.Value // Answer: the answer; Spawned: the fields; Signal: payload; Completed: the step's value; Ended: result; Command: the arguments, a list
	Failure *flow.Failure
	Reply   value.Value // Command
	Next    string      // Command: the step that goto names, or why it pauses
	Name    string      // Spawned: workflow; Signal: name; Completed: the step that goto names, or why it pauses
	Signal  uint64      // Signal, Answer: number of the signal
	Program string      // Spawned
	Parent  string      // Spawned
	Until   int64       // Failed: when the next attempt is due; Waiting: deadline
	Again   bool        // Failed: another attempt follows
	Fields  []NamedValue
	Events  []uint64 // Completed: numbers of its events in the log
	Print   bool     // Answer: Value was printed or, a record { level, text }, logged
	Usage   Usage    // Answer, Dropped: what the call has cost
}

// NamedValue is a state field with its value.
type NamedValue struct {
	Name  string
	Value value.Value
}

func encodeRecord(r *Record) ([]byte, error) {
	e := enc{b: make([]byte, 0, 96)}
	e.byte(rowVersion)
	e.byte(byte(r.Kind))
	e.fix64(uint64(r.Time))
	switch r.Kind {
	case RecAnswer, RecWaiting, RecCompleted, RecFailed, RecDropped, RecStarted:
		e.string(r.Path)
		e.string(r.Step)
		e.uint(uint64(r.Visit))
		e.uint(uint64(r.Attempt))
	}
	switch r.Kind {
	case RecSpawned:
		e.string(r.Name)
		e.string(r.Program)
		e.string(r.Parent)
		e.value(r.Value)
		e.writes(r)
	case RecAnswer, RecDropped:
		e.uint(uint64(r.N))
		e.string(r.What)
		e.fix64(r.Hash)
		e.span(r.Span)
		e.uint(r.Signal)
		e.bool(r.Print)
		e.failure(r.Failure)
		e.value(r.Value)
		if r.Usage != (Usage{}) {
			e.uint(r.Usage.Tokens)
			e.int(int64(r.Usage.Took))
		}
	case RecStarted:
		e.uint(uint64(r.N))
		e.string(r.What)
		e.fix64(r.Hash)
		e.span(r.Span)
	case RecWaiting:
		e.uint(uint64(r.N))
		e.string(r.What)
		e.int(r.Until)
	case RecCommand:
		e.string(r.Step)
		e.string(r.Name)
		e.string(r.What)
		e.value(r.Value)
		e.value(r.Reply)
		e.string(r.Next)
		e.failure(r.Failure)
		e.writes(r)
	case RecCompleted:
		e.string(r.What)
		e.string(r.Name)
		e.value(r.Value)
		e.failure(r.Failure)
		e.writes(r)
	case RecFailed:
		e.failure(r.Failure)
		e.bool(r.Again)
		e.int(r.Until)
	case RecSignal:
		e.uint(r.Signal)
		e.string(r.Name)
		e.value(r.Value)
	case RecEnded:
		e.uint(uint64(r.N))
		e.string(r.What)
		e.value(r.Value)
		e.failure(r.Failure)
	case RecParked:
		e.string(r.What)
	}
	return e.b, e.err
}

// writes is what a body changed and emitted.
func (e *enc) writes(r *Record) {
	e.uint(uint64(len(r.Fields)))
	for _, f := range r.Fields {
		e.string(f.Name)
		e.value(f.Value)
	}
	e.uint(uint64(len(r.Events)))
	for _, n := range r.Events {
		e.uint(n)
	}
}

func (d *dec) writes(r *Record) {
	r.Fields = list(d, func() NamedValue { return NamedValue{d.string(), d.value()} })
	r.Events = list(d, d.uint)
}

func decodeRecord(seq uint64, b []byte) (*Record, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	r := &Record{Seq: seq, Kind: RecordKind(d.byte()), Time: int64(d.fix64())}
	switch r.Kind {
	case RecAnswer, RecWaiting, RecCompleted, RecFailed, RecDropped, RecStarted:
		r.Path, r.Step, r.Visit, r.Attempt = d.string(), d.string(), uint32(d.uint()), uint32(d.uint())
	}
	switch r.Kind {
	case RecSpawned:
		r.Name, r.Program, r.Parent, r.Value = d.string(), d.string(), d.string(), d.value()
		d.writes(r)
	case RecAnswer, RecDropped:
		r.N, r.What, r.Hash, r.Span = int(d.uint()), d.string(), d.fix64(), d.span()
		r.Signal, r.Print, r.Failure, r.Value = d.uint(), d.bool(), d.failure(), d.value()
		if len(d.b) > 0 {
			r.Usage = Usage{Tokens: d.uint(), Took: time.Duration(d.int())}
		}
	case RecWaiting:
		r.N, r.What, r.Until = int(d.uint()), d.string(), d.int()
	case RecCompleted:
		r.What, r.Name, r.Value, r.Failure = d.string(), d.string(), d.value(), d.failure()
		d.writes(r)
	case RecCommand:
		r.Step, r.Name, r.What, r.Value, r.Reply = d.string(), d.string(), d.string(), d.value(), d.value()
		r.Next, r.Failure = d.string(), d.failure()
		d.writes(r)
	case RecStarted:
		r.N, r.What, r.Hash, r.Span = int(d.uint()), d.string(), d.fix64(), d.span()
	case RecFailed:
		r.Failure, r.Again, r.Until = d.failure(), d.bool(), d.int()
	case RecSignal:
		r.Signal, r.Name, r.Value = d.uint(), d.string(), d.value()
	case RecEnded:
		r.N = int(d.uint())
		r.What, r.Value, r.Failure = d.string(), d.value(), d.failure()
	case RecParked:
		r.What = d.string()
	case RecResumed, RecCancelled, RecTimeout, RecTerminate, RecRetried:
	default:
		d.fail("record kind")
	}
	return r, d.done()
}

// An EventRecord is one event of the store-wide log.
type EventRecord struct {
	Number   uint64
	Instance string // id
	Workflow string
	Step     string
	Time     int64
	Name     string
	Names    []string // declared names of the arguments; nil if not declared
	Args     []value.Value
}

func encodeEvent(ev *EventRecord) ([]byte, error) {
	e := enc{b: make([]byte, 0, 64)}
	e.byte(rowVersion)
	e.fix64(uint64(ev.Time))
	e.string(ev.Instance)
	e.string(ev.Workflow)
	e.string(ev.Step)
	e.string(ev.Name)
	e.strings(ev.Names)
	e.values(ev.Args)
	return e.b, e.err
}

func decodeEvent(number uint64, b []byte) (*EventRecord, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	ev := &EventRecord{Number: number, Time: int64(d.fix64()), Instance: d.string(), Workflow: d.string(), Step: d.string(),
		Name: d.string(), Names: d.strings(), Args: d.values()}
	return ev, d.done()
}

// encodeFiles gives the texts of a program for the store.
func encodeFiles(set *source.Set) []byte {
	e := enc{b: []byte{rowVersion}}
	e.uint(uint64(len(set.Files)))
	for _, f := range set.Files {
		e.string(f.Name)
		e.string(f.Text)
	}
	return e.b
}

func decodeFiles(b []byte) (*source.Set, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	set := &source.Set{}
	for range d.count() {
		set.Add(source.NewFile(d.string(), d.string()))
	}
	return set, d.done()
}

// words says how a step ended.
func words(k flow.How) string {
	return [...]string{"fell through", "goto", "pause", "end", "fail"}[k]
}

// namedFields gives the written fields with their names.
func namedFields(w *program.Workflow, fs []flow.Field) []NamedValue {
	out := make([]NamedValue, len(fs))
	for i, f := range fs {
		out[i] = NamedValue{w.Fields[f.Slot].Name, f.Value}
	}
	return out
}

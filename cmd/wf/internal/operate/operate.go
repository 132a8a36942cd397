// Package operate is how a command looks at a store and acts on it, whether or
// not another process has that store open.
//
// An Operator has one way to do everything: a Request goes in, Items come out,
// and an error says how it ended. If nobody holds the store, the Operator opens
// it and carries the request out by itself. If a process drives the store, the
// request goes to the socket that this process serves in the store's folder
// (Serve), and the same code carries it out there. So output, errors and exit
// codes are the same both ways.
//
// The lock of the store decides which way is taken, never the socket: a socket
// file that was left behind means nothing. Whoever loses the other side in the
// middle of a request looks again if it only looked; if it acted, it is told
// that the outcome is unknown (engine.ErrUnknown), unless the request cannot
// have been taken.
package operate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// Options say what an Operator is for.
type Options struct {
	Dir    string
	Act    bool          // it changes something; one request then
	Create bool          // with Act: a store that is not there is made
	Wait   time.Duration // how long to wait for a store in use or a socket that does not answer; 0: patience
}

// patience is how long a store may be in use, and its socket silent, before a
// command gives up.
const patience = 5 * time.Second

// again is the time between two looks at a store that is in use.
const again = 20 * time.Millisecond

// An Operator carries out requests on one store.
type Operator struct {
	opts Options
	way  way
}

// A way is how requests reach the engine.
type way interface {
	// do carries a request out and gives every item to yield until that
	// returns false.
	do(ctx context.Context, r *Request, yield func(Item) bool) error
	now() int64 // the engine's time, roughly
	pid() int   // of the process that drives the store, 0 if it is this one
	close() error
}

// Open finds the way to a store. Its errors are those of bolt.Open; a
// *persist.LockedError says that another process has the store and does not
// answer.
func Open(ctx context.Context, o Options) (*Operator, error) {
	w, err := find(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Operator{opts: o, way: w}, nil
}

// until is the end of waiting that begins now.
func (o *Options) until() time.Time {
	if o.Wait == 0 {
		return time.Now().Add(patience)
	}
	return time.Now().Add(o.Wait)
}

// find tries the store and its owner's socket in turn.
func find(ctx context.Context, o Options) (way, error) {
	deadline := o.until()
	for {
		s, err := bolt.Open(o.Dir, bolt.Options{ReadOnly: !o.Act, MustExist: !o.Create, Timeout: -1})
		if err == nil {
			return newLocal(ctx, s, o)
		}
		if !errors.Is(err, persist.ErrLocked) {
			return nil, err
		}
		w, silent := newRemote(ctx, o.Dir, deadline)
		if silent == nil {
			return w, nil
		}
		var version *VersionError
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.As(silent, &version):
			return nil, silent
		case !time.Now().Before(deadline):
			return nil, err
		}
		time.Sleep(again)
	}
}

// Now is the engine's time in Unix nanoseconds, as of the last request.
func (o *Operator) Now() int64 { return o.way.now() }

// Owner is the process that drives the store, 0 if there is none.
func (o *Operator) Owner() int { return o.way.pid() }

// Close ends the use of the store.
func (o *Operator) Close() error { return o.way.close() }

// do carries a request out. One that was not taken because its owner was just
// leaving, or that only looks and lost its owner, is carried out anew, and goes
// on behind the last item that was given.
func (o *Operator) do(ctx context.Context, r *Request, yield func(Item) bool) error {
	if err := r.admissible(); err != nil {
		return err
	}
	last := uint64(0)
	forward := func(it Item) bool {
		if n := it.number(); n != 0 {
			if n <= last {
				return true
			}
			last = n
		}
		return yield(it)
	}
	var deadline time.Time // of repeating; it begins with the first loss
	for {
		err := o.way.do(ctx, r, forward)
		if err == nil || !mayRepeat(err) || ctx.Err() != nil || !deadline.IsZero() && time.Now().After(deadline) {
			return err
		}
		if deadline.IsZero() {
			deadline = o.opts.until()
		}
		if closing := o.way.close(); closing != nil {
			return errors.Join(err, closing)
		}
		w, finding := find(ctx, o.opts)
		if finding != nil {
			o.way = nowhere{}
			return finding
		}
		o.way = w
	}
}

// nowhere is the way to a store that was lost.
type nowhere struct{}

func (nowhere) do(context.Context, *Request, func(Item) bool) error { return persist.ErrClosed }
func (nowhere) now() int64                                          { return time.Now().UnixNano() }
func (nowhere) pid() int                                            { return 0 }
func (nowhere) close() error                                        { return nil }

// A Filter selects instances; zero fields select everything.
type Filter struct{ Workflow, Status string }

// Show gives an instance as its last durable transition left it.
func (o *Operator) Show(ctx context.Context, id string) (engine.Summary, error) {
	it, err := o.one(ctx, &Request{Op: OpShow, ID: id})
	if err != nil {
		return engine.Summary{}, err
	}
	return *it.Instance, nil
}

// List calls f for every instance that passes the filter, by age, until it
// returns false. One that cannot be read comes with its error.
func (o *Operator) List(ctx context.Context, filter Filter, f func(engine.Summary, error) bool) error {
	return o.do(ctx, &Request{Op: OpList, Workflow: filter.Workflow, Status: filter.Status}, func(it Item) bool {
		return f(*it.Instance, it.Bad)
	})
}

// History calls f for every journal record of an instance, in order.
func (o *Operator) History(ctx context.Context, id string, f func(*engine.Record) bool) error {
	return o.do(ctx, &Request{Op: OpHistory, ID: id}, func(it Item) bool { return f(it.Record) })
}

// Events calls f for the events of the log from a number on, those of one
// instance only unless id is "".
func (o *Operator) Events(ctx context.Context, id string, from uint64, f func(*engine.EventRecord) bool) error {
	return o.do(ctx, &Request{Op: OpEvents, ID: id, From: from}, func(it Item) bool { return f(it.Event) })
}

// Query asks an instance; nothing is changed.
func (o *Operator) Query(ctx context.Context, id, name string, args []value.Value) (value.Value, error) {
	it, err := o.one(ctx, &Request{Op: OpQuery, ID: id, Name: name, Args: args})
	return it.Value, err
}

// Call runs a command and gives its reply when the change is durable.
func (o *Operator) Call(ctx context.Context, id, name string, args []value.Value, key string) (value.Value, error) {
	it, err := o.one(ctx, &Request{Op: OpCall, ID: id, Name: name, Args: args, Key: key})
	return it.Value, err
}

// Spawn makes an instance of a program's workflow. The fields are a record.
func (o *Operator) Spawn(ctx context.Context, prog *program.Program, workflow, id string, fields value.Value, key string) (engine.Summary, error) {
	r := &Request{Op: OpSpawn, ID: id, Workflow: workflow, Args: []value.Value{fields}, Key: key}
	for _, f := range prog.Files.Files {
		r.Program = append(r.Program, File{f.Name, f.Text})
	}
	it, err := o.one(ctx, r)
	if err != nil {
		return engine.Summary{}, err
	}
	return *it.Instance, nil
}

// Signal delivers a signal.
func (o *Operator) Signal(ctx context.Context, id, name string, payload value.Value, key string) error {
	return o.none(ctx, &Request{Op: OpSignal, ID: id, Name: name, Args: []value.Value{payload}, Key: key})
}

// Cancel lets an instance undo what it has done and end.
func (o *Operator) Cancel(ctx context.Context, id string) error {
	return o.none(ctx, &Request{Op: OpCancel, ID: id})
}

// Terminate stops an instance at once; nothing is undone.
func (o *Operator) Terminate(ctx context.Context, id string) error {
	return o.none(ctx, &Request{Op: OpTerminate, ID: id})
}

// Resume ends the pause of an instance.
func (o *Operator) Resume(ctx context.Context, id string) error {
	return o.none(ctx, &Request{Op: OpResume, ID: id})
}

// Retry runs failed compensations again, or gives what was parked a new attempt.
func (o *Operator) Retry(ctx context.Context, id string) error {
	return o.none(ctx, &Request{Op: OpRetry, ID: id})
}

// Delete removes an instance; one that has not ended only by force.
func (o *Operator) Delete(ctx context.Context, id string, force bool) error {
	return o.none(ctx, &Request{Op: OpDelete, ID: id, Force: force})
}

// Info tells what a store holds.
func (o *Operator) Info(ctx context.Context) (Info, error) {
	it, err := o.one(ctx, &Request{Op: OpInfo})
	if err != nil {
		return Info{}, err
	}
	it.Info.Owner = o.way.pid()
	return *it.Info, nil
}

// Verify reads the whole store and calls f for everything that is damaged.
func (o *Operator) Verify(ctx context.Context, f func(Problem) bool) error {
	return o.do(ctx, &Request{Op: OpVerify}, func(it Item) bool { return f(*it.Problem) })
}

func (o *Operator) none(ctx context.Context, r *Request) error {
	return o.do(ctx, r, func(Item) bool { return true })
}

// one carries out a request that has exactly one item.
func (o *Operator) one(ctx context.Context, r *Request) (Item, error) {
	var out []Item
	err := o.do(ctx, r, func(it Item) bool {
		out = append(out, it)
		return true
	})
	switch {
	case err != nil:
		return Item{}, err
	case len(out) != 1:
		return Item{}, fmt.Errorf("internal error: %s gave %d answers", r.Op, len(out))
	}
	return out[0], nil
}

package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
	"github.com/wf-lang/wf/stdlib"
)

// A host carries requests out over an engine. For those that act, the engine's
// loop must be running.
type host struct {
	engine *engine.Engine
	store  *bolt.Store
	dir    string // of the store
	news   *News  // of events; nil: nobody can follow
}

func (h *host) do(ctx context.Context, r *Request, yield func(Item) bool) error {
	if r.acts() {
		return h.act(ctx, r, yield)
	}
	e := h.engine
	switch r.Op {
	case OpShow:
		s, err := e.Show(ctx, r.ID)
		return give(yield, Item{Instance: &s}, err)
	case OpList:
		return e.List(ctx, persist.Filter{Workflow: r.Workflow, Status: r.Status}, func(s engine.Summary, bad error) bool {
			return yield(Item{Instance: &s, Bad: bad})
		})
	case OpHistory:
		return e.History(ctx, r.ID, func(rec *engine.Record) bool { return yield(Item{Record: rec}) })
	case OpEvents:
		return e.Events(ctx, r.ID, max(r.From, 1), func(ev *engine.EventRecord) bool { return yield(Item{Event: ev}) })
	case OpFollow:
		return h.follow(ctx, r, yield)
	case OpQuery:
		v, err := e.Query(ctx, r.ID, r.Name, r.Args)
		return give(yield, Item{Value: v}, err)
	case OpInfo:
		info, err := h.info(ctx)
		return give(yield, Item{Info: &info}, err)
	case OpVerify:
		for p, err := range h.store.Verify(ctx) {
			if err != nil {
				return err
			}
			if !yield(Item{Problem: &Problem{Place: strings.TrimSpace(fmt.Sprintf("%s %x", p.Bucket, p.Key)), Text: p.Err.Error()}}) {
				return nil
			}
		}
		return nil
	case OpBackup:
		return h.backup(ctx, r.Path)
	}
	return fmt.Errorf("there is no request %q", r.Op)
}

func (h *host) act(ctx context.Context, r *Request, yield func(Item) bool) error {
	e := h.engine
	switch r.Op {
	case OpCall:
		target, err := e.Handle(ctx, r.ID)
		if err != nil {
			return err
		}
		v, err := e.Call(ctx, target, r.Name, r.Args, r.Key, nil)
		return give(yield, Item{Value: v}, err)
	case OpSpawn:
		s, err := h.spawn(ctx, r)
		return give(yield, Item{Instance: &s}, err)
	case OpSignal:
		payload := value.Nil
		if len(r.Args) > 0 {
			payload = r.Args[0]
		}
		return e.Signal(ctx, r.ID, r.Name, payload, r.Key)
	case OpCancel:
		return e.Cancel(ctx, r.ID)
	case OpTerminate:
		return e.Terminate(ctx, r.ID)
	case OpResume:
		return e.Resume(ctx, r.ID)
	case OpRetry:
		return e.Retry(ctx, r.ID)
	}
	return e.Delete(ctx, r.ID, r.Force)
}

func give(yield func(Item) bool, it Item, err error) error {
	if err == nil {
		yield(it)
	}
	return err
}

// spawn compiles the program anew: what came over a socket is not trusted to be
// one that passes the checks.
func (h *host) spawn(ctx context.Context, r *Request) (engine.Summary, error) {
	set := &source.Set{}
	for _, f := range r.Program {
		set.Add(source.NewFile(f.Name, f.Text))
	}
	prog, _ := engine.Compile(set, stdlib.Table())
	if prog == nil {
		return engine.Summary{}, &engine.RefusedError{Code: "bad_request", Message: "the program does not pass the checks of the process that drives the store"}
	}
	fields, ok := value.NewRecord(nil, nil).AsRecord()
	if len(r.Args) > 0 {
		fields, ok = r.Args[0].AsRecord()
	}
	if !ok {
		return engine.Summary{}, &engine.RefusedError{Code: "bad_request", Message: "the fields of an instance are a record"}
	}
	return h.engine.Spawn(ctx, prog, r.Workflow, r.ID, fields, r.Key)
}

// follow gives the events from a number on, and those that come, until ctx is
// done.
func (h *host) follow(ctx context.Context, r *Request, yield func(Item) bool) error {
	if h.news == nil {
		return errors.New("internal error: nobody drives this store")
	}
	next, going := max(r.From, 1), true
	for going {
		come := h.news.Next() // before reading: what comes meanwhile is not missed
		err := h.engine.Events(ctx, r.ID, next, func(ev *engine.EventRecord) bool {
			next = ev.Number + 1
			going = yield(Item{Event: ev})
			return going
		})
		if err != nil {
			return err
		}
		select {
		case <-come:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (h *host) info(ctx context.Context) (Info, error) {
	tail, err := h.store.Tail(ctx)
	if err != nil {
		return Info{}, err
	}
	programs, err := h.store.Programs(ctx)
	if err != nil {
		return Info{}, err
	}
	out := Info{StoreID: tail.StoreID, Created: tail.Created, LastEvent: tail.LastEvent, Programs: len(programs)}
	if info, err := os.Stat(filepath.Join(h.dir, bolt.FileName)); err == nil {
		out.Size = info.Size()
	}
	counts := map[Count]int{}
	for r, err := range h.store.List(ctx, persist.Filter{}) {
		if err != nil {
			return Info{}, err
		}
		counts[Count{Workflow: r.Workflow, Status: r.Status}]++
	}
	for c, n := range counts {
		c.Count = n
		out.Instances = append(out.Instances, c)
	}
	slices.SortFunc(out.Instances, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Workflow, b.Workflow), cmp.Compare(a.Status, b.Status))
	})
	return out, nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/wf-lang/wf/interp/flow"
	"github.com/wf-lang/wf/lang/value"
	"github.com/wf-lang/wf/persist"
)

// A Summary is an instance for listings and messages.
type Summary struct {
	Number    uint64
	ID        string
	Workflow  string
	Status    string
	Ending    string
	Step      string
	StepIndex int
	Steps     int // items of the body
	Attempt   int // of the current step
	Waiting   []Waiting
	Failure   *flow.Failure
	Finally   *flow.Failure // of its `finally`, nil unless that failed for good
	Undo      flow.Compensation
	Fields    []NamedValue
	Result    value.Value
	Created   int64
	Updated   int64
	Program   string
	Parent    string
	Origin    uint64
	Signals   int // in the inbox
	Parked    bool
}

func (in *instance) summary() Summary {
	s := &in.state
	failure := s.Cause
	if failure == nil {
		failure = s.Failure
	}
	sum := Summary{Number: in.number, ID: in.id, Workflow: in.workflow, Status: in.status(), Ending: s.Ending.String(), Step: in.currentStep(),
		StepIndex: flow.StepIndex(s), Steps: len(in.wf.Items), Attempt: int(s.Root.Attempt), Waiting: in.waits(), Failure: failure, Undo: s.Compensation,
		Result: s.Result, Created: in.created, Updated: in.updated, Program: in.program, Parent: in.parent, Origin: in.origin,
		Signals: len(in.inbox), Parked: s.Pause.IsParked()}
	if t, ok := in.tracks[flow.FinalPath]; ok {
		sum.Finally = t.Failure
	}
	for i, v := range s.Fields {
		if !v.IsNil() {
			sum.Fields = append(sum.Fields, NamedValue{in.wf.Fields[i].Name, v})
		}
	}
	return sum
}

// Show gives an instance as its last durable transition left it.
func (e *Engine) Show(ctx context.Context, id string) (Summary, error) {
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return Summary{}, noInstance(id)
	}
	if err != nil {
		return Summary{}, err
	}
	in, err := e.read(ctx, r)
	if err != nil {
		return Summary{}, err
	}
	return in.summary(), nil
}

// List calls f for every instance that passes the filter, by age, until it
// returns false. An instance that cannot be read is given with its error.
func (e *Engine) List(ctx context.Context, filter persist.Filter, f func(Summary, error) bool) error {
	for r, err := range e.store.List(ctx, filter) {
		if err != nil {
			return err
		}
		in, err := e.read(ctx, r)
		if ctx.Err() != nil {
			return ctx.Err() // that says nothing about the instance
		}
		if err != nil {
			if !f(Summary{Number: r.Number, ID: r.ID, Workflow: r.Workflow, Status: r.Status, Program: r.Program}, err) {
				return nil
			}
			continue
		}
		if !f(in.summary(), nil) {
			return nil
		}
	}
	return nil
}

// History calls f for every journal record of an instance, in order.
func (e *Engine) History(ctx context.Context, id string, f func(*Record) bool) error {
	r, err := e.store.Lookup(ctx, id)
	if errors.Is(err, persist.ErrNotFound) {
		return noInstance(id)
	}
	if err != nil {
		return err
	}
	for entry, err := range e.store.Journal(ctx, r.Number, 1) {
		if err != nil {
			return err
		}
		rec, err := decodeRecord(entry.Seq, entry.Body)
		if err != nil {
			return fmt.Errorf("journal of %q, record %d: %w", id, entry.Seq, err)
		}
		if !f(rec) {
			return nil
		}
	}
	return nil
}

// Events calls f for the events of the log from number from on, in order; only
// those of one instance unless id is "".
func (e *Engine) Events(ctx context.Context, id string, from uint64, f func(*EventRecord) bool) error {
	number := uint64(math.MaxUint64)
	if id != "" {
		r, err := e.store.Lookup(ctx, id)
		if errors.Is(err, persist.ErrNotFound) {
			return noInstance(id)
		}
		if err != nil {
			return err
		}
		number = r.Number
	}
	for ev, err := range e.store.Events(ctx, from) {
		if err != nil {
			return err
		}
		if id != "" && ev.Instance != number || ev.Instance == 0 {
			continue // of another instance, or lost and only its number salvaged
		}
		rec, err := decodeEvent(ev.Number, ev.Body)
		if err != nil {
			return fmt.Errorf("event %d: %w", ev.Number, err)
		}
		if !f(rec) {
			return nil
		}
	}
	return nil
}

package engine

import (
	"encoding"

	"github.com/wf-lang/wf/interp/flow"
)

// This file lets what an engine tells travel to another process, in the engine's
// own exact encoding. Values keep their kind, scale and order of fields.

var (
	_ encoding.BinaryMarshaler   = (*Summary)(nil)
	_ encoding.BinaryUnmarshaler = (*Summary)(nil)
	_ encoding.BinaryMarshaler   = (*Record)(nil)
	_ encoding.BinaryUnmarshaler = (*Record)(nil)
	_ encoding.BinaryMarshaler   = (*EventRecord)(nil)
	_ encoding.BinaryUnmarshaler = (*EventRecord)(nil)
)

// MarshalBinary gives the summary as bytes.
func (s *Summary) MarshalBinary() ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.uint(s.Number)
	for _, text := range []string{s.ID, s.Workflow, s.Status, s.Ending, s.Step, s.Program, s.Parent} {
		e.string(text)
	}
	for _, n := range []int{s.StepIndex, s.Steps, s.Attempt, s.Signals} {
		e.int(int64(n))
	}
	e.uint(uint64(len(s.Waiting)))
	for _, w := range s.Waiting {
		e.byte(byte(w.Kind))
		e.string(w.Step)
		e.string(w.For)
		e.int(w.Until)
		e.strings(w.Signals)
		e.string(w.Payload)
	}
	e.failure(s.Failure)
	e.compensation(s.Undo)
	e.uint(uint64(len(s.Fields)))
	for _, f := range s.Fields {
		e.string(f.Name)
		e.value(f.Value)
	}
	e.value(s.Result)
	e.int(s.Created)
	e.int(s.Updated)
	e.uint(s.Origin)
	e.bool(s.Parked)
	return e.b, e.err
}

// UnmarshalBinary reads what MarshalBinary gave; anything else is an error.
func (s *Summary) UnmarshalBinary(b []byte) error {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	*s = Summary{Number: d.uint()}
	for _, text := range []*string{&s.ID, &s.Workflow, &s.Status, &s.Ending, &s.Step, &s.Program, &s.Parent} {
		*text = d.string()
	}
	for _, n := range []*int{&s.StepIndex, &s.Steps, &s.Attempt, &s.Signals} {
		*n = int(d.int())
	}
	s.Waiting = list(&d, func() Waiting {
		return Waiting{Kind: WaitingKind(d.byte()), Step: d.string(), For: d.string(), Until: d.int(), Signals: d.strings(), Payload: d.string()}
	})
	s.Failure = d.failure()
	s.Undo = d.compensation()
	s.Fields = list(&d, func() NamedValue { return NamedValue{d.string(), d.value()} })
	s.Result, s.Created, s.Updated, s.Origin, s.Parked = d.value(), d.int(), d.int(), d.uint(), d.bool()
	return d.done()
}

func (e *enc) compensation(c flow.Compensation) {
	e.byte(byte(c.Status))
	e.uint(uint64(len(c.Failed)))
	for _, f := range c.Failed {
		e.string(f.Step)
		e.string(f.Code)
		e.string(f.Message)
	}
}

func (d *dec) compensation() flow.Compensation {
	c := flow.Compensation{Status: flow.CompensationStatus(d.byte())}
	if c.Status > flow.CompensationFailed {
		d.fail("compensation")
		c.Status = flow.CompensationNone
	}
	c.Failed = list(d, func() flow.UndoFailure {
		return flow.UndoFailure{Step: d.string(), Code: d.string(), Message: d.string()}
	})
	return c
}

// MarshalBinary gives the record as bytes, with its number.
func (r *Record) MarshalBinary() ([]byte, error) {
	body, err := encodeRecord(r)
	e := enc{}
	e.uint(r.Seq)
	return append(e.b, body...), err
}

// UnmarshalBinary reads what MarshalBinary gave; anything else is an error.
func (r *Record) UnmarshalBinary(b []byte) error {
	d := dec{b: b}
	seq := d.uint()
	if d.err != nil {
		return d.err
	}
	read, err := decodeRecord(seq, d.b)
	if err == nil {
		*r = *read
	}
	return err
}

// MarshalBinary gives the event as bytes, with its number.
func (ev *EventRecord) MarshalBinary() ([]byte, error) {
	body, err := encodeEvent(ev)
	e := enc{}
	e.uint(ev.Number)
	return append(e.b, body...), err
}

// UnmarshalBinary reads what MarshalBinary gave; anything else is an error.
func (ev *EventRecord) UnmarshalBinary(b []byte) error {
	d := dec{b: b}
	number := d.uint()
	if d.err != nil {
		return d.err
	}
	read, err := decodeEvent(number, d.b)
	if err == nil {
		*ev = *read
	}
	return err
}

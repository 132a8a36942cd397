package engine

import (
	"github.com/wf-lang/wf/interp/flow"
)

func (e *enc) failure(f *flow.Failure) {
	e.bool(f != nil)
	if f == nil {
		return
	}
	e.string(f.Code)
	e.string(f.Message)
	e.string(f.Step)
	e.int(f.Index)
	e.string(f.Place)
	e.value(f.Detail)
	e.value(f.Input)
	e.span(f.Span)
	e.bool(f.Decided)
}

func (d *dec) failure() *flow.Failure {
	if !d.bool() {
		return nil
	}
	return &flow.Failure{Code: d.string(), Message: d.string(), Step: d.string(), Index: d.int(), Place: d.string(),
		Detail: d.value(), Input: d.value(), Span: d.span(), Decided: d.bool()}
}

func (e *enc) places(ps []flow.Place) {
	e.uint(uint64(len(ps)))
	for _, p := range ps {
		e.uint(uint64(p.Item))
		e.uint(uint64(p.Visit))
		e.uint(uint64(p.Branch))
	}
}

func (d *dec) places() []flow.Place {
	return list(d, func() flow.Place {
		return flow.Place{Item: int(d.uint()), Visit: uint32(d.uint()), Branch: int(d.uint())}
	})
}

func (e *enc) slots(fs []flow.Field) {
	e.uint(uint64(len(fs)))
	for _, f := range fs {
		e.uint(uint64(f.Slot))
		e.value(f.Value)
	}
}

func (d *dec) slots() []flow.Field {
	return list(d, func() flow.Field { return flow.Field{Slot: int(d.uint()), Value: d.value()} })
}

func (e *enc) track(t *flow.Track) {
	e.string(t.Path)
	e.places(t.Where)
	e.string(t.Undoing)
	e.string(t.Unit)
	e.bool(t.Final)
	e.byte(byte(t.Phase))
	e.uint(uint64(t.Item))
	e.uint(uint64(len(t.Visits)))
	for _, v := range t.Visits {
		e.uint(uint64(v))
	}
	e.uint(uint64(t.Attempt))
	e.value(t.Input)
	e.value(t.Value)
	e.uint(uint64(t.Started))
	e.string(t.Order)
	e.uint(t.From)
	e.slots(t.Own)
	e.slots(t.Shadow)
	e.bool(t.Wait != nil)
	if w := t.Wait; w != nil {
		e.uint(uint64(w.N))
		e.fix64(w.Hash)
		e.span(w.Span)
		e.bool(w.Select)
		e.byte(byte(w.Kind))
		e.strings(w.Signals)
		e.uint(uint64(len(w.Deadlines)))
		for _, at := range w.Deadlines {
			e.int(at)
		}
		e.string(w.Instance)
	}
	e.uint(uint64(len(t.Taken)))
	for _, n := range t.Taken {
		e.uint(n)
	}
	e.int(t.Retry)
	e.int(t.Used)
	e.failure(t.Failure)
	e.bool(t.Phase == flow.InBlock)
	if t.Phase == flow.InBlock {
		e.block(t)
	}
}

// block writes what a track knows of the block that it is in.
func (e *enc) block(t *flow.Track) {
	for _, n := range []int{t.Total, t.Begun, t.Open, t.Need, t.Max, t.Lost} {
		e.int(int64(n))
	}
	e.bool(t.Over)
	for _, l := range [][]int{t.Won, t.Queue} {
		e.uint(uint64(len(l)))
		for _, n := range l {
			e.uint(uint64(n))
		}
	}
}

func (d *dec) block(t *flow.Track) {
	for _, n := range []*int{&t.Total, &t.Begun, &t.Open, &t.Need, &t.Max, &t.Lost} {
		*n = int(d.int())
	}
	t.Over = d.bool()
	for _, l := range []*[]int{&t.Won, &t.Queue} {
		*l = list(d, func() int { return int(d.uint()) })
	}
}

func (d *dec) track() flow.Track {
	t := flow.Track{Path: d.string(), Where: d.places(), Undoing: d.string(), Unit: d.string(), Final: d.bool(), Phase: flow.Phase(d.byte()), Item: int(d.uint())}
	t.Visits = list(d, func() uint32 { return uint32(d.uint()) })
	t.Attempt = uint32(d.uint())
	t.Input, t.Value = d.value(), d.value()
	t.Started, t.Order, t.From = uint32(d.uint()), d.string(), d.uint()
	t.Own, t.Shadow = d.slots(), d.slots()
	if d.bool() {
		t.Wait = &flow.Wait{N: int(d.uint()), Hash: d.fix64(), Span: d.span(), Select: d.bool(), Kind: flow.WaitKind(d.byte()), Signals: d.strings(),
			Deadlines: list(d, d.int), Instance: d.string()}
	}
	t.Taken = list(d, d.uint)
	t.Retry, t.Used, t.Failure = d.int(), d.int(), d.failure()
	if d.bool() {
		d.block(&t)
	}
	return t
}

func encodeTrack(t *flow.Track) ([]byte, error) {
	e := enc{b: []byte{rowVersion}}
	e.track(t)
	return e.b, e.err
}

func decodeTrack(b []byte) (*flow.Track, error) {
	d := dec{b: b}
	if d.byte() != rowVersion {
		d.fail("version")
	}
	t := d.track()
	return &t, d.done()
}

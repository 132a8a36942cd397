package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// Defaults of Limits, and the bounds that nobody can change.
const (
	defaultFuel   = 10_000_000
	defaultDepth  = 1_000
	defaultMemory = 64 << 20
	maxValue      = 16 << 20 // bytes of one value
	maxNest       = 50_000   // nested evaluations: a bound on the Go stack, whatever the program looks like
	tickEvery     = 256
	bytesPerFuel  = 256
)

// status says how an evaluation went. All but ok unwind; the value beside a
// status is the result (ok), what is returned (returned), and nothing else.
type status uint8

const (
	ok        status = iota
	broke            // to the innermost loop
	continued        // to the innermost loop
	returned         // to the innermost function
	ended            // out of the body: machine.ending says how
	failed           // machine.err says why
)

// A machine runs one Call. Its methods eval and those it calls take the frame
// of the running function and the nesting of evaluations so far.
type machine struct {
	host Host
	call Call
	self *Self

	left  int   // evaluations until the next look at fuel and Tick
	fuel  int64 // after those
	depth int   // calls within calls

	stack  stack
	memory meter
	grow   growth
	owned  any                                  // see owns
	shapes map[*program.RecordExpr]*value.Shape // of literals, nil for those without one
	buf    []byte                               // texts under construction, the inner after the outer

	fields []value.Value // the state as the body sees it
	dirty  []int32       // by slot: 1 + the field's place in out.Writes; nil before the first
	out    Outcome

	err     error // of status failed
	limit   error // a used-up limit or Tick's error: stays once set
	ending  Ending
	running running         // the builtin that is being computed, if one is
	given   [][]value.Value // the arguments of builtins that are being computed, the inner after the outer
}

// Run evaluates the body of a Call. The error is a *Fault, or another
// error of Host.Do or Limits.Tick as it came; the Outcome is then empty:
// nothing of a failed or suspended body has happened. A closure can be the
// Result: whether it may be, the caller knows.
func Run(h Host, c Call) (Outcome, error) { return new(Runner).Run(h, c) }

// A Runner runs one Call after the other in the same memory. The zero value is
// ready for use, by one run at a time.
type Runner struct{ m machine }

// keptSlab is how many values of a stack a Runner keeps for the next run.
const keptSlab = 64

// Run is the function Run in the Runner's memory.
func (r *Runner) Run(h Host, c Call) (Outcome, error) {
	m := &r.m
	slab := m.stack.slab
	*m = machine{host: h, call: c, self: c.Self}
	if len(slab) <= keptSlab {
		clear(slab)
		m.stack.slab = slab
	}
	return m.body(c)
}

// body runs the call.
func (m *machine) body(c Call) (Outcome, error) {
	m.fuel = c.Limits.Fuel
	if m.fuel <= 0 {
		m.fuel = defaultFuel
	}
	m.call.Limits.Fuel = m.fuel
	if c.Limits.Depth <= 0 {
		m.call.Limits.Depth = defaultDepth
	}
	m.memory.limit = c.Limits.Memory
	if m.memory.limit <= 0 {
		m.memory.limit = defaultMemory
	}
	m.memory.room = m.memory.limit
	m.left = tickEvery - 1
	if c.Self != nil {
		m.fields = c.Self.Fields
	}
	frame := m.stack.push(c.Fn.Slots)
	copy(frame[min(len(c.Fn.Captures), len(frame)):], c.Args)
	v, s := m.eval(c.Fn.Body, frame, 0)
	return m.finish(v, s, c.Fn.Span)
}

// finish turns the end of the body into its outcome.
func (m *machine) finish(v value.Value, s status, at source.Span) (Outcome, error) {
	switch s {
	case ok, returned:
		m.out.Result = v
	case ended:
		m.out.Result, m.out.Ending = v, m.ending
		if m.ending.Kind == Rejected {
			m.out.Writes, m.out.Events = nil, nil
		}
	case broke, continued:
		m.fault(at, CodeInternal, "a break or continue outside of a loop")
		return Outcome{}, m.err
	default:
		return Outcome{}, m.err
	}
	return m.out, nil
}

// spend is called when left has run out: it settles the fuel and calls Tick.
func (m *machine) spend(at source.Span) bool {
	m.fuel -= int64(tickEvery - 1 - m.left)
	m.left = tickEvery - 1
	if m.fuel <= 0 {
		return m.used(at, CodeFuel, "too many evaluations without an effect between them (%d): is a loop endless?", m.call.Limits.Fuel)
	}
	if m.call.Limits.Tick != nil {
		if err := m.call.Limits.Tick(); err != nil {
			m.err, m.limit = err, err
			return false
		}
	}
	return true
}

// used makes the fault of a used-up limit: no script catches it. It reports
// false.
func (m *machine) used(at source.Span, code, format string, args ...any) bool {
	m.fault(at, code, format, args...)
	m.err.(*Fault).Final = true
	m.limit = m.err
	return false
}

// A stack gives frames from slabs of memory that stay where they are, so that
// a frame in use never moves. Frames are cleared when they are given back.
type stack struct {
	slab  []value.Value
	top   int // of slab
	lower []lowerSlab
	spare []value.Value // the slab above, kept against calls to and fro across the border
}

type lowerSlab struct {
	slab []value.Value
	top  int
}

const firstSlab = 16 // values

func (s *stack) push(n int) []value.Value {
	if len(s.slab)-s.top < n {
		s.extend(n)
	}
	f := s.slab[s.top : s.top+n : s.top+n]
	s.top += n
	return f
}

func (s *stack) extend(n int) {
	next := s.spare
	if len(next) < n {
		next = make([]value.Value, max(firstSlab, 2*len(s.slab), n))
	}
	s.spare = nil
	if s.slab != nil {
		s.lower = append(s.lower, lowerSlab{s.slab, s.top})
	}
	s.slab, s.top = next, 0
}

func (s *stack) pop(f []value.Value) {
	clear(f)
	s.top -= len(f)
	if s.top == 0 && len(s.lower) > 0 {
		last := s.lower[len(s.lower)-1]
		s.lower = s.lower[:len(s.lower)-1]
		s.spare, s.slab, s.top = s.slab, last.slab, last.top
	}
}

package interp

import (
	"fmt"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// do asks the host. An answer renews the fuel: it bounds what is computed
// between effects.
func (m *machine) do(r Request) (value.Value, status) {
	for _, a := range r.Args {
		if !a.IsData() && (r.Op == nil || !r.Op.Local) {
			return m.notData(r.Span, "what is sent")
		}
	}
	v, err := m.host.Do(r)
	if err != nil {
		if f, isFault := err.(*Fault); isFault {
			m.refuel()
			return m.foreign(r.Span, f)
		}
		m.err, m.limit = err, err
		return value.Nil, failed
	}
	m.refuel()
	return m.made(v, v.Size(), r.Span)
}

func (m *machine) refuel() {
	m.fuel = m.call.Limits.Fuel
	m.left = min(m.left, tickEvery-1)
}

func (m *machine) perform(n *program.Perform, fr []value.Value, d int) (value.Value, status) {
	args, v, s := m.builtinArgs(n.Op, n.Args, fr, d)
	if s != ok {
		return v, s
	}
	return m.do(Request{Kind: Perform, Span: n.Place, Op: n.Op, Once: n.Once, Args: args})
}

// target evaluates an expression that must give a handle.
func (m *machine) target(e program.Expr, fr []value.Value, d int) (value.Handle, value.Value, status) {
	v, s := m.eval(e, fr, d)
	if s != ok {
		return value.Handle{}, v, s
	}
	h, isHandle := v.AsHandle()
	if !isHandle {
		v, s = m.fault(e.Span(), CodeType, "a handle of an instance is needed here, not %s", v.Kind().Article())
	}
	return h, v, s
}

func (m *machine) ask(n *program.Ask, fr []value.Value, d int) (value.Value, status) {
	h, v, s := m.target(n.Handle, fr, d)
	if s != ok {
		return v, s
	}
	args, v, s := m.args(n.Args, fr, d)
	if s != ok {
		return v, s
	}
	return m.do(Request{Kind: Ask, Span: n.Place, Target: h, Name: n.Name, Args: args, ArgNames: n.Names})
}

func (m *machine) signal(n *program.SignalSend, fr []value.Value, d int) (value.Value, status) {
	h, v, s := m.target(n.Handle, fr, d)
	if s != ok {
		return v, s
	}
	payload := value.Nil
	if n.Payload != nil {
		if payload, s = m.eval(n.Payload, fr, d); s != ok {
			return payload, s
		}
	}
	return m.do(Request{Kind: Signal, Span: n.Place, Target: h, Name: n.Name, Args: []value.Value{payload}})
}

func (m *machine) await(n *program.Await, fr []value.Value, d int) (value.Value, status) {
	h, v, s := m.target(n.Handle, fr, d)
	if s != ok {
		return v, s
	}
	r := Request{Kind: Await, Span: n.Place, Target: h}
	if n.For != nil {
		if r.Deadline, s = m.duration(n.For, fr, d); s != ok {
			return r.Deadline, s
		}
		r.HasDeadline = true
	}
	return m.do(r)
}

func (m *machine) spawn(n *program.Spawn, fr []value.Value, d int) (value.Value, status) {
	fields := value.NewRecord(nil, nil)
	if n.Fields != nil {
		var s status
		if fields, s = m.eval(n.Fields, fr, d); s != ok {
			return fields, s
		}
		if fields.Kind() != value.KindRecord {
			return m.fault(n.Fields.Span(), CodeType, "spawn needs a record of fields, not %s", fields.Kind().Article())
		}
	}
	r := Request{Kind: Spawn, Span: n.Place, Name: n.Workflow.Name, Args: []value.Value{fields}}
	if n.ID != nil {
		id, s := m.eval(n.ID, fr, d)
		if s != ok {
			return id, s
		}
		if r.ID, r.HasID = id.AsString(); !r.HasID {
			return m.fault(n.ID.Span(), CodeType, "an instance is named by a String, not by %s", id.Kind().Article())
		}
	}
	return m.do(r)
}

// selectFirst evaluates the names and deadlines of all arms in order, asks, and
// runs the arm that the answer names.
func (m *machine) selectFirst(n *program.Select, fr []value.Value, d int) (value.Value, status) {
	r := Request{Kind: Select, Span: n.Place, Arms: make([]Arm, len(n.Arms))}
	for i := range n.Arms {
		v, s := m.selectArm(&n.Arms[i], &r.Arms[i], fr, d)
		if s != ok {
			return v, s
		}
	}
	answer, s := m.do(r)
	if s != ok {
		return answer, s
	}
	pair, _ := answer.AsTuple()
	if len(pair) != 2 {
		return m.badAnswer(n.Place, answer)
	}
	i, isInt := pair[0].AsInt()
	if !isInt || i < 0 || i >= int64(len(n.Arms)) {
		return m.badAnswer(n.Place, answer)
	}
	arm := &n.Arms[i]
	if arm.Pattern != nil && !m.bind(arm.Pattern, pair[1], fr) {
		return m.noMatch(armSpan(arm, n.Place), pair[1])
	}
	return m.eval(arm.Body, fr, d)
}

func armSpan(a *program.SelectArm, or source.Span) source.Span {
	if a.Span.IsZero() {
		return or
	}
	return a.Span
}

// badAnswer is a host that breaks its promise: nothing that a script may catch.
func (m *machine) badAnswer(at source.Span, v value.Value) (value.Value, status) {
	m.used(at, CodeInternal, "%s", fmt.Sprintf("the answer %s names no arm", v.Short(80)))
	return value.Nil, failed
}

func (m *machine) selectArm(a *program.SelectArm, out *Arm, fr []value.Value, d int) (value.Value, status) {
	var s status
	switch {
	case a.Name != nil:
		name, s := m.eval(a.Name, fr, d)
		if s != ok {
			return name, s
		}
		var isText bool
		if out.Signal, isText = name.AsString(); !isText {
			return m.fault(a.Name.Span(), CodeType, "a signal is named by a String, not by %s", name.Kind().Article())
		}
		return name, ok
	case a.After != nil:
		out.Deadline, s = m.duration(a.After, fr, d)
	default:
		out.Deadline, s = m.instant(a.Until, fr, d)
	}
	return out.Deadline, s
}

func (m *machine) emit(n *program.Emit, fr []value.Value, d int) (value.Value, status) {
	args, v, s := m.args(n.Args, fr, d)
	if s != ok {
		return v, s
	}
	for _, a := range args {
		if !a.IsData() {
			return m.notData(n.Place, "an event")
		}
	}
	if !m.alloc(64+24*len(args), n.Place) {
		return value.Nil, failed
	}
	m.out.Events = append(m.out.Events, Event{Name: n.Name, Names: n.Names, Args: args})
	return value.Unit, ok
}

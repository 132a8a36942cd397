package interp

import (
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// defaultReject is the code of a rejection that says none.
const defaultReject = "bad_request"

// finishWith ends the body: reply (nil if none) is evaluated last.
func (m *machine) finishWith(e Ending, result value.Value, reply program.Expr, fr []value.Value, d int) (value.Value, status) {
	if reply != nil {
		v, s := m.data(reply, "a reply", fr, d)
		if s != ok {
			return v, s
		}
		e.Reply, e.HasReply = v, true
	}
	m.ending = e
	return result, ended
}

// data evaluates an expression that must give data.
func (m *machine) data(e program.Expr, what string, fr []value.Value, d int) (value.Value, status) {
	v, s := m.eval(e, fr, d)
	if s == ok && !v.IsData() {
		return m.notData(e.Span(), what)
	}
	return v, s
}

func (m *machine) gotoStep(n *program.Goto, fr []value.Value, d int) (value.Value, status) {
	e := Ending{Kind: Goto, Item: n.Item}
	if v, s := m.input(&e, n.Input, fr, d); s != ok {
		return v, s
	}
	return m.finishWith(e, value.Nil, n.Reply, fr, d)
}

// input evaluates what the target of an ending is given.
func (m *machine) input(e *Ending, x program.Expr, fr []value.Value, d int) (value.Value, status) {
	if x == nil {
		return value.Nil, ok
	}
	v, s := m.data(x, "the input of a step", fr, d)
	e.Input, e.HasInput = v, true
	return v, s
}

func (m *machine) pause(n *program.Pause, fr []value.Value, d int) (value.Value, status) {
	e := Ending{Kind: Pause, Item: n.Then}
	if n.Reason != nil {
		v, s := m.eval(n.Reason, fr, d)
		if s != ok {
			return v, s
		}
		if err := value.NoText(v); err != nil {
			return m.cause(n.Reason.Span(), err)
		}
		e.Reason = v.Text()
	}
	var s status
	switch {
	case n.For != nil:
		e.Until, s = m.duration(n.For, fr, d)
	case n.Until != nil:
		e.Until, s = m.instant(n.Until, fr, d)
	}
	if s != ok {
		return e.Until, s
	}
	if v, s := m.input(&e, n.Input, fr, d); s != ok {
		return v, s
	}
	return m.finishWith(e, value.Nil, n.Reply, fr, d)
}

func (m *machine) end(n *program.End, fr []value.Value, d int) (value.Value, status) {
	result := value.Nil
	if n.Value != nil {
		var s status
		if result, s = m.data(n.Value, "the result of a workflow", fr, d); s != ok {
			return result, s
		}
	}
	return m.finishWith(Ending{Kind: End}, result, n.Reply, fr, d)
}

func (m *machine) fail(n *program.Fail, fr []value.Value, d int) (value.Value, status) {
	f, v, s := m.decision(n.Value, n.Place, fr, d)
	if s != ok {
		return v, s
	}
	return m.finishWith(Ending{Kind: Failed, Fault: f}, value.Nil, n.Reply, fr, d)
}

// decision evaluates the error that a fail or reject names.
func (m *machine) decision(e program.Expr, at source.Span, fr []value.Value, d int) (*Fault, value.Value, status) {
	v, s := m.data(e, "an error", fr, d)
	if s != ok {
		return nil, v, s
	}
	f := FaultFrom(v)
	f.Span = at
	if f.Step == "" && m.self != nil {
		f.Step = m.self.Step
	}
	return f, value.Nil, ok
}

func (m *machine) deleted(n *program.Delete, fr []value.Value, d int) (value.Value, status) {
	return m.finishWith(Ending{Kind: Deleted}, value.Nil, n.Reply, fr, d)
}

func (m *machine) reply(n *program.Reply, fr []value.Value, d int) (value.Value, status) {
	if n.Value == nil {
		m.ending = Ending{Kind: Replied, Reply: value.Unit, HasReply: true}
		return value.Unit, ended
	}
	v, s := m.data(n.Value, "a reply", fr, d)
	if s != ok {
		return v, s
	}
	m.ending = Ending{Kind: Replied, Reply: v, HasReply: true}
	return v, ended
}

func (m *machine) reject(n *program.Reject, fr []value.Value, d int) (value.Value, status) {
	f, v, s := m.decision(n.Value, n.Place, fr, d)
	if s != ok {
		return v, s
	}
	switch {
	case n.Code != "":
		f.Code = n.Code
	case f.Code == CodeError:
		f.Code = defaultReject
	}
	m.ending = Ending{Kind: Rejected, Fault: f}
	return value.Nil, ended
}

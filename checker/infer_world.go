package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// world types what leaves the instance, and the endings.
func (f *frame) world(e program.Expr) *types.Type {
	switch e := e.(type) {
	case *program.Perform:
		return f.perform(e)
	case *program.Emit:
		return f.emit(e)
	case *program.Ask:
		return f.ask(e)
	case *program.SignalSend:
		return f.send(e)
	case *program.Await:
		h := f.instance(e.Handle)
		f.wants(e.For, types.DurationKind, "`for`")
		return f.t.endOf(h)
	case *program.Spawn:
		return f.spawn(e)
	}
	return f.ending(e)
}

// wants holds the value of a clause against the kind that it needs.
func (f *frame) wants(e program.Expr, kind types.Kind, by string) {
	if e == nil {
		return
	}
	t := f.strict(e, f.expr(e, nil), by)
	if t.Known() && t.Kind != kind {
		f.say(func() { f.t.c.sayClauseType(e, by, types.Of(kind), t) })
	}
}

func (f *frame) perform(e *program.Perform) *types.Type {
	if e.Op.Module == program.TestModule {
		return f.testOp(e)
	}
	if e.Op.FullName() == "Timer.sleep" {
		return f.sleeps(e)
	}
	got := f.operation(e.Op, e.Args)
	if e.Op.Module == "Signal" && e.Op.Name == "wait" && len(e.Args) > 0 && !got.Is(types.NeverKind) {
		return f.payloadOf(e.Args[0])
	}
	return got
}

// sleeps holds the two forms of a sleep apart: a duration, or a name with
// milliseconds.
func (f *frame) sleeps(e *program.Perform) *types.Type {
	if len(e.Args) > 1 && e.Args[1] != nil {
		f.wants(e.Args[0], types.StringKind, "the name of a sleep")
		f.wants(e.Args[1], types.IntKind, "`milliseconds` of `Timer.sleep`")
	} else if len(e.Args) > 0 {
		f.wants(e.Args[0], types.DurationKind, "`Timer.sleep`")
	}
	return types.Unit()
}

func (f *frame) emit(e *program.Emit) *types.Type {
	d := f.t.c.names.events[e.Name]
	for k, x := range e.Args {
		var w *wanted
		if d != nil && k < len(d.Fields) && d.Fields[k].Type != nil {
			w = &wanted{
				t: f.t.written(d.Fields[k].Type), kind: wantsArgument,
				what: fieldOf(e.Names, k, "event `"+e.Name+"`"), span: d.Fields[k].Span(),
			}
		}
		if c, ok := x.(*program.Const); ok && c.Span() == e.Span() {
			continue // stands for an argument that is missing, which was said
		}
		f.data(x, f.check(x, w), "an event")
	}
	return types.Unit()
}

// instance types a handle and gives the actor it is of, nil if that is not
// known.
func (f *frame) instance(e program.Expr) *actor {
	t := f.strict(e, f.expr(e, nil), "this")
	if t.Known() && !t.Is(types.HandleKind) {
		f.say(func() { f.t.c.sayNoInstance(e, t) })
	}
	if !t.Is(types.HandleKind) {
		return nil
	}
	a := f.t.c.names.actors[t.Name]
	if a == nil || a.kind == ast.KindAgent {
		return nil
	}
	return a
}

func (f *frame) ask(e *program.Ask) *types.Type {
	a := f.instance(e.Handle)
	var h *handlerInfo
	if a != nil {
		for _, x := range slices.Concat(a.commands, a.queries) {
			if x.name.Name == e.Name && h == nil {
				h = x
			}
		}
	}
	if h == nil || h.info == nil {
		for _, x := range e.Args {
			f.data(x, f.expr(x, nil), "a message")
		}
		return types.Any()
	}
	f.askArgs(e, h)
	got := f.t.of(h.info)
	if h.info.kind == queryBody || h.info.result != nil {
		return got.result
	}
	return got.replies
}

// askArgs holds the arguments of a message against the handler's parameters.
func (f *frame) askArgs(e *program.Ask, h *handlerInfo) {
	for k, x := range e.Args {
		at := k
		if k < len(e.Names) && e.Names[k] != "" {
			at = slices.IndexFunc(h.params, func(p ast.Param) bool { return p.Name.Name == e.Names[k] })
		}
		var w *wanted
		if at >= 0 && at < len(h.params) && h.params[at].Type != nil {
			p := h.params[at]
			w = &wanted{
				t: f.t.written(p.Type), kind: wantsArgument,
				what: "`" + p.Name.Name + "` of `" + h.name.Name + "`", span: p.Span(),
			}
		}
		f.data(x, f.check(x, w), "a message")
	}
}

func (f *frame) spawn(e *program.Spawn) *types.Type {
	f.wants(e.ID, types.StringKind, "`as`")
	if e.Workflow == nil {
		f.expr(e.Fields, nil)
		return types.Any()
	}
	a := f.t.c.names.actors[e.Workflow.Name]
	r, ok := e.Fields.(*program.RecordExpr)
	if !ok || a == nil {
		f.expr(e.Fields, nil)
		return types.Handle(e.Workflow.Name)
	}
	for _, x := range r.Entries {
		slot, named := a.fields[x.Key]
		if x.Spread != nil || x.Computed != nil || !named {
			f.seq([]program.Expr{x.Spread, x.Computed, x.Value}, nil)
			continue
		}
		f.giveField(a, slot, x.Value, false)
	}
	return types.Handle(e.Workflow.Name)
}

// selectOf types the arms of a select.
func (f *frame) selectOf(e *program.Select, w *wanted, want *types.Type) *types.Type {
	var ways []outcome
	for _, arm := range e.Arms {
		ways = append(ways, f.way(func() *types.Type {
			if arm.Name != nil {
				f.expr(arm.Name, nil)
			}
			f.wants(arm.After, types.DurationKind, "`after`")
			f.wants(arm.Until, types.TimeKind, "`at`")
			if arm.Pattern != nil {
				f.takes(&arm)
			}
			return f.either(arm.Body, w, want)
		}))
	}
	if len(ways) == 0 {
		return types.Any()
	}
	return f.meet(ways...)
}

// ending types what leaves the body.
func (f *frame) ending(e program.Expr) *types.Type {
	switch e := e.(type) {
	case *program.Goto:
		f.goes(e.Item, e.Input)
		f.reply(e.Reply, nil)
		f.endsWith(e)
	case *program.Pause:
		if e.Reason != nil {
			f.expr(e.Reason, nil)
		}
		f.wants(e.For, types.DurationKind, "`pause for`")
		f.wants(e.Until, types.TimeKind, "`pause until`")
		f.goes(e.Then, e.Input)
		f.reply(e.Reply, nil)
		f.endsWith(e)
	case *program.End:
		t := types.Unit()
		if e.Value != nil {
			t = f.expr(e.Value, nil)
			f.data(e.Value, t, "the result of a workflow")
		}
		f.ends = types.Join(f.ends, t)
		f.reply(e.Reply, nil)
	case *program.Fail:
		f.seq([]program.Expr{e.Value}, nil)
		f.reply(e.Reply, nil)
	case *program.Delete:
		f.reply(e.Reply, nil)
	case *program.Reply:
		f.reply(e.Value, nil)
	case *program.Reject:
		f.seq([]program.Expr{e.Value}, nil)
	}
	return types.Never()
}

// reply types what a command answers; t is its type if that is known already.
func (f *frame) reply(e program.Expr, t *types.Type) {
	if f.i == nil || f.i.kind != commandBody {
		if e != nil && t == nil {
			f.expr(e, nil)
		}
		return
	}
	switch {
	case t != nil:
	case e == nil:
		t = types.Any()
	default:
		t = f.check(e, f.result)
		f.data(e, t, "a reply")
	}
	f.replies = types.Join(f.replies, t)
}

// goes holds the input of a step against its parameter.
func (f *frame) goes(item int, input program.Expr) {
	if input == nil {
		return
	}
	t := f.gives(item, input)
	f.data(input, t, "the input of a step")
}

func (f *frame) gives(item int, input program.Expr) *types.Type {
	if f.actor == nil || item < 0 || item >= len(f.actor.prog.Items) || f.actor.prog.Items[item].Step == nil {
		return f.expr(input, nil)
	}
	i := f.t.c.byFunc[f.actor.prog.Items[item].Step.Body]
	if i == nil || len(i.params) == 0 {
		return f.expr(input, nil)
	}
	f.t.gone[i.fn] = true
	p := i.params[len(i.params)-1]
	if p.Type == nil {
		t := f.expr(input, nil)
		f.t.widenInput(i, t)
		return t
	}
	return f.check(input, &wanted{
		t: f.t.written(p.Type), kind: wantsInput, what: f.t.c.paramText(p) + " of " + i.name, span: p.Span(),
	})
}

// keeps reports whether the value of the body itself is kept in the store.
func (f *frame) keeps() bool {
	if f.i == nil {
		return false
	}
	switch f.i.kind {
	case stepBody, branchBody, commandBody, queryBody:
		return true
	}
	return false
}

// value names the value of the body for people.
func (f *frame) value() string {
	switch f.i.kind {
	case commandBody:
		return "a reply"
	case queryBody:
		return "the answer of a query"
	}
	return "the value of a step"
}

// data refuses a function made on the spot where only data can be kept.
func (f *frame) data(e program.Expr, t *types.Type, what string) {
	if t.HasClosure() {
		f.say(func() { f.t.c.sayNoData(e, what) })
	}
}

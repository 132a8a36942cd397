package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/types"
)

// A workflow may declare the signals that it takes, as it may declare its state:
// as soon as it declares one, it declares all whose names are written down. What
// is declared is the payload as a whole, so that senders and takers look the
// same with and without a declaration.

// signalInfo is a declared signal.
type signalInfo struct {
	decl *ast.SignalDecl
	prog *program.SignalDecl
}

// payload is the declared parameter, nil if the signal carries nothing. Of
// several, which is an error, nothing is known.
func (s *signalInfo) payload() *ast.Param {
	switch len(s.decl.Params) {
	case 0:
		return nil
	case 1:
		return &s.decl.Params[0]
	}
	return &ast.Param{At: s.decl.Params[0].At, Name: s.decl.Params[0].Name}
}

// signature is what sending the signal has to fit.
func (s *signalInfo) signature() signature {
	sig := signature{what: "signal `" + s.decl.Name.Name + "`", name: "signal h." + s.decl.Name.Name, span: s.decl.Name.Span()}
	if p := s.prog.Payload; p != nil {
		sig.params = []sigParam{{name: p.Name, optional: p.Type.TakesNil()}}
	}
	return sig
}

// anySignal is what sending an undeclared signal has to fit.
var anySignal = signature{what: "a signal", name: "signal h.name", params: []sigParam{{name: "payload", optional: true}}}

// declareSignal notes a declared signal of a workflow.
func (c *checker) declareSignal(a *actor, m *ast.SignalDecl) {
	if old := a.signal(m.Name.Name); old != nil {
		c.sayDuplicateMember("signal", m.Name, old.decl.Name.Span())
		return
	}
	s := &signalInfo{decl: m, prog: &program.SignalDecl{Name: m.Name.Name, Span: m.Name.Span()}}
	for _, p := range m.Params {
		if p.Pattern != nil {
			c.sayNamelessParam(p, "what a signal carries has a name", "write a name; the arm of a `select` takes it apart: `signal "+m.Name.Name+"({ … }) => …`")
		}
	}
	if len(m.Params) > 1 {
		c.saySeveralPayloads(m)
	}
	if p := s.payload(); p != nil {
		s.prog.Payload = &program.Param{Name: p.Name.Name, Type: c.typeOf(p.Type)}
		if what := c.unsendable(p.Type); what != "" {
			c.sayUnsendable(s, what)
		}
	}
	a.signals = append(a.signals, s)
	a.prog.Declared = append(a.prog.Declared, s.prog)
}

// signal finds a declared signal by name, nil if there is none.
func (a *actor) signal(name string) *signalInfo {
	if a == nil {
		return nil
	}
	for _, s := range a.signals {
		if s.decl.Name.Name == name {
			return s
		}
	}
	return nil
}

// declares reports whether an actor declares signals, but not this one. Of one
// that could not be read in full that is not known.
func (a *actor) declaresOthers(name string) bool {
	return a != nil && len(a.signals) > 0 && !a.broken && a.signal(name) == nil
}

// signalNames lists the declared signals.
func (a *actor) signalNames() []string {
	var out []string
	for _, s := range a.signals {
		out = append(out, s.decl.Name.Name)
	}
	return out
}

// unsendable finds what a payload of a type could not carry: "a secret" or "a
// function"; "" if there is nothing.
func (c *checker) unsendable(t ast.Type) string {
	found := ""
	c.eachType(t, func(t ast.Type) {
		if found != "" {
			return
		}
		switch t := t.(type) {
		case *ast.FnType:
			found = "a function"
		case *ast.NameType:
			if t.Name == "Secret" && c.names.types[t.Name] == nil {
				found = "a secret"
			}
		}
	})
	return found
}

// heard is a signal that a body waits for.
type heard struct {
	name string
	span source.Span // the wait, or the call of a function that waits
	wait source.Span // the wait itself
	// within: a body of a workflow comes between; what is wrong is said there.
	within bool
}

// waitsFor notes the name of a signal that something waits for.
func (b *body) waitsFor(name ast.Expr) {
	if s, ok := bare(name).(*ast.StringLit); ok {
		b.info.hears(heard{name: s.Value, span: s.Span(), wait: s.Span()})
		return
	}
	b.info.anySignal = true
}

// inbox notes an operation of Signal on the signal of a name.
func (b *body) inbox(op string, name ast.Expr) {
	if op == "wait" {
		b.waitsFor(name)
		return
	}
	if s, ok := bare(name).(*ast.StringLit); ok && b.actor.declaresOthers(s.Value) {
		b.c.sayUndeclaredSignal(b.actor, heard{name: s.Value, span: s.Span(), wait: s.Span()})
	}
}

// hears adds a signal; it reports whether that was news.
func (i *info) hears(h heard) bool {
	if slices.ContainsFunc(i.signals, func(s heard) bool { return s.name == h.name }) {
		return false
	}
	i.signals = append(i.signals, h)
	return true
}

// taken lowers the pattern of an arm that takes a signal.
func (b *body) taken(arm ast.SelectArm) program.Pattern {
	if arm.Pattern == nil {
		return nil
	}
	if s, ok := bare(arm.Name).(*ast.StringLit); ok {
		if d := b.actor.signal(s.Value); d != nil && d.prog.Payload == nil {
			b.c.sayNoPayload(d, arm.Pattern.Span())
		}
	}
	return b.pattern(ast.OrPattern{arm.Pattern})
}

// signal lowers what sends one. Whether it fits is looked at when it is known
// what the workflow waits for and of which one the handle is.
func (b *body) signal(e *ast.Signal) program.Expr {
	b.does(performs, e.Span(), "signals another instance")
	out := &program.SignalSend{At: at(e), Handle: b.instance(e.Handle), Name: e.Name.Name}
	for i, a := range e.Args {
		if x := b.expr(a.Value); i == 0 {
			out.Payload = x
		}
	}
	plain := b.actorOf(e.Handle)
	b.c.later = append(b.c.later, func() {
		to := plain
		if to == nil {
			to = b.c.sentTo[out]
		}
		b.c.checkSent(to, e)
	})
	return out
}

// checkSent compares a signal that is sent with what an actor waits for and
// declares; a is nil if nothing is known of the receiver.
func (c *checker) checkSent(a *actor, e *ast.Signal) {
	sig := anySignal
	if a != nil && a.kind != ast.KindAgent && !a.broken {
		if !a.prog.AnySignal && !slices.Contains(a.prog.Signals, e.Name.Name) && !c.unread() {
			c.sayUnheardSignal(a, e.Name)
		} else if s := a.signal(e.Name.Name); s != nil {
			sig = s.signature()
		}
	}
	for i, arg := range e.Args {
		switch {
		case i >= len(sig.params):
			c.sayTooMany(sig, arg.Value.Span(), len(e.Args))
			return
		case arg.Name.Name != "" && arg.Name.Name != sig.params[i].name:
			c.sayUnknownArg(sig, arg.Name)
		}
	}
	if len(e.Args) == 0 && len(sig.params) > 0 && !sig.params[0].optional {
		c.sayMissingArgs(sig, e.Span(), []string{sig.params[0].name})
	}
}

// checkDeclaredSignals warns of declared signals that nothing waits for, and
// refuses those that a function of no workflow waits for and that its caller
// does not declare. The rest was said where it stands.
func (c *checker) checkDeclaredSignals() {
	for _, i := range c.infos {
		for _, s := range i.signals {
			if i.actor.declaresOthers(s.name) && !s.within {
				c.sayUndeclaredSignal(i.actor, s)
			}
		}
	}
	for _, a := range c.names.order {
		for _, s := range a.signals {
			if !c.unread() && !a.prog.AnySignal && !slices.Contains(a.prog.Signals, s.decl.Name.Name) {
				c.sayNeverAwaited(a, s)
			}
		}
	}
}

// payloadOf is the type of what a wait for a signal of this name gives.
func (f *frame) payloadOf(name program.Expr) *types.Type {
	c, ok := name.(*program.Const)
	if !ok {
		return types.Any()
	}
	text, _ := c.Value.AsString()
	s := f.actor.signal(text)
	if s == nil {
		return types.Any()
	}
	p := s.payload()
	switch {
	case p == nil:
		return types.Of(types.NilKind)
	case p.Type == nil:
		return types.Any()
	}
	return f.t.written(p.Type)
}

// takes binds what an arm takes of a signal. The pattern has to take all that a
// declared one may carry, for no other arm would.
func (f *frame) takes(arm *program.SelectArm) {
	t := f.payloadOf(arm.Name)
	f.bind(arm.Pattern, t)
	s := &cases{t: f.t, left: mostCases}
	if t.Known() && s.leftOut([][]program.Pattern{{arm.Pattern}}, t) {
		f.say(func() { f.t.c.sayPayloadLeftOut(f.t.c.patternAt[arm.Pattern], t, s) })
		return
	}
	f.apart(arm.Pattern, t)
}

// send types a signal that is sent; a declared payload is held against its type.
func (f *frame) send(e *program.SignalSend) *types.Type {
	a := f.instance(e.Handle)
	f.say(func() { f.t.c.sentTo[e] = a })
	if e.Payload == nil {
		return types.Unit()
	}
	var w *wanted
	if s := a.signal(e.Name); s != nil && s.payload() != nil && s.payload().Type != nil {
		p := s.payload()
		w = &wanted{
			t: f.t.written(p.Type), kind: wantsArgument,
			what: "`" + p.Name.Name + "` of `" + s.decl.Name.Name + "`", span: p.Span(),
		}
	}
	f.data(e.Payload, f.check(e.Payload, w), "a signal")
	return types.Unit()
}

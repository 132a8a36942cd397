package checker

import (
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// world lowers what leaves the instance or waits for something.
func (b *body) world(e ast.Expr) program.Expr {
	switch e := e.(type) {
	case *ast.Perform:
		return b.perform(e)
	case *ast.Ask:
		return b.ask(e)
	case *ast.Signal:
		return b.signal(e)
	case *ast.Await:
		b.does(performs|waits, e.Span(), "waits for another instance")
		return &program.Await{At: at(e), Handle: b.instance(e.Handle), For: b.opt(e.For)}
	case *ast.Spawn:
		return b.spawn(e)
	case *ast.SpawnIn:
		b.open()
		defer b.close()
		s := b.spawn(e.Spawn)
		return &program.Block{At: at(e), Stmts: []program.Expr{s, b.expr(e.In)}}
	case *ast.Select:
		return b.selectOf(e)
	case *ast.Emit:
		return b.emit(e)
	}
	return nothing(e)
}

func (b *body) perform(e *ast.Perform) program.Expr {
	if e.Once {
		b.c.refuseFeature("perform once", e.Span())
	}
	op := b.operation(e)
	if op == nil {
		b.looseArgs(e.Args)
		return nothing(e)
	}
	b.performed(e, op)
	out := &program.Perform{At: at(e), Once: e.Once, Main: b.info.root == mainBody, Op: op, Args: b.place(e.Span(), builtinSignature(op), e.Args)}
	if b.info.root != outsideBody {
		b.c.prog.Performs = append(b.c.prog.Performs, out)
	}
	return out
}

// operation finds what a perform names.
func (b *body) operation(e *ast.Perform) *program.Builtin {
	m := b.c.lib.modules[e.Module.Name]
	if m == nil {
		b.c.sayUnknownModule(e.Module, b.c.lib.effects())
		return nil
	}
	op := m.ops[e.Op.Name]
	switch {
	case op == nil:
		b.c.sayUnknownOp(e.Module.Name, e.Op, m.names(true))
		return nil
	case op.Effect == 0:
		b.c.sayNoPerform(e)
		return nil
	}
	return op
}

// performed notes the effects of an operation and the signal it waits for.
func (b *body) performed(e *ast.Perform, op *program.Builtin) {
	bits := effects(op.Effect)
	if bits&readsClock != 0 && op.FullName() != "Time.now" {
		bits |= drawsChance
	}
	b.does(bits, e.Span(), "performs `"+op.FullName()+"`")
	if op.Module == "Signal" && len(e.Args) > 0 {
		b.inbox(op.Name, e.Args[0].Value)
	}
}

// instance lowers a handle; `self` alone is the instance itself.
func (b *body) instance(e ast.Expr) program.Expr {
	if s, ok := bare(e).(*ast.Self); ok {
		if !b.self(s.Span()) {
			return nothing(e)
		}
		return &program.SelfMeta{At: at(e), Part: program.SelfHandle}
	}
	return b.expr(e)
}

// actorOf is the workflow or entity that an expression is plainly a handle of.
func (b *body) actorOf(e ast.Expr) *actor {
	switch x := bare(e).(type) {
	case *ast.Name:
		if v := b.lookup(x.Name); v != nil {
			return v.actor
		}
	case *ast.Call:
		if n, ok := bare(x.Fn).(*ast.Name); ok && b.lookup(n.Name) == nil && b.c.functionOf(b.actor, n.Name) == nil {
			if _, isVariant := b.c.names.variants[n.Name]; !isVariant {
				return b.c.names.actors[n.Name]
			}
		}
	case *ast.Spawn:
		return b.c.names.actors[x.Workflow.Name]
	case *ast.Self:
		return b.actor
	}
	return nil
}

func (b *body) ask(e *ast.Ask) program.Expr {
	b.does(performs, e.Span(), "asks another instance")
	out := &program.Ask{At: at(e), Handle: b.instance(e.Handle), Name: e.Name.Name}
	named := false
	for _, a := range e.Args {
		out.Args = append(out.Args, b.expr(a.Value))
		out.Names = append(out.Names, a.Name.Name)
		named = named || a.Name.Name != ""
	}
	if !named {
		out.Names = nil
	}
	if a := b.actorOf(e.Handle); a != nil {
		b.checkAsk(a, e)
	}
	return out
}

// checkAsk compares a message with the handlers of an actor that is known.
func (b *body) checkAsk(a *actor, e *ast.Ask) {
	if a.kind == ast.KindAgent || a.broken || b.c.broken || e.Name.Name == "lifecycle" {
		return
	}
	var names []string
	for _, h := range append(a.commands[:len(a.commands):len(a.commands)], a.queries...) {
		if h.name.Name == e.Name.Name {
			b.checkArgs(e.Span(), signatureOf("`"+h.name.Name+"`", h.name.Span(), h.params), e.Args)
			return
		}
		names = append(names, h.name.Name)
	}
	if f := b.c.names.funcs[e.Name.Name]; f != nil {
		return // may be registered as a query when the program ends
	}
	b.c.sayUnknownHandler(a, e.Name, names)
}

// checkArgs compares the count and names of arguments that stay as they are.
func (b *body) checkArgs(span source.Span, sig signature, args []ast.Arg) {
	seen := make([]program.Expr, len(sig.params))
	given := make([]*ast.Arg, len(sig.params))
	next, wrong := 0, false
	for i := range args {
		a := &args[i]
		if a.Name.Name != "" {
			wrong = !b.placeNamed(sig, a, nothing(a.Value), seen, given) || wrong
			continue
		}
		for next < len(sig.params) && given[next] != nil {
			next++
		}
		if next == len(sig.params) {
			b.c.sayTooMany(sig, a.Value.Span(), len(args))
			return
		}
		seen[next], given[next] = nothing(a.Value), a
		next++
	}
	if !wrong {
		b.missing(span, sig, seen)
	}
}

func (b *body) spawn(e *ast.Spawn) program.Expr {
	b.does(performs, e.Span(), "spawns a workflow")
	fields := b.opt(e.Fields)
	if fields == nil {
		fields = &program.RecordExpr{At: at(e)}
	}
	out := &program.Spawn{At: at(e), Fields: fields, ID: b.opt(e.As)}
	a := b.c.names.actors[e.Workflow.Name]
	switch {
	case a == nil:
		if !b.c.broken {
			b.c.sayUnknownWorkflow(e.Workflow)
		}
		return nothing(e)
	case a.kind != ast.KindWorkflow:
		b.c.saySpawnOfOther(e.Workflow, a)
		return nothing(e)
	}
	out.Workflow = a.prog
	if !a.broken {
		b.c.checkSpawn(a, e)
	}
	return out
}

// checkSpawn compares the fields given with the state of the workflow.
func (c *checker) checkSpawn(a *actor, e *ast.Spawn) {
	given := map[string]bool{}
	open := false
	if e.Fields != nil {
		for _, x := range e.Fields.Entries {
			open = open || x.Computed != nil || x.Spread != nil
		}
		for _, k := range recordKeys(e.Fields) {
			given[k.Name] = true
			if _, ok := reservedPart(k.Name); ok {
				c.sayReservedAtSpawn(k)
			} else if _, ok := a.fields[k.Name]; !ok {
				c.sayUnknownAtSpawn(a, k)
			}
		}
	}
	var missing []program.StateField
	for _, f := range a.prog.Fields {
		if f.Required() && !given[f.Name] {
			missing = append(missing, f)
		}
	}
	if len(missing) > 0 && !open {
		c.sayMissingAtSpawn(a, e, missing)
	}
}

func (b *body) selectOf(e *ast.Select) program.Expr {
	b.c.refuseFeature("select", e.Span())
	b.does(waits, e.Span(), "waits in `select`")
	out := &program.Select{At: at(e)}
	for _, a := range e.Arms {
		arm := program.SelectArm{Span: a.Span()}
		b.open()
		switch a.Kind {
		case ast.SelectSignal:
			arm.Name = b.expr(a.Name)
			b.waitsFor(a.Name)
			arm.Pattern = b.taken(a)
		case ast.SelectAfter:
			arm.After = b.expr(a.Value)
		case ast.SelectAt:
			arm.Until = b.expr(a.Value)
		}
		arm.Body = b.expr(a.Body)
		b.close()
		out.Arms = append(out.Arms, arm)
	}
	return out
}

func (b *body) emit(e *ast.Emit) program.Expr {
	b.does(emits, e.Span(), "emits `"+e.Name.Name+"`")
	b.c.upperCase(e.Name, "event")
	out := &program.Emit{At: at(e), Name: e.Name.Name}
	d := b.c.names.events[e.Name.Name]
	if d == nil {
		b.c.checkEventName(e.Name)
		out.Args = b.looseArgs(e.Args)
		for i, a := range e.Args {
			if a.Name.Name != "" && out.Names == nil {
				out.Names = make([]string, len(e.Args))
			}
			if a.Name.Name != "" {
				out.Names[i] = a.Name.Name
			}
		}
		return out
	}
	sig := signature{what: "event `" + d.Name.Name + "`", name: "emit " + d.Name.Name, span: d.Name.Span()}
	for _, f := range d.Fields {
		sig.params = append(sig.params, sigParam{name: f.Name.Name})
	}
	out.Names = fieldNames(d.Fields)
	out.Args = b.place(e.Span(), sig, e.Args)
	for i, x := range out.Args {
		if x == nil {
			out.Args[i] = constant(e, value.Nil)
		}
	}
	return out
}

package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/types"
)

// The name of a function at top level is data: it may be kept in a field, sent
// along, given as an input. Whoever calls what came out of data, a borrowed
// function, may be calling any that the program uses as a value and that takes
// as many arguments.
//
// All other functions were made or named by the body that calls them, or by one
// that it stands in a chain of calls with, and there their effects are counted.
// So it is enough to follow what comes out of data, through names, records,
// parameters and results, to the places where it is called.

// borrowing is that search, over the whole program.
type borrowing struct {
	c     *checker
	known map[borrowCall]*borrows
	round int
	news  bool // something was learned in this round
}

// borrowCall is a function with the lineages of its parameters.
type borrowCall struct {
	fn  *program.Func
	who string
}

// borrows is what comes of such a call.
type borrows struct {
	gives lineage // of its value
	sites []borrowSite
	round int
}

// borrowSite is a place where borrowed functions are called, or handed to a
// built-in that calls them.
type borrowSite struct {
	at     program.Expr
	calls  arities
	handed arities
	op     *program.Builtin // the first that functions are handed to
}

// arities is a set of numbers of arguments; all above 30 are one.
type arities uint32

func arity(n int) arities { return 1 << min(n, 31) }

// checkBorrowed adds to every body the effects of the functions that it calls
// and that came out of data. It is only worth looking if one that may come has
// effects at all.
func (c *checker) checkBorrowed() {
	values := c.usedAsValues()
	if !slices.ContainsFunc(values, func(i *info) bool { return i.all&^readsSelf != 0 }) {
		return
	}
	b := &borrowing{c: c, known: map[borrowCall]*borrows{}}
	for b.news = true; b.news; {
		b.news = false
		b.round++
		for _, i := range slices.Concat(c.roots(), values) {
			b.call(i.fn, everything(i.fn))
		}
	}
	c.dropKept()
	c.countBorrowed(b, values)
	c.closeEffects()
}

// roots are the bodies that the runtime starts.
func (c *checker) roots() []*info {
	var out []*info
	for _, i := range c.infos {
		if i.kind != funcBody && i.kind != lambdaBody {
			out = append(out, i)
		}
	}
	return out
}

// usedAsValues are the functions that may be in data, in the order of the text.
func (c *checker) usedAsValues() []*info {
	used := map[*info]bool{}
	for _, i := range c.infos {
		for _, k := range i.calls {
			used[k.to] = used[k.to] || k.value && k.to.actor == nil
		}
	}
	var out []*info
	for _, i := range c.infos {
		if used[i] {
			out = append(out, i)
		}
	}
	return out
}

// everything are parameters that all come out of data.
func everything(fn *program.Func) []lineage {
	out := make([]lineage, len(fn.Params))
	for k := range out {
		out[k] = ofData | givesData
	}
	return out
}

// countBorrowed makes a stand-in for each number of arguments, which does what
// every function does that may be meant, and lets the bodies call it. A function
// that is used as a value is called with anything; what it then borrows counts
// where it is named.
func (c *checker) countBorrowed(b *borrowing, values []*info) {
	var standIns [32]*info
	for n := range standIns {
		standIns[n] = &info{kind: borrowedBody}
		c.standIns = append(c.standIns, standIns[n])
	}
	enter := func(by *info, r *borrows) {
		for _, s := range r.sites {
			for n, to := range standIns {
				if (s.calls|s.handed)&(1<<n) == 0 {
					continue
				}
				by.calls = append(by.calls, call{span: s.at.Span(), to: to, value: true})
				c.borrowedAt[s.at] = append(c.borrowedAt[s.at], to)
				if s.handed&(1<<n) != 0 && forbidden(by.root)&outside == 0 { // else it was said already
					k := call{span: s.at.Span(), to: to}
					c.later = append(c.later, func() { c.pureOnly(s.op, k) })
				}
			}
		}
	}
	free := map[*info]*info{}
	for _, i := range values {
		free[i] = &info{kind: funcBody, name: i.name, calls: []call{{span: i.fn.Span, to: i}}}
		c.standIns = append(c.standIns, free[i])
		enter(free[i], b.call(i.fn, everything(i.fn)))
		to := standIns[min(len(i.fn.Params), 31)]
		to.calls = append(to.calls, call{span: i.fn.Span, to: free[i]})
	}
	for _, i := range c.infos {
		for k := range i.calls {
			if x := free[i.calls[k].to]; x != nil && i.calls[k].value {
				i.calls[k].to = x
			}
		}
	}
	for _, i := range c.roots() {
		enter(i, b.call(i.fn, everything(i.fn)))
	}
}

// call is what comes of a call of fn with parameters of these lineages.
func (s *borrowing) call(fn *program.Func, params []lineage) *borrows {
	who := make([]byte, len(params))
	for k, p := range params {
		who[k] = '0' + byte(p)
	}
	key := borrowCall{fn, string(who)}
	r := s.known[key]
	if r == nil {
		r = &borrows{}
		s.known[key] = r
	}
	if r.round == s.round {
		return r // what a round adds later is seen by the next one
	}
	r.round = s.round
	b := &borrower{s: s, slots: make([]lineage, fn.Slots+len(params)), out: r}
	copy(b.slots[len(fn.Captures):], params)
	if gives := b.body(fn); r.gives|gives != r.gives {
		r.gives |= gives
		s.news = true
	}
	s.c.borrowers[fn] = s.c.borrowers[fn] || len(r.sites) > 0
	return r
}

// note enters a site; the sets of one place only grow.
func (b *borrower) note(at program.Expr, calls, handed arities, op *program.Builtin) {
	if calls|handed == 0 {
		return
	}
	if b.op != nil {
		handed |= calls
		op = b.op
	}
	k := slices.IndexFunc(b.out.sites, func(s borrowSite) bool { return s.at == at })
	if k < 0 {
		k = len(b.out.sites)
		b.out.sites = append(b.out.sites, borrowSite{at: at})
	}
	s := &b.out.sites[k]
	if (s.calls|calls) != s.calls || (s.handed|handed) != s.handed {
		b.s.news = true
	}
	s.calls |= calls
	s.handed |= handed
	if s.op == nil {
		s.op = op
	}
}

// takes is how many arguments a built-in gives to the function that is its
// argument k; false if that is none.
func takes(op *program.Builtin, k int) (int, bool) {
	if k >= len(op.Params) || op.Params[k].Type.Base != program.FuncType {
		return 0, false
	}
	t := types.Read(op.Params[k].Type.Text)
	if !t.Is(types.FuncKind) {
		return 0, false
	}
	return len(t.Params()), true
}

// returns reports whether a built-in calls its argument k with what it gave
// before, as `List.fold` does.
func returns(op *program.Builtin, k int) bool {
	t := types.Read(op.Params[k].Type.Text)
	return slices.ContainsFunc(t.Params(), func(p *types.Type) bool { return p.Is(types.VarKind) && p.Name == t.Result().Name })
}

// dropKept forgets the naming of a function whose name is only put into data:
// it is not called there, and where it is called it counts.
func (c *checker) dropKept() {
	for _, i := range c.infos {
		keep := func(e program.Expr) {
			eachStored(e, func(f *program.FuncRef) { c.kept[f.Span()] = true })
		}
		if i.kind == stateValue {
			keep(i.fn.Body)
		}
		anyExpr(i.fn.Body, func(e program.Expr) bool {
			for _, x := range stored(e) {
				keep(x)
			}
			return false
		})
	}
	for _, f := range c.returned() {
		c.kept[f.Span()] = true
	}
	for _, i := range c.infos {
		i.calls = slices.DeleteFunc(i.calls, func(k call) bool { return k.value && c.kept[k.span] })
	}
}

// stored are the parts of an expression whose values are put into data.
func stored(e program.Expr) []program.Expr {
	switch e := e.(type) {
	case *program.AssignField:
		return []program.Expr{e.Value}
	case *program.AssignSelf:
		return []program.Expr{e.Value}
	case *program.Spawn:
		return []program.Expr{e.Fields}
	case *program.Emit:
		return e.Args
	case *program.Ask:
		return e.Args
	case *program.SignalSend:
		return []program.Expr{e.Payload}
	case *program.Goto:
		return []program.Expr{e.Input}
	}
	return nil
}

// eachStored visits the functions that a literal names.
func eachStored(e program.Expr, visit func(*program.FuncRef)) {
	switch e := e.(type) {
	case *program.FuncRef:
		visit(e)
	case *program.TupleExpr, *program.ListExpr, *program.RecordExpr:
		for _, x := range parts(e) {
			eachStored(x, visit)
		}
	}
}

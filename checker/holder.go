package checker

import "github.com/wf-lang/wf/lang/program"

// holder is a function with what its names were given; the function around a
// lambda is above it.
type holder struct {
	fn   *program.Func
	up   *holder
	lets map[int][]program.Expr // by slot
}

// deepestHold is how many names and choices a value is followed through.
const deepestHold = 8

func hold(fn *program.Func, up *holder) *holder {
	in := &holder{fn: fn, up: up, lets: map[int][]program.Expr{}}
	anyExpr(fn.Body, func(e program.Expr) bool {
		switch e := e.(type) {
		case *program.Let:
			if p, ok := e.Pattern.(*program.Bind); ok {
				in.lets[p.Slot] = append(in.lets[p.Slot], e.Value)
			}
		case *program.AssignLocal:
			in.lets[e.Slot] = append(in.lets[e.Slot], e.Value)
		}
		return false
	})
	return in
}

// follow visits what a value may be, through names and choices: the expressions
// that make it, and the parameters of the function.
func (in *holder) follow(e program.Expr, deep int, visit func(program.Expr, *holder)) {
	if deep == 0 || e == nil {
		return
	}
	switch e := e.(type) {
	case *program.If:
		in.follow(e.Then, deep-1, visit)
		in.follow(e.Else, deep-1, visit)
	case *program.Match:
		for _, a := range e.Arms {
			in.follow(a.Body, deep-1, visit)
		}
	case *program.Coalesce:
		in.follow(e.X, deep-1, visit)
		in.follow(e.Y, deep-1, visit)
	case *program.Block:
		if n := len(e.Stmts); n > 0 {
			in.follow(e.Stmts[n-1], deep-1, visit)
		}
	case *program.Local:
		k := e.Slot - len(in.fn.Captures)
		if k < 0 {
			if in.up != nil {
				outer := &program.Local{At: e.At, Slot: in.fn.Captures[e.Slot], Name: e.Name}
				in.up.follow(outer, deep-1, visit)
			}
			return
		}
		for _, x := range in.lets[e.Slot] {
			in.follow(x, deep-1, visit)
		}
		if k < len(in.fn.Params) {
			visit(e, in)
		}
	default:
		visit(e, in)
	}
}

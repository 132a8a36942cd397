package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/program"
)

// A carried function is one that a value may be, or may have in it: one that an
// expression makes or names, or whatever a parameter of some function will be, or
// what a call of that gives.
type carried struct {
	at     program.Expr  // a Lambda or FuncRef; nil of a parameter
	fn     *program.Func // that function, or the one whose parameter it is
	param  int           // -1 if it is none
	part   string        // of the parameter: its field or element; "" for any
	called bool          // it is what a call of the parameter gives
	key    string        // the field or element of the value that it is in; "" for any
	deep   uint8         // how deep in the value it is; 0 is the value itself
}

// carries is a set of them, in the order in which they were found.
type carries []carried

// mostCarried bounds a set. A value that may be more functions than that is no
// longer followed.
const mostCarried = 32

// deepest is from where on depths are no longer told apart.
const deepest = 3

// add enters what is not there yet; it reports whether there was any.
func (s *carries) add(more carries) bool {
	news := false
	for _, o := range more {
		if len(*s) < mostCarried && !slices.Contains(*s, o) {
			*s = append(*s, o)
			news = true
		}
	}
	return news
}

func union(a, b carries) carries {
	if len(a) == 0 {
		return b
	}
	out := a[:len(a):len(a)]
	out.add(b)
	return out
}

// in is what a value has in it that has these in its part of this name.
func (s carries) in(key string) carries {
	var out carries
	for _, o := range s {
		o.key, o.deep = key, min(o.deep+1, deepest)
		out.add(carries{o})
	}
	return out
}

// within is what the part of this name of a value has in it, "" for any part.
func (s carries) within(key string) carries {
	var out carries
	for _, o := range s {
		switch {
		case o.deep > 0 && key != "" && o.key != "" && o.key != key:
			continue
		case o.deep > 0:
			o.key, o.deep = "", o.deep-1
		case o.param >= 0 && o.part == "" && !o.called:
			o.part = key
		}
		out.add(carries{o})
	}
	return out
}

// given is what a set is in a call of fn with these arguments: what stands for
// its parameters is replaced.
func (t *tracer) given(s carries, fn *program.Func, args []carries) carries {
	var out carries
	for _, o := range s {
		if o.param < 0 || o.fn != fn {
			out.add(carries{o})
			continue
		}
		if o.param >= len(args) {
			continue
		}
		put := args[o.param]
		if o.part != "" {
			put = put.within(o.part)
		}
		if o.called {
			put = t.results(put)
		}
		for range o.deep {
			put = put.in(o.key)
		}
		out.add(put)
	}
	return out
}

// results are what calls of the functions of a set give.
func (t *tracer) results(s carries) carries {
	var out carries
	for _, o := range s {
		if o.param >= 0 {
			o.called = true
			out.add(carries{o})
			continue
		}
		out.add(t.given(t.used(o.fn).result, o.fn, nil))
	}
	return out
}

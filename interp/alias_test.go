package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// A model of straight-line programs over four variables: every assignment makes
// a value anew, so nothing can be shared.
type model [4]value.Value

// copied is v in memory of its own.
func copied(v value.Value) value.Value {
	b, err := value.Append(nil, v)
	if err != nil {
		panic(err)
	}
	c, _, _ := value.Decode(b)
	return c
}

// step draws a statement and does it to the model.
func (s *model) step(t *rapid.T) program.Expr {
	to, from := rapid.IntRange(0, 3).Draw(t, "to"), rapid.IntRange(0, 3).Draw(t, "from")
	n := value.Int(rapid.Int64Range(0, 99).Draw(t, "n"))
	op := rapid.IntRange(0, 7).Draw(t, "op")
	xs, isList := s[to].AsList()
	r, isRecord := s[to].AsRecord()
	switch {
	case op == 0:
		s[to] = copied(s[from])
		return set(to, local(from))
	case op == 1 && s[from].Depth() < 5:
		s[to] = value.List(copied(s[from]), n)
		return set(to, list(local(from), lit(n)))
	case op == 2:
		s[to] = value.NewRecord([]string{"n"}, []value.Value{n})
		return set(to, rec("n", lit(n)))
	case op == 3 && isRecord && s[from].Depth() < 5:
		s[to] = r.With("m", copied(s[from]))
		return &program.AssignLocal{Slot: to, Path: []program.PathPart{{Name: "m"}}, Value: local(from)}
	case isRecord:
		s[to] = copied(r.With("n", n))
		return &program.AssignLocal{Slot: to, Path: []program.PathPart{{Name: "n"}}, Value: lit(n)}
	case isList && op < 6 && len(xs) > 0:
		k := rapid.IntRange(0, len(xs)-1).Draw(t, "k")
		all := append([]value.Value{}, xs...)
		all[k] = n
		s[to] = copied(value.List(all...))
		return &program.AssignLocal{Slot: to, Path: []program.PathPart{{Index: i(int64(k))}}, Value: lit(n)}
	case isList && op == 6:
		s[to] = value.List(append(append([]value.Value{}, xs...), n)...)
		return &program.AssignLocal{Slot: to, Op: program.SetAdd, Value: list(lit(n))}
	case isList:
		s[to] = value.List(append(append([]value.Value{}, xs...), n, n)...)
		return set(to, bin(program.Add, bin(program.Add, local(to), list(lit(n))), list(lit(n))))
	}
	s[to] = value.List(n)
	return set(to, list(lit(n)))
}

// Growing and overwriting in place are never seen: not through other variables,
// not in what was emitted before.
func TestNoAliasing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s model
		var es exprs
		var emitted []string
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			es = append(es, s.step(t))
			if rapid.IntRange(0, 4).Draw(t, "emit") == 0 {
				es = append(es, &program.Emit{Name: "E", Args: exprs{local(0), local(1)}})
				emitted = append(emitted, s[0].String()+s[1].String())
			}
		}
		es = append(es, tuple(local(0), local(1), local(2), local(3)))
		out, err := Run(noHost, Call{Fn: body(es...)})
		require.NoError(t, err)
		want := value.Tuple(s[:]...)
		require.Equal(t, want.String(), out.Result.String())
		require.Equal(t, want.Size(), out.Result.Size())
		require.Equal(t, want.Depth(), out.Result.Depth())
		for k, e := range out.Events {
			require.Equal(t, emitted[k], e.Args[0].String()+e.Args[1].String())
		}
	})
}

package checker_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// nilCode writes random code over things that may be nil. Each use of one, as if
// it were not, stands on a line of its own.
type nilCode struct {
	r     *rand.Rand
	lines []string
	uses  map[int]bool // by line, from 0
	hot   []string     // places that are chosen more often, so that they meet
	depth int
	loops int
	names int
}

func (g *nilCode) put(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *nilCode) one(of ...string) string { return of[g.r.IntN(len(of))] }

// place is something that holds an Int or nil; around it, what must not be nil
// for it to be read.
func (g *nilCode) place() (place, around string) {
	p := g.one("x", "y", "self.f", "self.g", "xs[0]", "xs[k]", `m["a"]`, "self.o.n", "self.o.m", "r.n", "r.m", "self.o.p.n", "t[1]")
	if g.r.IntN(3) > 0 {
		p = g.one(g.hot...)
	}
	switch {
	case strings.HasPrefix(p, "self.o"):
		return p, "self.o"
	case strings.HasPrefix(p, "r."):
		return p, "r"
	}
	return p, ""
}

func (g *nilCode) test() string {
	p, around := g.place()
	if around != "" && g.r.IntN(3) > 0 {
		if !strings.Contains(p, ".p.") && g.r.IntN(2) == 0 {
			return strings.Replace(p, around+".", around+"?.", 1) + g.one(" != nil", " == nil", " == 1", " == z")
		}
		return fmt.Sprintf("(%s != nil && %s %s)", around, p, g.one("!= nil", "== nil", "== z", "== 2"))
	}
	if around != "" {
		return around + g.one(" == nil", " != nil")
	}
	return p + g.one(" != nil", " == nil", " == 1", " == z", " != z", " == y", " == self.g")
}

func (g *nilCode) cond() string {
	switch g.r.IntN(5) {
	case 0:
		return g.test() + " && " + g.test()
	case 1:
		return g.test() + " || " + g.test()
	case 2:
		return "!(" + g.test() + ")"
	}
	return g.test()
}

func (g *nilCode) use() {
	p, around := g.place()
	if around != "" && g.r.IntN(3) == 0 {
		p = around + ".q"
	}
	g.uses[len(g.lines)] = true
	g.put("s += %s", p)
}

func (g *nilCode) value() string {
	return g.one("nil", "nil", "1", "2", "z", "x", "y", "self.f", "self.g", "xs[1]")
}

func (g *nilCode) record() string {
	return fmt.Sprintf("{ n: %s, m: %s, p: { n: %s }, q: 1 }", g.value(), g.value(), g.value())
}

func (g *nilCode) assign() {
	p, around := g.place()
	switch {
	case p == "t[1]":
		g.put("t = (1, %s)", g.value())
	case p == "xs[k]":
		g.put("k = %s", g.one("0", "1"))
	case around == "":
		g.put("%s = %s", p, g.value())
	case g.r.IntN(3) == 0:
		g.put("%s = %s", around, g.one("nil", g.record(), "self.o"))
	default:
		g.put("if %s != nil { %s = %s }", around, g.one(p, around+".p"), g.value())
		if last := len(g.lines) - 1; strings.Contains(g.lines[last], ".p = ") {
			g.lines[last] = fmt.Sprintf("if %s != nil { %s.p = { n: %s } }", around, around, g.value())
		}
	}
}

func (g *nilCode) match() {
	g.names++
	v, w := fmt.Sprintf("v%d", g.names), fmt.Sprintf("w%d", g.names)
	a, b := g.one("x", "self.f", "y"), g.one("self.g", "y", "xs[0]")
	arm := func(pattern string, uses ...string) {
		g.put("%s => {", pattern)
		for _, u := range uses {
			g.uses[len(g.lines)] = true
			g.put("s += %s", u)
		}
		g.block()
		g.put("}")
	}
	switch g.r.IntN(5) {
	case 0:
		g.put("match %s {", a)
		arm(g.one("nil", "nil | 1", "1"), a)
		arm(v, v, a)
	case 1:
		g.put("match (%s, %s) {", a, b)
		arm(g.one("(nil, _)", "(nil, nil)", "(1, _)"), a, b)
		arm(g.one("(_, nil)", "(nil, 1) | (_, nil)", "(_, 2)"), a, b)
		arm("("+v+", "+w+")", v, w, a, b)
	case 2:
		o := g.one("self.o", "r")
		g.put("match %s {", o)
		arm(g.one("nil", "nil | { n: nil }", "{ n: nil }"), o+".q", o+".n")
		arm(g.one("{ m: nil }", "{ n: 1, m: nil }", "{ p: { n: nil } }"), o+".q", o+".m", o+".n", o+".p.n")
		arm("{ n: "+v+", m: "+w+" }", v, w, o+".q", o+".n", o+".m", o+".p.n")
		arm("_")
	case 3:
		g.put("match %s {", a)
		arm(v+" if "+v+g.one(" == nil", " != nil", " == z"), v, a)
		arm(w+" if "+g.test(), w, a)
		arm("_", a, b)
	default:
		g.put("match (%s, %s) {", b, g.one("self.o", "r"))
		arm(g.one("(_, nil)", "(nil, { n: nil })", "(_, { n: nil })"), b)
		arm("("+v+", { n: "+w+" })", v, w, b)
		arm("_", b)
	}
	g.put("}")
}

func (g *nilCode) block() {
	g.depth++
	defer func() { g.depth-- }()
	for range 1 + g.r.IntN(3) {
		g.statement()
	}
}

func (g *nilCode) statement() {
	kind := g.r.IntN(17)
	if g.depth > 3 && kind < 9 {
		kind = 9 + g.r.IntN(6)
	}
	switch kind {
	case 15:
		g.caught()
	case 16:
		g.chained()
	case 0:
		g.put("if %s {", g.cond())
		g.block()
		g.put("} else {")
		g.block()
		g.put("}")
	case 1, 2:
		g.put("if %s { %s }", g.cond(), g.leave())
	case 3:
		g.names++
		g.put("var c%d = 0", g.names)
		g.put("while c%[1]d < 3 && (%[2]s) { c%[1]d += 1", g.names, g.cond())
		g.loops++
		g.block()
		g.loops--
		g.put("}")
	case 4:
		g.put("for _ in 1..3 {")
		g.loops++
		g.block()
		g.loops--
		g.put("}")
	case 5:
		g.put("try {")
		g.block()
		g.put("if %s { throw \"x\" }", g.cond())
		g.block()
		g.put("} catch {")
		g.block()
		g.put("}")
	case 6, 7:
		g.match()
	case 8:
		g.put("touch()")
	case 9, 10, 11:
		g.assign()
	default:
		g.use()
	}
}

// held makes sure that a place is not nil, and gives it.
func (g *nilCode) held() string {
	p, around := g.place()
	if around != "" {
		g.put("if %s == nil || %s == nil { %s }", around, p, g.leave())
	} else {
		g.put("if %s == nil { %s }", p, g.leave())
	}
	return p
}

func (g *nilCode) useOf(p string) {
	g.uses[len(g.lines)] = true
	g.put("s += %s", p)
}

// caught uses in a catch what was not nil before the try.
func (g *nilCode) caught() {
	p := g.held()
	g.put("try {")
	g.block()
	g.put("%s", g.one("touch()", "()"))
	g.assign()
	g.put("if %s { throw \"x\" }", g.one("z == 1", g.cond()))
	g.put("} catch {")
	g.useOf(p)
	g.put("}")
}

// chained passes values on from round to round.
func (g *nilCode) chained() {
	names := []string{"x", "y", "self.f", "self.g"}
	g.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, p := range names[:3] {
		g.put("if %s == nil { %s }", p, g.leave())
	}
	g.put("for _ in 1..5 {")
	g.useOf(names[0])
	g.put("%s = %s", names[0], names[1])
	g.put("%s = %s", names[1], names[2])
	g.put("if %s { %s = %s }", g.cond(), names[2], g.value())
	g.put("}")
	g.useOf(names[0])
}

func (g *nilCode) leave() string {
	if g.loops > 0 {
		return g.one("continue", "break", "return s")
	}
	return "return s"
}

const nilCodeHead = `type P = { n: Int? }
type O = { n: Int?, m: Int?, p: P, q: Int }
workflow W {
state f: Int? = nil
state g: Int? = nil
state o: O? = nil
state l: [Int?] = []
state e: Int? = nil
fn touch() { self.f = nil
self.o = nil }
step a { self.e = 1 }
step b {
var s = 0
let z = 1
var k = 0
var x: Int? = self.f
var y: Int? = self.g
var r: O? = self.o
var xs: [Int?] = self.l
var m: {String: Int?} = { a: self.f }
var t: (Int, Int?) = (1, self.g)
`

func (g *nilCode) script() string {
	return nilCodeHead + strings.Join(g.lines, "\n") + "\ns }\n}\n"
}

// checked leaves the uses out that the checker refuses.
func (g *nilCode) checked(t *testing.T) (p *program.Program, refused int) {
	t.Helper()
	for range 50 {
		p, said, set := check(t, g.script())
		var errs diag.List
		for _, d := range said {
			if d.Severity == diag.Error {
				errs = append(errs, d)
			}
		}
		if len(errs) == 0 {
			return p, refused
		}
		for _, d := range errs {
			line := set.Position(d.Span).Line - 1 - strings.Count(nilCodeHead, "\n")
			switch {
			case line >= 0 && g.uses[line]:
				delete(g.uses, line)
				refused++
				g.lines[line] = "()"
			case line >= 0 && line < len(g.lines) && g.lines[line] == "()":
			case line >= 0 && line < len(g.lines):
				return nil, refused // the code makes no sense in another way
			}
		}
	}
	return nil, refused
}

// TestNarrowingIsSound runs random code: what the checker says is not nil is not
// nil, whatever the fields hold at the beginning.
func TestNarrowingIsSound(t *testing.T) {
	n := value.Int(1)
	record := func(n, m, p value.Value) value.Value {
		return value.NewRecord([]string{"n", "m", "p", "q"}, []value.Value{n, m, value.NewRecord([]string{"n"}, []value.Value{p}), value.Int(1)})
	}
	records := []value.Value{value.Nil, record(n, n, n), record(value.Nil, n, n), record(n, value.Nil, value.Nil), record(n, n, value.Nil)}
	accepted, refused, dropped := 0, 0, 0
	for seed := range uint64(600) {
		g := &nilCode{r: rand.New(rand.NewPCG(seed, 7)), uses: map[int]bool{}}
		g.hot = [][]string{{"x", "y"}, {"self.f", "x"}, {"self.o.n", "self.f"}, {"r.n", "r.m"}, {"xs[k]", "y"}, {"self.o.p.n", "self.o.n"}}[seed%6]
		g.block()
		g.block()
		p, no := g.checked(t)
		if p == nil {
			dropped++
			continue
		}
		accepted, refused = accepted+len(g.uses), refused+no
		w := p.Actor("W")
		for _, f := range []value.Value{value.Nil, n, value.Int(2)} {
			for _, o := range records {
				self := &interp.Self{Workflow: w, Fields: []value.Value{f, records[1], o, value.List(f, n), n}}
				self.Fields[1] = []value.Value{value.Nil, n}[seed%2]
				_, err := interp.Run(&world{}, interp.Call{Fn: w.Items[1].Step.Body, Program: p, Self: self})
				var fault *interp.Fault
				if err == nil || errors.As(err, &fault) && fault.Code == "error" {
					continue
				}
				t.Fatalf("seed %d: %v\nf %v, o %v\n%s", seed, err, f, o, g.script())
			}
		}
	}
	t.Logf("%d uses accepted, %d refused, %d programs dropped", accepted, refused, dropped)
	if accepted < 1000 || refused < 1000 || dropped > 0 {
		t.Errorf("%d uses accepted, %d refused, %d programs dropped: that shows little", accepted, refused, dropped)
	}
}

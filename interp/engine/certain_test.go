package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/value"
)

// setting writes random workflows whose steps, commands, blocks and compensations
// set fields to values and to nil. Each use of a field, as if it were never nil,
// stands on a line of its own.
type setting struct {
	r     *rand.Rand
	lines []string
	uses  map[int]bool // by line, from 0
	names int
}

func (g *setting) put(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *setting) one(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *setting) use(fields ...string) {
	for _, f := range fields {
		if g.r.IntN(2) == 0 {
			g.uses[len(g.lines)] = true
			g.put("perform IO.print(seen(self.%s))", f)
		}
	}
}

// set assigns some of the fields; nils says how often nil is among the values.
func (g *setting) set(nils int, fields ...string) {
	for _, f := range fields {
		switch g.r.IntN(4) {
		case 0, 2:
			v := "1"
			if g.r.IntN(10) < nils {
				v = g.one("nil", "perform Env.get(\"X\")", "self.a")
			}
			if v != "1" && f == "a" {
				v = "nil"
			}
			if strings.HasPrefix(v, "perform") {
				v = "if perform Random.int(0, 1) == 0 then 1 else nil"
			}
			g.put("self.%s = %s", f, v)
		case 1:
			if g.r.IntN(3) == 0 {
				g.put("if %s { self.%s = 1 }", atTimes, f)
			}
		}
	}
}

const atTimes = "perform Random.int(0, 2) == 0"

// ending leaves a step for somewhere, or not.
func (g *setting) ending(steps int) {
	to := func() string { return fmt.Sprintf("s%d", g.r.IntN(steps)) }
	switch g.r.IntN(7) {
	case 0:
		g.put("if %s { goto %s }", atTimes, to())
	case 1:
		g.put("if %s { pause }", atTimes)
	case 2:
		g.put("if %s { pause for 1h then %s }", atTimes, to())
	case 3:
		g.put("if %s { throw \"no\" }", atTimes)
	case 4:
		g.put("if self.%s == nil { goto %s }", g.one("a", "b", "c"), to())
	case 5:
		g.put("if %s { return 1 }", atTimes)
	}
}

func (g *setting) block() {
	mode := g.one("", "", "settle ", "first 1 ")
	other := ""
	if g.r.IntN(2) == 0 {
		other = "else rescue "
	}
	g.put("parallel %s%s{", mode, other)
	for i, f := range []string{"a", "b"} {
		g.names++
		g.put("branch w%d { step p%d {", i, g.names)
		g.use("a", "b", "c")
		g.set(6, f)
		g.put("if %s { throw \"no\" }", atTimes)
		g.put("}")
		g.put("step q%d {", g.names)
		g.use("a", "b", "c")
		g.set(6, f)
		if g.r.IntN(3) == 0 {
			g.put("} compensate { self.%s = %s } }", f, g.one("nil", "1"))
		} else {
			g.put("} }")
		}
	}
	g.put("}")
}

func (g *setting) script() string {
	return "workflow W {\nstate a: Int? = nil\nstate b: Int? = nil\nstate c: Int? = nil\nstate n = 0\n" + strings.Join(g.lines, "\n") +
		"\n}\nfn seen(x: Int) -> String = \"seen ${x}\"\nspawn W {} as \"w\"\n"
}

const settingHead = 5 // lines before the random ones

func (g *setting) write() {
	const steps = 5
	if g.r.IntN(3) == 0 {
		g.put("init {")
		g.set(2, "a", "b")
		g.put("}")
	}
	if g.r.IntN(4) == 0 {
		g.put("fn clear() { self.%s = %s }", g.one("a", "b", "c"), g.one("nil", "1"))
	} else {
		g.put("fn clear() { () }")
	}
	for k := range steps {
		clause := ""
		if g.r.IntN(3) == 0 {
			clause = g.one("else rescue ", "retry 1 else rescue ", "retry 1 ")
		}
		g.put("step s%d %s{", k, clause)
		g.put("if self.n > 12 { end }")
		g.put("self.n = self.n + 1")
		g.use("a", "b", "c")
		if k > 0 {
			g.ending(steps)
		}
		g.set(2, "a", "b", "c")
		if g.r.IntN(6) == 0 {
			g.put("clear()")
		}
		if g.r.IntN(3) == 0 {
			g.put("perform Signal.wait(\"go\")")
		}
		g.ending(steps)
		g.put("}")
		if k > 0 && g.r.IntN(3) == 0 {
			g.block()
		}
	}
	g.put("step over { goto s%d }", g.r.IntN(steps))
	g.put("step rescue {")
	g.put("self.n = self.n + 1")
	g.use("a", "b", "c")
	g.set(1, "a", "b", "c")
	g.put("if self.n > 12 { end }")
	g.put("goto s%d }", g.r.IntN(steps))
	for k := range g.r.IntN(3) {
		in := ""
		if g.r.IntN(2) == 0 {
			in = fmt.Sprintf(" in s%d, s%d", g.r.IntN(steps), g.r.IntN(steps))
		}
		g.put("command c%d()%s {", k, in)
		g.put("if self.n > 12 { reject \"late\" }")
		g.set(1, "a", "b", "c")
		g.put("%s }", g.one("pause", fmt.Sprintf("goto s%d", g.r.IntN(steps)), fmt.Sprintf("pause for 1h then s%d", g.r.IntN(steps))))
	}
}

// checked leaves the uses out that the checker refuses; nil if something else is
// wrong with the script.
func (g *setting) checked() (prog *program.Program, refused int) {
	for range 20 {
		prog, said, set := compileText("test.wf", g.script())
		if !said.HasErrors() {
			return prog, refused
		}
		for _, d := range said {
			line := set.Position(d.Span).Line - 1 - settingHead
			switch {
			case d.Severity != diag.Error:
			case g.uses[line] && d.Code == "WF2717":
				delete(g.uses, line)
				g.lines[line] = "()"
				refused++
			default:
				return nil, refused
			}
		}
	}
	return nil, refused
}

// TestWhatIsCertainIsThere drives random workflows on random ways: a field that
// the checker holds for certain in a step is never nil there.
func TestWhatIsCertainIsThere(t *testing.T) {
	accepted, refused, dropped, seen := 0, 0, 0, 0
	for seed := range uint64(200) {
		g := &setting{r: rand.New(rand.NewPCG(seed, 11)), uses: map[int]bool{}}
		g.write()
		prog, no := g.checked()
		if prog == nil {
			dropped++
			continue
		}
		accepted, refused = accepted+len(g.uses), refused+no
		for way := range uint64(2) {
			m := &machine{t: t, text: g.script(), disk: newDisk(), clock: newVirtual(), world: &world{}, prog: prog, seed: way * 1000}
			m.run()
			r := rand.New(rand.NewPCG(seed, way))
			for range 40 {
				s := m.show("w")
				if s.Status == "completed" || s.Status == "failed" {
					break
				}
				switch r.IntN(4) {
				case 0:
					_, _ = m.call(handle("W", "w"), fmt.Sprintf("c%d", r.IntN(2)))
				case 1:
					_ = m.e.Resume(t.Context(), "w")
				case 2:
					_ = m.e.Signal(t.Context(), "w", "go", value.Nil, "")
				default:
					m.advance(2 * time.Hour)
				}
				m.settle()
			}
			if out := m.out.String(); strings.Contains(out, "nil") {
				t.Fatalf("seed %d, way %d:\n%s\n%s", seed, way, out, g.script())
			} else {
				seen += strings.Count(out, "seen")
			}
			m.e.Close()
		}
	}
	if accepted < 300 || refused < 300 || dropped > 0 || seen < 500 {
		t.Error("that shows little")
	}
	t.Logf("%d uses accepted, %d refused, %d programs dropped, %d uses seen", accepted, refused, dropped, seen)
}

package sim_test

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes the bodies of random programs.

func (g *generator) block(w *workflow, it *item, level int) {
	b := it.block
	head := " parallel"
	switch b.mode {
	case "settle":
		head += " settle"
	case "first":
		head += " first 1"
	}
	if b.elements {
		var es []string
		for j := range b.branches {
			es = append(es, fmt.Sprint(j))
		}
		head += " for element in [" + strings.Join(es, ", ") + "]"
		if b.max > 0 {
			head += fmt.Sprintf(" max %d", b.max)
		}
	}
	if it.failover >= 0 {
		head += " else f0"
	}
	g.f("%s {", head)
	for j, steps := range b.branches {
		if !b.elements {
			g.f(" branch %s {", b.names[j])
		} else if j > 0 {
			break
		}
		for _, s := range steps {
			step, _, _ := strings.Cut(s.name, ":")
			name := s.name
			if b.elements {
				name = step + ":${element}"
			}
			g.f(" step %s%s {\n  let tag = \"${self.id}|%s|${self.n}|${self.moves}\"\n  var got: [Any] = []", step, g.clauses(), name)
			g.ops(w, level, 1+g.IntN(3))
			how := "next"
			if g.chance(8) {
				how = "fail"
			}
			g.f("  emit Did(\"%s\", tag, got, %q, nil)", name, how)
			if how == "fail" {
				g.f("  if got.length >= 0 { fail \"decided\" }")
			}
			g.f("  tag\n }")
			if s.undoes {
				g.compensation(name)
			}
		}
		if !b.elements {
			g.f(" }")
		}
		if b.undoes[j] {
			g.compensation(b.names[j])
		}
	}
	g.f(" }")
	if it.undoes {
		g.compensation(it.name)
	}
}

func (g *generator) clauses() string {
	s := ""
	if g.chance(40) {
		s += fmt.Sprintf(" retry %d", 1+g.IntN(2))
		if g.chance(60) {
			s += fmt.Sprintf(" backoff %ds", 1+g.IntN(60))
		}
	}
	if g.chance(20) {
		s += fmt.Sprintf(" timeout %ds", 5+g.IntN(60))
	}
	return s
}

func (g *generator) step(w *workflow, i int, it *item, level int) {
	param, given := "", "nil"
	if it.param {
		param, given = "(before)", "before"
	}
	clauses := g.clauses()
	if it.failover >= 0 {
		clauses += " else f0"
	}
	g.f(" step %s%s%s {\n  let tag = \"${self.id}|%s|${self.n}|${self.moves}\"\n  var got: [Any] = []", it.name, param, clauses, it.name)
	g.ops(w, level, g.IntN(4))
	g.f("  self.n += 1")
	did := func(how string) { g.f("  emit Did(%q, tag, got, %q, %s)", it.name, how, given) }
	back := w.items[g.IntN(w.regular)]
	if (back.block == nil && !back.param) && g.chance(25) {
		g.f("  if self.n < 8 {")
		did("goto " + back.name)
		g.f("  goto %s }", back.name)
	}
	last := i >= w.regular-1
	switch n := g.IntN(100); {
	case n < 6:
		did("fail")
		g.f("  if got.length >= 0 { fail \"decided\" }\n  end tag")
	case n < 14 && !last:
		did("pause")
		g.f("  pause \"for somebody\"")
	case n < 22 && !last && (back.block == nil && !back.param) && !w.items[i+1].param:
		g.f("  if self.n < 8 {")
		did("pause then " + back.name)
		g.f("  pause for %ds then %s }", 1+g.IntN(600), back.name)
		did("pause")
		g.f("  pause for 5s")
	case last:
		did("end")
		g.f("  end tag")
	default:
		did("next")
		g.f("  tag")
	}
	g.f(" }")
	if it.undoes {
		g.compensation(it.name)
	}
}

func (g *generator) compensation(name string) {
	clauses := ""
	if g.chance(40) {
		clauses = " retry 1"
	}
	g.f(" compensate(err)%s {", clauses)
	if g.chance(50) {
		g.f("  perform World.call(\"undo|${self.id}|%s|${err.value}\")", name)
	}
	if g.chance(20) {
		g.f("  perform Timer.sleep(%ds)", 1+g.IntN(90))
	}
	g.f("  emit Undid(\"%s\", err.completed, err.value)\n }", name)
}

// ops writes what a step does before it completes.
func (g *generator) ops(w *workflow, level, n int) {
	for k := range n {
		what := fmt.Sprintf("${tag}|%d", k)
		got := func(kind, format string, args ...any) {
			g.f("  got = got + [(%q, %s)]", kind, fmt.Sprintf(format, args...))
		}
		name := pick(g.Rand, signalNames)
		box := pick(g.Rand, boxes)
		other := pick(g.Rand, g.d.ids)
		kind := g.d.known[other]
		kindOfOp := g.IntN(24)
		switch kindOfOp {
		case 0, 1:
			got("call", "\"%s\", perform World.call(\"%s\")", what, what)
		case 2:
			got("tried", "\"%s\", try { perform World.call(\"%s\") } catch e { e.code }", what, what)
		case 3:
			got("once", "\"%s\", try { perform once World.call(\"once|%s\") } catch e { e.code }", what, what)
		case 4:
			d := 1 + g.IntN(300)
			g.f("  let from%d = perform Time.now()\n  perform Timer.sleep(%ds)\n  let to%d = perform Time.now()", k, d, k)
			got("slept", "to%d - from%d >= %ds", k, k, d)
		case 5:
			w.signals[name] = true
			got("signal", "%q, perform Signal.wait(%q)", name, name)
		case 6:
			w.signals[name] = true
			got("signal", "%q, try { perform Signal.wait(%q, timeout: %ds) } catch e { e.code }", name, name, 1+g.IntN(100))
		case 7:
			w.signals["a"], w.signals["b"] = true, true
			d := 1 + g.IntN(200)
			g.f("  let from%d = perform Time.now()", k)
			g.f("  got = got + [select {\n   signal a(p) => (\"signal\", \"a\", p)\n   signal b(p) => (\"signal\", \"b\", p)\n   after %ds => (\"slept\", perform Time.now() - from%d >= %ds)\n  }]", d, k, d)
		case 8, 9:
			got("add", "%q, \"%s\", ask Box(%q).add(\"%s\", 1000)", box, what, box, what)
		case 10:
			got("add", "%q, \"%s\", try { ask Box(%q).add(\"%s\", %d) } catch e { e.code }", box, what, box, what, g.IntN(20))
		case 11:
			g.f("  let seen%d = ask Box(%q).all()", k, box)
			got("saw", "%q, seen%d", box, k)
		case 12:
			got("poke", "%q, \"%s\", try { ask %s(%q).poke(\"%s\") } catch e { e.code }", other, what, kind, other, what)
		case 13:
			if g.takes(kind, name) {
				g.f("  let sent%d = try {\n   signal %s(%q).%s(\"%s\")\n   \"sent\"\n  } catch e { e.code }", k, kind, other, name, what)
				got("sent", "%q, \"%s\", sent%d", other, what, k)
			}
		case 14, 15:
			if level < 2 {
				child := fmt.Sprintf("W%d", level+1+g.IntN(2-level))
				g.f("  let child%d = spawn %s { mark: \"%s\" }", k, child, what)
				got("child", "\"%s\", child%d.id", what, k)
				if g.chance(50) {
					got("end", "child%d.id, try { await child%d } catch e { e.code }", k, k)
				}
			}
		case 16:
			g.f("  perform IO.print(\"P %s\")\n  emit Tried(tag)", what)
			got("printed", "\"P %s\"", what)
		case 17:
			g.f("  if perform Random.int(1, 2) == 1 {")
			got("call", "\"%s|1\", perform World.call(\"%s|1\")", what, what)
			g.f("  } else {")
			got("call", "\"%s|2\", perform World.call(\"%s|2\")", what, what)
			g.f("  }")
		case 18:
			g.f("  let seen%d = ask Box(%q).all()", k, box)
			got("read", "perform World.call(\"read|%s|${seen%d.length}\")", what, k)
		case 19:
			w.signals[name] = true
			got("signal", "%q, perform Signal.wait(%q)", name, name)
		case 20:
			got("ended", "%q, try { await %s(%q) for %ds } catch e { e.code }", other, kind, other, 1+g.IntN(200))
		case 21:
			if g.chance(40) {
				g.f("  try { perform Workflow.cancel(%s(%q)) } catch e { e.code }", kind, other)
			}
		case 22:
			if level < 2 {
				g.f("  let child%d = spawn W2 { mark: \"shared\" } as \"shared\"", k)
				got("child", "\"shared\", child%d.id", k)
			}
		case 23:
			g.f("  if perform World.call(\"%s\") == \"bad\" { throw { code: \"bad\", message: \"the world says so\" } }", what)
		}
		if slices.Contains([]int{5, 6, 7, 19}, kindOfOp) && g.chance(40) {
			got("call", "\"%s|0\", perform World.call(\"%s|0\")", what, what) // that may fail when the signal is taken
		}
	}
}

// takes reports whether what is written of the workflow so far waits for the
// signal: others cannot be sent by name.
func (g *generator) takes(workflow, name string) bool {
	w := g.d.workflows[workflow]
	return w != nil && w.signals[name]
}

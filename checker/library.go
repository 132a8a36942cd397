package checker

import "github.com/wf-lang/wf/lang/program"

// library finds built-ins by name.
type library struct {
	modules map[string]*module
	order   []string // of the modules, as in the table
	conv    map[string]*program.Builtin
	convs   []string
}

// module is the built-ins of one module, effects and functions together.
type module struct {
	ops   map[string]*program.Builtin
	order []string
}

func newLibrary(table []*program.Builtin) library {
	l := library{modules: map[string]*module{}, conv: map[string]*program.Builtin{}}
	for _, b := range table {
		if b.Module == "" {
			l.conv[b.Name] = b
			l.convs = append(l.convs, b.Name)
			continue
		}
		m := l.modules[b.Module]
		if m == nil {
			m = &module{ops: map[string]*program.Builtin{}}
			l.modules[b.Module] = m
			l.order = append(l.order, b.Module)
		}
		m.ops[b.Name] = b
		m.order = append(m.order, b.Name)
	}
	return l
}

// effects lists the modules that have something to perform.
func (l library) effects() []string {
	var out []string
	for _, name := range l.order {
		if len(l.modules[name].names(true)) > 0 {
			out = append(out, name)
		}
	}
	return out
}

// names lists the operations with an effect, or those without.
func (m *module) names(effect bool) []string {
	var out []string
	for _, n := range m.order {
		if (m.ops[n].Effect != 0) == effect {
			out = append(out, n)
		}
	}
	return out
}

// withOp lists "Module.op" for all modules that have a function, or an effect,
// of this name.
func (l library) withOp(op string, effect bool) []string {
	var out []string
	for _, m := range l.order {
		if b := l.modules[m].ops[op]; b != nil && (b.Effect != 0) == effect {
			out = append(out, b.FullName())
		}
	}
	return out
}

package checker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// name lowers a name that stands for a value: a local, a function, a variant.
func (b *body) name(n *ast.Name) program.Expr {
	if v := b.lookup(n.Name); v != nil {
		l := b.read(v, n.Span())
		if k := b.c.names.constants[n.Name]; k != nil && k.name.Span() == v.span && b.c.fold(k) {
			l.Known = &k.value
		}
		return l
	}
	if f := b.c.functionOf(b.actor, n.Name); f != nil {
		b.eitherOf(n, f)
		return b.funcRef(n, f)
	}
	if k := b.constantNamed(n.Name); k != nil {
		return b.constantRef(n, k)
	}
	if v := b.c.names.variants[n.Name]; v != nil {
		return b.variantRef(n, v)
	}
	if a := b.c.names.actors[n.Name]; a != nil {
		b.c.sayActorAsValue(n, a)
		return nothing(n)
	}
	if op := b.c.lib.conv[n.Name]; op != nil {
		return &program.BuiltinRef{At: at(n), Fn: op}
	}
	if b.c.names.types[n.Name] != nil {
		return b.c.schemaOf(n, &ast.NameType{At: n.At, Name: n.Name})
	}
	b.unknown(n)
	return nothing(n)
}

// eitherOf says so if a name could be that of a function or of a constant.
func (b *body) eitherOf(n *ast.Name, f *function) {
	c := b.c
	if k := b.constantNamed(n.Name); k != nil && !c.eitherSaid[n.Name] {
		c.eitherSaid[n.Name] = true
		c.sayDuplicateDecl("constant", ast.Word{At: k.name.At, Name: n.Name}, f.decl.Name.Span())
	}
}

// unknown says that a name means nothing here, and what it might have been.
func (b *body) unknown(n *ast.Name) {
	c := b.c
	if c.broken || n.Name == "" || (b.actor != nil && b.actor.broken) {
		return
	}
	if m := c.lib.modules[n.Name]; m != nil {
		c.sayModuleAsValue(n)
		return
	}
	root := b.root().kind
	stated := root == mainBody || root == outsideBody && c.open
	if v := c.mainVariable(n.Name); v != nil && !stated {
		c.sayMainVariable(n, v.Span())
		return
	}
	candidates := b.locals()
	if b.actor != nil {
		for _, f := range b.actor.allFuncs {
			candidates = append(candidates, f.decl.Name.Name)
		}
	}
	candidates = append(candidates, c.names.funcList...)
	if c.compared <= mostCompared {
		for _, name := range c.names.constList {
			if b.constantNamed(name) != nil {
				candidates = append(candidates, name)
			}
		}
	}
	candidates = append(candidates, c.names.upper...)
	candidates = append(candidates, c.lib.convs...)
	for _, m := range c.lib.order {
		if strings.EqualFold(m, n.Name) {
			candidates = append(candidates, m)
		}
	}
	help := ""
	if b.actor != nil {
		if _, ok := b.actor.fields[n.Name]; ok {
			help = "for the field of the state write `self." + n.Name + "`"
		}
		candidates = append(candidates, "self")
	}
	switch n.Name {
	case "this", "me":
		help = "an instance calls itself `self`: `self.name` is a field of its state"
	case "console", "fmt", "System":
		help = "write `perform IO.print(…)`"
	}
	if isEnding(n.Name) && (b.kind == funcBody || b.kind == lambdaBody || b.kind == queryBody) {
		help = "`" + n.Name + "` as an ending cannot stand in " + b.kind.where() + ": " + letDecide(n.Name)
	}
	if ops := c.lib.withOp(n.Name, true); help == "" && len(ops) > 0 && !isEnding(n.Name) {
		help = "write `perform " + ops[0] + "(…)`"
	}
	var below source.Span
	if v := c.mainVariable(n.Name); v != nil && stated && v.Span().Start > n.Span().Start {
		below = v.Span()
	}
	c.sayUnknownName(n, candidates, c.lib.withOp(n.Name, false), help, below)
}

// isEnding reports whether a word alone may end a step or command.
func isEnding(word string) bool { return word == "end" || word == "pause" || word == "delete" }

// mainVariable finds a name that a top-level statement binds.
func (c *checker) mainVariable(name string) ast.Node {
	if c.mainNames == nil {
		c.mainNames = map[string]ast.Node{}
		for _, s := range c.names.main {
			walk(s, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BindPattern:
					if c.mainNames[n.Name] == nil {
						c.mainNames[n.Name] = n
					}
				case *ast.RecordPattern:
					for _, f := range n.Fields {
						if len(f.Pattern) == 0 && c.mainNames[f.Key.Name] == nil {
							c.mainNames[f.Key.Name] = f.Key
						}
					}
				case *ast.Lambda:
					return false
				}
				return true
			})
		}
	}
	return c.mainNames[name]
}

// funcRef is a named function used as a value.
func (b *body) funcRef(n *ast.Name, f *function) program.Expr {
	b.uses(f)
	b.info.calls = append(b.info.calls, call{span: n.Span(), to: f.info, value: true})
	if f.owner != nil {
		return &program.Lambda{At: at(n), Fn: f.prog}
	}
	return &program.FuncRef{At: at(n), Fn: f.prog}
}

// uses notes that a function is named; by itself it does not count.
func (b *body) uses(f *function) {
	if b.root().info == f.info {
		f.recursive = true
	} else {
		f.used = true
	}
}

// variantRef is a variant's name alone: its only value, or its constructor.
func (b *body) variantRef(n *ast.Name, v *variant) program.Expr {
	if len(v.names) == 0 {
		return &program.VariantExpr{At: at(n), Name: v.name}
	}
	fn := &program.Func{Span: n.Span(), Slots: len(v.names)}
	made := &program.VariantExpr{At: at(n), Name: v.name, Names: v.names}
	for i, name := range v.names {
		fn.Params = append(fn.Params, program.Param{Name: name})
		made.Fields = append(made.Fields, &program.Local{At: at(n), Slot: i, Name: name})
	}
	fn.Body = made
	return &program.Lambda{At: at(n), Fn: fn}
}

// upperCase and lowerCase refuse a declared name with the wrong first letter.
func (c *checker) upperCase(w ast.Word, what string) {
	if r, _ := utf8.DecodeRuneInString(w.Name); w.Name != "" && !unicode.IsUpper(r) {
		c.sayLetterCase(w, what, true)
	}
}

func (c *checker) lowerCase(w ast.Word, what string) {
	if r, _ := utf8.DecodeRuneInString(w.Name); unicode.IsUpper(r) {
		c.sayLetterCase(w, what, false)
	}
}

// isUpper reports whether a name begins with an upper-case letter.
func isUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

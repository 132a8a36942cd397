package checker

import (
	"slices"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
)

// declarations are the names of a program's top level. Values (actors and
// variants), types, functions and events have a space of their own each; an
// actor is a type as well.
type declarations struct {
	actors   map[string]*actor
	order    []*actor
	variants map[string]*variant
	types    map[string]*ast.TypeDecl
	funcs    map[string]*function
	allFuncs []*function // in the order of the text
	events   map[string]*ast.EventDecl
	// constants are the top-level names that mean a value everywhere.
	constants map[string]*constDecl
	constList []string
	main      []*ast.Statement
	tests     []*ast.Test
	// asVariants are the events as tests see them, once there is a test.
	asVariants map[string]*variant
	mainFile   source.Span
	upper      []string // names of actors and variants, for suggestions
	typeList   []string
	funcList   []string
}

// actor is a workflow or entity with what is known about it. Agents are among
// them by name only.
type actor struct {
	decl     *ast.Workflow
	prog     *program.Workflow
	kind     ast.ActorKind
	funcs    map[string]*function
	allFuncs []*function
	fields   map[string]int // slots
	declared bool           // it has `state` lines
	broken   bool           // a member could not be read: its names are not all known
	unread   bool           // a member, or something in one, could not be read
	steps    map[string]*stepInfo
	branches map[string]ast.Word
	stepList []string
	commands []*handlerInfo
	queries  []*handlerInfo
	signals  []*signalInfo       // the declared ones
	reported map[string]bool     // unknown fields already spoken of
	stateOf  map[string]ast.Type // the written types of declared fields
}

// function is a named function.
type function struct {
	decl  *ast.FnDecl
	owner *actor // nil at top level
	prog  *program.Func
	info  *info
	used  bool // by others
	main  bool // declared in the main file

	recursive bool

	// What it assigns and names, once somebody has looked.
	looked  bool
	assigns []ast.Word
	names   []*function
}

// variant is one alternative of a declared sum type, or of the two that every
// program has.
type variant struct {
	name   string
	typ    string
	span   source.Span // zero if predeclared
	names  []string
	fields []ast.VField
	peers  []string // all alternatives of the type
}

func newDeclarations() *declarations {
	d := &declarations{
		actors:   map[string]*actor{},
		variants: map[string]*variant{},
		types:    map[string]*ast.TypeDecl{},
		funcs:    map[string]*function{},
		events:   map[string]*ast.EventDecl{},

		constants: map[string]*constDecl{},
	}
	option, result := []string{"Some", "None"}, []string{"Ok", "Err"}
	for _, v := range []*variant{
		{name: "Some", typ: "Option", names: []string{""}, peers: option},
		{name: "None", typ: "Option", peers: option},
		{name: "Ok", typ: "Result", names: []string{""}, peers: result},
		{name: "Err", typ: "Result", names: []string{""}, peers: result},
	} {
		d.variants[v.name] = v
		d.upper = append(d.upper, v.name)
	}
	return d
}

// collect notes what a file declares.
func (c *checker) collect(f *ast.File, isMain bool) {
	if isMain {
		c.names.mainFile = f.Span()
	}
	mainBroken := false
	for _, it := range f.Items {
		switch it := it.(type) {
		case *ast.Statement:
			if !(isMain && c.open) && !c.collectConstant(it, isMain) && !isMain {
				c.sayStatementInImport(it.Span())
			}
			if !isMain {
				continue
			}
			c.names.main = append(c.names.main, it)
			switch {
			case broken(it):
				c.silent(it)
				mainBroken = true
			case mainBroken: // it may read what was declared before it
				c.mute = append(c.mute, silence{all: it.Span(), unread: c.mute[len(c.mute)-1].after(it)})
			}
			continue
		case *ast.BadItem:
			c.broken = true
		case *ast.Workflow:
			// Its members are looked at one by one.
		default:
			if broken(it) {
				c.silent(it)
			}
		}
		c.collectItem(it, isMain)
	}
}

func (c *checker) collectItem(it ast.Item, isMain bool) {
	if nameless(it) {
		c.broken = true
		c.silent(it)
	}
	switch it := it.(type) {
	case *ast.Workflow:
		c.collectActor(it, isMain)
	case *ast.TypeDecl:
		c.collectType(it)
	case *ast.EventDecl:
		c.upperCase(it.Name, "event")
		if old := c.names.events[it.Name.Name]; old != nil {
			c.sayDuplicateDecl("event", it.Name, old.Name.Span())
			return
		}
		c.names.events[it.Name.Name] = it
		c.prog.Events = append(c.prog.Events, &program.EventDecl{Name: it.Name.Name, Fields: fieldNames(it.Fields)})
	case *ast.FnDecl:
		c.lowerCase(it.Name, "function")
		f := &function{decl: it, main: isMain, prog: &program.Func{Name: it.Name.Name, Span: it.Name.Span()}}
		c.names.allFuncs = append(c.names.allFuncs, f)
		if old := c.names.funcs[it.Name.Name]; old != nil {
			c.sayDuplicateDecl("function", it.Name, old.decl.Name.Span())
			return
		}
		c.names.funcs[it.Name.Name] = f
		c.names.funcList = append(c.names.funcList, it.Name.Name)
		c.prog.Funcs = append(c.prog.Funcs, f.prog)
	case *ast.Test:
		c.collectTest(it)
	case *ast.Import, *ast.BadItem:
	default:
		c.sayMisplaced(it, "the top level", "it belongs into a workflow or entity")
	}
}

// valueSpan finds the place of an actor or variant of this name.
func (d *declarations) valueSpan(name string) (source.Span, bool) {
	if a := d.actors[name]; a != nil {
		return a.decl.Name.Span(), true
	}
	if v := d.variants[name]; v != nil {
		return v.span, true
	}
	return source.Span{}, false
}

// typeSpan finds the place of a type or actor of this name.
func (d *declarations) typeSpan(name string) (source.Span, bool) {
	if a := d.actors[name]; a != nil {
		return a.decl.Name.Span(), true
	}
	if t := d.types[name]; t != nil {
		return t.Name.Span(), true
	}
	return source.Span{}, slices.Contains(baseNames(), name)
}

func (c *checker) collectType(t *ast.TypeDecl) {
	c.upperCase(t.Name, "type")
	if old, ok := c.names.typeSpan(t.Name.Name); ok {
		c.sayDuplicateDecl("type", t.Name, old)
		if c.names.types[t.Name.Name] != nil {
			return
		}
		// its variants are declared, so that nothing is said of their uses
	}
	c.names.types[t.Name.Name] = t
	c.names.typeList = append(c.names.typeList, t.Name.Name)
	var peers []string
	for _, v := range t.Variants {
		peers = append(peers, v.Name.Name)
	}
	for _, v := range t.Variants {
		c.upperCase(v.Name, "variant")
		if old, ok := c.names.valueSpan(v.Name.Name); ok {
			c.sayDuplicateDecl("variant", v.Name, old)
			continue
		}
		c.names.variants[v.Name.Name] = &variant{
			name: v.Name.Name, typ: t.Name.Name, span: v.Name.Span(),
			names: fieldNames(v.Fields), fields: v.Fields, peers: peers,
		}
		c.names.upper = append(c.names.upper, v.Name.Name)
	}
}

func (c *checker) collectActor(w *ast.Workflow, isMain bool) {
	c.upperCase(w.Name, w.Kind.Keyword())
	a := &actor{
		decl: w, kind: w.Kind, funcs: map[string]*function{}, fields: map[string]int{},
		steps: map[string]*stepInfo{}, branches: map[string]ast.Word{}, reported: map[string]bool{}, stateOf: map[string]ast.Type{},
		prog: &program.Workflow{Name: w.Name.Name, Entity: w.Kind == ast.KindEntity, Span: w.Name.Span()},
	}
	c.names.order = append(c.names.order, a)
	for _, m := range w.Members {
		if _, bad := m.(*ast.BadItem); bad || nameless(m) {
			a.broken = true
		}
		if broken(m) || nameless(m) {
			a.unread = true
			c.silent(m)
		}
		if fn, ok := m.(*ast.FnDecl); ok {
			c.collectMemberFunc(a, fn, isMain)
		}
	}
	if old, ok := c.names.valueSpan(w.Name.Name); ok {
		c.sayDuplicateDecl(w.Kind.Keyword(), w.Name, old)
		return
	}
	if old, ok := c.names.typeSpan(w.Name.Name); ok {
		c.sayDuplicateDecl(w.Kind.Keyword(), w.Name, old)
		return
	}
	if w.Name.Name == program.MainName {
		return // the letter case was spoken of
	}
	c.names.actors[w.Name.Name] = a
	c.names.upper = append(c.names.upper, w.Name.Name)
	if w.Kind != ast.KindAgent {
		c.prog.Actors = append(c.prog.Actors, a.prog)
	}
}

func (c *checker) collectMemberFunc(a *actor, fn *ast.FnDecl, isMain bool) {
	c.lowerCase(fn.Name, "function")
	f := &function{decl: fn, owner: a, main: isMain, prog: &program.Func{Name: fn.Name.Name, Span: fn.Name.Span()}}
	a.allFuncs = append(a.allFuncs, f)
	if old := a.funcs[fn.Name.Name]; old != nil {
		c.sayDuplicateMember("function", fn.Name, old.decl.Name.Span())
		return
	}
	a.funcs[fn.Name.Name] = f
}

// fieldNames are the names of a variant's or event's fields, nil without any.
func fieldNames(fs []ast.VField) []string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Name.Name)
	}
	return out
}

// nameless reports whether a declaration was read without the name it should
// have. Others may use that name, so nothing is said about unknown ones.
func nameless(it ast.Item) bool {
	name, _, ok := ast.Declared(it)
	return ok && name.Name == ""
}

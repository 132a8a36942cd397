// Package checker turns trees into a program: names become slots and targets
// indices, sugar goes away, and whatever breaks a rule of the language is said
// in a diagnostic that points at both sides of the conflict.
//
// It knows the trees (ast), the form the evaluator reads (program), and the
// signatures of the built-ins that its caller hands in; it knows no parser, no
// evaluator and no library.
//
// The work goes in four passes. First all declarations of all files are
// collected, so that the order of the text does not matter. Then the state of
// every actor is settled: the fields of a workflow that declares none are those
// that its bodies, the functions they call and the spawns of it give. Then
// every body is lowered; on the way each function notes what it does and whom
// it calls. Last, these notes are closed over the call graph, functions that
// come out of data included (borrowed.go), the values of the lowered bodies get
// their types (typing.go), of which tests and patterns leave a part (narrow.go)
// and steps something for those behind them (certain.go), and the rules about
// effects, conflicts and reachability are checked.
//
// One file holds one concern; every diagnostic is made by a constructor of its
// own in the files say_*.go, with a code that package diag explains.
package checker

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// Options say against what a program is checked.
type Options struct {
	Builtins []*program.Builtin
	// Refuse reports whether a feature cannot be run; nil refuses nothing.
	// NotYet names them all.
	Refuse func(feature string) bool
}

// Check resolves the files of a program, the main file first. The program is
// nil only if there are errors.
func Check(files []*ast.File, set *source.Set, builtins []*program.Builtin) (*program.Program, diag.List) {
	return CheckWith(files, set, Options{Builtins: builtins, Refuse: NotYet})
}

// CheckWith is Check with a choice of what is refused.
func CheckWith(files []*ast.File, set *source.Set, o Options) (*program.Program, diag.List) {
	c := newChecker(set, o)
	for i, f := range files {
		if f != nil {
			c.collect(f, i == 0)
		}
	}
	c.settleState()
	c.lowerAll()
	c.finish()
	list := c.audible()
	list.Sort()
	return c.prog, list
}

func newChecker(set *source.Set, o Options) *checker {
	return &checker{
		set:    set,
		refuse: o.Refuse,
		lib:    newLibrary(o.Builtins),
		names:  newDeclarations(),
		byFunc: map[*program.Func]*info{}, borrowedAt: map[program.Expr][]*info{}, borrowers: map[*program.Func]bool{},
		kept: map[source.Span]bool{}, eitherSaid: map[string]bool{}, letTypes: map[*program.Let]ast.Type{}, patternAt: map[program.Pattern]source.Span{}, byKey: map[source.Span]bool{},
		constants: map[*program.Const]*constDecl{}, namedConstants: map[source.Span]bool{}, sentTo: map[*program.SignalSend]*actor{},
		schemaOfType: map[string]value.Value{}, typeNamed: map[string]program.Type{},
		prog: &program.Program{Hash: hash(set), Files: set},
	}
}

// finish checks the rules for which all bodies have to be lowered.
func (c *checker) finish() {
	c.closeEffects()
	c.checkDeclaredSignals()
	c.checkBorrowed()
	c.checkValues()
	c.checkClauseValues()
	c.checkEffects()
	for _, rule := range c.later {
		rule()
	}
	c.checkSecrets()
	c.checkHints()
	c.checkIdle()
}

// checker is one run of Check.
type checker struct {
	set    *source.Set
	refuse func(string) bool
	diags  diag.List
	lib    library
	names  *declarations
	prog   *program.Program

	infos  []*info // of all functions, in the order in which they were met
	byFunc map[*program.Func]*info
	// standIns do what any of several functions does, borrowedAt are those
	// that an expression calls.
	standIns   []*info
	borrowedAt map[program.Expr][]*info
	borrowers  map[*program.Func]bool // those that may call what comes out of data
	kept       map[source.Span]bool   // names of functions that are only put into data
	later      []func()               // rules that need the effects of everything
	given      map[string][]ast.Word  // fields that spawns give, by workflow
	// letTypes are the types that are written behind local names.
	letTypes map[*program.Let]ast.Type
	// sentTo are the receivers of signals, as far as types tell.
	sentTo map[*program.SignalSend]*actor
	// byKey are the names in record patterns that are those of their fields.
	byKey map[source.Span]bool
	// described are the constants that are schemas, with the types they are of.
	described map[*program.Const]ast.Type
	// schemaOfType are the schemas of types that are variants or in themselves.
	schemaOfType map[string]value.Value
	typeNamed    map[string]program.Type // declared types that were resolved and have no type left open
	leftOpen     int                     // types inside themselves that were left open so far
	openBefore   int                     // of them, before the type that is resolved now
	// constants are the places where constants are named.
	constants map[*program.Const]*constDecl
	// namedConstants are the names of constants, by place, that something names.
	namedConstants map[source.Span]bool
	// mainNames are the names that top-level statements bind; nil until somebody
	// asks.
	mainNames  map[string]ast.Node
	foldedSize int // of what operators have made of constants
	// eitherSaid are the names of constants and functions of which that is said.
	eitherSaid map[string]bool
	// unfoldedFor is why the constant that is being computed has no value.
	unfoldedFor string
	// patternAt is where a pattern stands.
	patternAt map[program.Pattern]source.Span
	mute      []silence
	// tests are the operations of tests, by name; nil until there is a test.
	tests map[string]*program.Builtin
	// compared counts the words that were compared for suggestions.
	compared int
	// broken says that a whole declaration could not be read: what it
	// declared is unknown, so nothing is said about unknown names.
	broken bool
	// tracer and queries, the functions that the program gives back, are nil
	// until somebody asks.
	tracer  *tracer
	queries *[]*program.FuncRef
	// open says that more is to come: a field that a workflow without `state`
	// lines only reads may be given by a spawn that is not there yet.
	open bool
}

// add is the only way to the list of diagnostics.
func (c *checker) add(d diag.Diagnostic) { c.diags.Add(d) }

// audible leaves out what lies in a part that could not be read, and what is
// said twice about one place.
func (c *checker) audible() diag.List {
	type key struct {
		code diag.Code
		span source.Span
	}
	said := make(map[key]bool)
	var out diag.List
	for _, d := range c.diags {
		k := key{d.Code, d.Span}
		if c.muted(d) || said[k] || (c.broken && d.Severity == diag.Warning) {
			continue
		}
		said[k] = true
		out = append(out, d)
	}
	return out
}

// unread reports whether some part of the program could not be read: then nobody
// knows what it does nowhere.
func (c *checker) unread() bool { return c.broken || len(c.mute) > 0 }

func (c *checker) muted(d diag.Diagnostic) bool {
	for _, m := range c.mute {
		if begins(m.all, d.Span) && (!aboutNames(d.Code) || slices.ContainsFunc(m.unread, func(s source.Span) bool { return begins(s, d.Span) })) {
			return true
		}
	}
	return false
}

// begins reports whether s begins in m.
func begins(m, s source.Span) bool {
	return m.File == s.File && m.Start <= s.Start && s.Start < max(m.End, m.Start+1)
}

// aboutNames reports whether a code is about names and calls of what is declared
// elsewhere. What could not be read in an inner block declares nothing for the
// code around it, so such a mistake there is one in any case.
func aboutNames(code diag.Code) bool {
	return strings.HasPrefix(string(code), "WF20") || strings.HasPrefix(string(code), "WF22")
}

// hash is the version of a program: over the names and texts of its files.
func hash(set *source.Set) string {
	h := sha256.New()
	if set != nil {
		for _, f := range set.Files {
			name := f.Name[strings.LastIndexAny(f.Name, `/\`)+1:]
			h.Write([]byte(name + "\x00" + f.Text + "\x00"))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/persist"
)

// Compile parses and checks the files of a program, the main one first. The
// program is nil if there are errors.
func Compile(set *source.Set, builtins []*program.Builtin) (*program.Program, diag.List) {
	prog, all := compile(set, builtins)
	if all.HasErrors() {
		return nil, all
	}
	return prog, all
}

// compile gives a program also if there are errors. It means something if none
// of them is about what it means.
func compile(set *source.Set, builtins []*program.Builtin) (*program.Program, diag.List) {
	var all diag.List
	files := make([]*ast.File, len(set.Files))
	for i, f := range set.Files {
		tree, ds := parser.Parse(f, uint16(i))
		files[i] = tree
		all = append(all, ds...)
	}
	prog, ds := checker.Check(files, set, builtins)
	all = append(all, diag.Beside(set, all, ds)...)
	all.Sort()
	return prog, all
}

// programs keeps the checked programs of a store's versions.
type programs struct {
	store    persist.Store
	builtins []*program.Builtin

	mu     sync.Mutex
	byHash map[string]*program.Program // guarded by mu
}

func (p *programs) init(s persist.Store, builtins []*program.Builtin) {
	p.store, p.builtins, p.byHash = s, builtins, map[string]*program.Program{}
}

// builtin finds a builtin that a stored value names, nil if there is none.
func (p *programs) builtin(name string) *program.Builtin {
	for _, b := range p.builtins {
		if b.FullName() == name {
			return b
		}
	}
	return nil
}

func (p *programs) put(prog *program.Program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byHash[prog.Hash] == nil {
		p.byHash[prog.Hash] = prog
	}
}

// Program gives a program of the store by its hash, as Summary has it.
func (e *Engine) Program(ctx context.Context, hash string) (*program.Program, error) {
	return e.progs.get(ctx, hash)
}

// get gives the program of a hash, from memory or from the text in the store.
func (p *programs) get(ctx context.Context, hash string) (*program.Program, error) {
	p.mu.Lock()
	prog := p.byHash[hash]
	p.mu.Unlock()
	if prog != nil {
		return prog, nil
	}
	stored, err := p.store.Program(ctx, hash)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", hash, err)
	}
	set, err := decodeFiles(stored.Body)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", hash, err)
	}
	prog, ds := compile(set, p.builtins)
	for _, d := range ds {
		if d.Severity == diag.Error && !d.Code.Rule() {
			at := set.Position(d.Span)
			return nil, fmt.Errorf("this version of wf cannot read program %s: %s:%d:%d: %s (%s)", hash, at.File, at.Line, at.Column, d.Message, d.Code)
		}
	}
	if prog.Hash != hash {
		return nil, fmt.Errorf("program %s: %w: its text has the hash %s", hash, persist.ErrDamaged, prog.Hash)
	}
	p.put(prog)
	return prog, nil
}

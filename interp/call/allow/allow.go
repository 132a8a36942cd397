// Package allow says what the scripts of a process may do outside: which hosts
// they may reach, which programs run, which files and variables read and write.
//
// Nothing is allowed that was not allowed, and what is denied is denied whatever
// is allowed beside it. A rule is checked where the thing happens: a host before
// it is looked up and its address when it is dialled, a file where it really
// lies. Private addresses are never part of "the network": each needs an entry
// of its own.
package allow

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is one capability.
type Kind uint8

// The capabilities.
const (
	Net Kind = iota
	Exec
	Read
	Write
	Env
	kinds
)

// Kinds lists all capabilities.
func Kinds() []Kind { return []Kind{Net, Exec, Read, Write, Env} }

// String is the capability as in its flags: "net" of --allow-net.
func (k Kind) String() string {
	return [...]string{"net", "exec", "read", "write", "env"}[k]
}

// Entries are what the flags of one capability say: everything, or a list.
type Entries struct {
	All  bool
	List []string
}

// Config is what the rules are made of. The zero Config allows nothing.
type Config struct {
	All   bool // everything that is not denied, private addresses too
	Allow [kinds]Entries
	Deny  [kinds]Entries
	// Dir is where relative paths begin, absolute.
	Dir string
	// Protected are files and folders that are never a script's business,
	// whatever is allowed: the store, the configuration.
	Protected []string
	// LookPath finds a program as the system would.
	LookPath func(name string) (string, error)
}

// Rules decide. They never change.
type Rules struct {
	all       bool
	allow     [kinds]rule
	deny      [kinds]rule
	dir       string
	protected []string
	lookPath  func(string) (string, error)
}

// A rule is what one flag says, ready to be compared.
type rule struct {
	all   bool
	nets  []netEntry
	list  []string // programs as written, variables
	paths []string // absolute
}

// New makes rules. An error names the entry that cannot be read.
func New(c Config) (*Rules, error) {
	r := &Rules{all: c.All, dir: c.Dir, protected: c.Protected, lookPath: c.LookPath}
	for _, k := range Kinds() {
		var err error
		if r.allow[k], err = r.rule(k, c.Allow[k]); err != nil {
			return nil, fmt.Errorf("--allow-%s: %w", k, err)
		}
		if r.deny[k], err = r.rule(k, c.Deny[k]); err != nil {
			return nil, fmt.Errorf("--deny-%s: %w", k, err)
		}
	}
	return r, nil
}

func (r *Rules) rule(k Kind, e Entries) (rule, error) {
	out := rule{all: e.All}
	for _, text := range e.List {
		switch k {
		case Net:
			n, err := parseEntry(text)
			if err != nil {
				return out, err
			}
			out.nets = append(out.nets, n)
		case Read, Write:
			if text == "" {
				return out, fmt.Errorf("an entry is empty")
			}
			out.paths = append(out.paths, r.abs(text))
		default:
			if text == "" {
				return out, fmt.Errorf("an entry is empty")
			}
			out.list = append(out.list, text)
		}
	}
	return out, nil
}

func (r *Rules) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.dir, path)
	}
	return filepath.Clean(path)
}

// A Denied is the error of something that is not allowed.
type Denied struct {
	Kind Kind
	What string // what was wanted: "to reach example.com:443"
	Why  string // "" if it just was not allowed
	Flag string // the flag that would allow it, "" if none would
}

func (d *Denied) Error() string {
	s := "it is not allowed " + d.What
	if d.Why != "" {
		s += ": " + d.Why
	}
	if d.Flag != "" {
		s += "; " + d.Flag + " allows it"
	}
	return s
}

// denied is the error of what no flag allows; denying flags win.
func denied(k Kind, what, entry string) *Denied {
	return &Denied{Kind: k, What: what, Flag: Flag(k, entry)}
}

func (r *Rules) forbidden(k Kind, what string) *Denied {
	return &Denied{Kind: k, What: what, Why: "--deny-" + k.String() + " forbids it"}
}

// Flag is the flag that allows an entry, or several with commas between them, as
// a shell takes it.
func Flag(k Kind, entry string) string {
	if strings.ContainsAny(entry, " \t'\"$\\*?;&|<>()") {
		entry = "'" + strings.ReplaceAll(entry, "'", `'\''`) + "'"
	}
	return "--allow-" + k.String() + "=" + entry
}

// Some says with a *Denied that nothing of a capability is allowed at all.
func (r *Rules) Some(k Kind) error {
	a := &r.allow[k]
	if !r.deny[k].all && (r.all || a.all || len(a.nets)+len(a.list)+len(a.paths) > 0) {
		return nil
	}
	what := [...]string{"to reach hosts", "to run programs", "to read files", "to write files", "to read variables"}[k]
	if r.deny[k].all {
		return r.forbidden(k, what)
	}
	return denied(k, what, "…")
}

// Variable decides about reading a variable of the environment.
func (r *Rules) Variable(name string) error {
	what := "to read the variable " + name
	switch {
	case strings.HasPrefix(strings.ToUpper(name), "WF_SECRET_"), strings.EqualFold(name, "WF_LLM_API_KEY"):
		return &Denied{Kind: Env, What: what, Why: "it holds a secret, which only Secret.get gives"}
	case r.deny[Env].all, slices.Contains(r.deny[Env].list, name):
		return r.forbidden(Env, what)
	case r.all, r.allow[Env].all, slices.Contains(r.allow[Env].list, name):
		return nil
	}
	return denied(Env, what, name)
}

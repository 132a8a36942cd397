// Package needs says what a program wants from the world outside, as far as its
// text tells: the hosts, programs, files, variables and secrets that its calls
// name, and that there are calls that compute them.
package needs

import (
	"cmp"
	"errors"
	"io/fs"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"
)

// Kind is what is needed: a capability, or what configuration gives.
type Kind uint8

// The kinds.
const (
	Capability Kind = iota
	Secret
	Model
)

// A Need is what one call of a program needs.
type Need struct {
	Kind Kind
	Cap  allow.Kind // of a Capability
	// What is the host with its port, the program, the path (or the folder that
	// it begins with, and a slash), the variable, or the name of the secret; "" if
	// the program computes it.
	What string
	Op   string // "Http.get"
	Main bool   // only the program itself needs it, none of its workflows
	At   source.Span
}

// Of lists what a program needs, in the order of its text.
func Of(p *program.Program) []Need {
	var out []Need
	for _, call := range p.Performs {
		n := Need{Op: call.Op.FullName(), Main: call.Main, At: call.Place}
		arg := func(i int) string {
			text, whole := beginning(call.Args, i)
			if !whole {
				return ""
			}
			return text
		}
		switch call.Op.Module {
		case "Http":
			n.Cap, n.What = allow.Net, hostOf(beginning(call.Args, 0))
		case "Exec":
			n.Cap, n.What = allow.Exec, arg(0)
		case "Env":
			n.Cap, n.What = allow.Env, arg(0)
		case "File":
			n.Cap, n.What = allow.Read, pathOf(beginning(call.Args, 0))
			if slices.Contains([]string{"write", "append", "delete"}, call.Op.Name) {
				n.Cap = allow.Write
			}
		case "LLM":
			n.Kind = Model
		case "Secret":
			if call.Op.Name != "get" {
				continue
			}
			n.Kind, n.What = Secret, arg(0)
		default:
			continue
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b Need) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Start, b.At.Start))
	})
	return out
}

// beginning is the text that an argument certainly begins with, and whether that
// is all of it.
func beginning(args []program.Expr, i int) (text string, whole bool) {
	if i >= len(args) {
		return "", false
	}
	if v, ok := constant(args[i]); ok {
		return v.AsString()
	}
	switch e := args[i].(type) {
	case *program.Text:
		for k, x := range e.Parts {
			part, all := beginning(e.Parts, k)
			if v, ok := constant(x); ok {
				part, all = v.Text(), true
			}
			if text += part; !all {
				return text, false
			}
		}
		return text, true
	case *program.Binary:
		if e.Op == program.Add {
			text, whole = beginning([]program.Expr{e.X}, 0)
			if whole {
				var more string
				more, whole = beginning([]program.Expr{e.Y}, 0)
				text += more
			}
			return text, whole
		}
	case *program.CallBuiltin:
		if e.Fn.FullName() == "Secret.join" {
			text, _ = beginning(e.Args, 0)
		}
	}
	return "", false
}

// constant is the value of an expression that is a constant.
func constant(e program.Expr) (value.Value, bool) {
	switch e := e.(type) {
	case *program.Const:
		return e.Value, true
	case *program.Local:
		if e.Known != nil {
			return *e.Known, true
		}
	}
	return value.Nil, false
}

// hostOf is the host of an address that begins so, "" if it may still change.
func hostOf(text string, whole bool) string {
	_, rest, ok := strings.Cut(text, "://")
	if !ok || !whole && !strings.ContainsAny(rest, "/?#") {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := u.Hostname()
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() {
		host = "[" + host + "]"
	}
	switch {
	case u.Port() != "":
		return host + ":" + u.Port()
	case u.Scheme == "http":
		return host + ":80"
	}
	return host
}

// pathOf is a path that begins so; of one that is computed the folder that it
// certainly begins with, with a slash at its end, and "" if there is none.
func pathOf(text string, whole bool) string {
	if whole {
		return text
	}
	return text[:strings.LastIndexByte(text, '/')+1]
}

// Flags are the flags that allow all that is known; open lists the capabilities
// of which something is computed.
func Flags(all []Need) (flags []string, open []allow.Kind) {
	for _, k := range allow.Kinds() {
		var entries []string
		computed := false
		for _, n := range all {
			if n.Kind != Capability || n.Cap != k {
				continue
			}
			entry := n.entry()
			computed = computed || entry == ""
			if entry != "" && !slices.Contains(entries, entry) {
				entries = append(entries, entry)
			}
		}
		if len(entries) > 0 {
			flags = append(flags, allow.Flag(k, strings.Join(entries, ",")))
		}
		if computed {
			open = append(open, k)
		}
	}
	return flags, open
}

// entry is what stands in the flag: of a file its folder, or the file itself.
func (n Need) entry() string {
	if n.What == "" || n.Cap != allow.Read && n.Cap != allow.Write || n.Op == "File.list" && !strings.HasSuffix(n.What, "/") {
		return n.What
	}
	if strings.HasSuffix(n.What, "/") {
		return filepath.Clean(n.What)
	}
	return allow.FileEntry(n.What)
}

// Denied says why a need is not met by rules, nil if it is or if that cannot be
// said before the call. An allowed folder that does not exist refuses nothing:
// the call answers not_found, unless the folder is there by then.
func (n Need) Denied(r *allow.Rules) error {
	if n.Kind != Capability {
		return nil
	}
	if n.What == "" {
		return r.Some(n.Cap)
	}
	switch n.Cap {
	case allow.Net:
		u, err := url.Parse("https://" + n.What)
		if err != nil {
			return nil
		}
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil {
			port = 443
		}
		host := u.Hostname()
		if name, err := allow.HostName(host); err == nil {
			host = name
		}
		return r.Host(host, uint16(port))
	case allow.Exec:
		_, err := r.Program(n.What)
		return err
	case allow.Env:
		return r.Variable(n.What)
	}
	look := r.Path
	if n.Op == "File.list" {
		look = r.Folder
	}
	place, err := look(n.Cap, n.What)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		err = place.Close()
	}
	return err
}

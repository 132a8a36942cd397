package types

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Read reads a type from its notation, as the signatures of built-ins have it.
// A single upper-case letter is a variable. What cannot be read is Any.
func Read(text string) *Type {
	r := &reader{text: text}
	t := r.read()
	if r.skip(); r.bad || r.text != "" {
		return Any()
	}
	return t
}

// reader takes a notation apart from its front.
type reader struct {
	text string
	bad  bool
}

func (r *reader) skip() { r.text = strings.TrimLeft(r.text, " ") }

func (r *reader) take(s string) bool {
	r.skip()
	rest, ok := strings.CutPrefix(r.text, s)
	if ok {
		r.text = rest
	}
	return ok
}

func (r *reader) need(s string) {
	if !r.take(s) {
		r.bad = true
	}
}

func (r *reader) word() string {
	r.skip()
	n := 0
	for n < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[n:])
		if c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		n += size
	}
	w := r.text[:n]
	r.text = r.text[n:]
	return w
}

func (r *reader) read() *Type {
	t := r.head()
	for !r.bad && r.take("?") {
		t = Optional(t)
	}
	return t
}

func (r *reader) head() *Type {
	switch {
	case r.bad:
		return Any()
	case r.take("["):
		t := List(r.read())
		r.need("]")
		return t
	case r.take("("):
		return Tuple(r.list(")")...)
	case r.take("{"):
		return r.fields()
	case r.take("fn("):
		ps := r.list(")")
		r.need("->")
		return Func(ps, r.read())
	}
	return r.named()
}

func (r *reader) list(end string) []*Type {
	var out []*Type
	for !r.bad && !r.take(end) {
		if len(out) > 0 {
			r.need(",")
		}
		out = append(out, r.read())
	}
	return out
}

func (r *reader) fields() *Type {
	out := &Type{Kind: RecordKind}
	for !r.bad && !r.take("}") {
		if len(out.Keys) > 0 {
			r.need(",")
		}
		key := r.word()
		r.need(":")
		t := r.read()
		if key == "String" && len(out.Keys) == 0 {
			r.need("}")
			return Map(t)
		}
		out.Keys, out.Elem = append(out.Keys, key), append(out.Elem, t)
	}
	return out
}

func (r *reader) named() *Type {
	w := r.word()
	if w == "Schema" && r.take("(") {
		t := Schema(r.read())
		r.need(")")
		return t
	}
	if len(w) == 1 && w[0] >= 'A' && w[0] <= 'Z' {
		return &Type{Kind: VarKind, Name: w}
	}
	if t, ok := Named(w); ok {
		return t
	}
	if w == "" {
		r.bad = true
	}
	return Any()
}

// Named finds a type that needs no declaration, by its name.
func Named(name string) (*Type, bool) {
	for k := AnyKind; k <= SecretKind; k++ {
		if k != NeverKind && names[k] == name {
			return Of(k), true
		}
	}
	return nil, false
}

// Bindings are the variables of a signature with what a call has shown them to
// be.
type Bindings map[string]*Type

// Learn compares a parameter's type with that of its argument and notes what
// its variables are.
func (b Bindings) Learn(param, arg *Type) {
	switch {
	case param.Kind == VarKind:
		if old, ok := b[param.Name]; ok {
			arg = Join(old, arg)
		}
		b[param.Name] = arg
		return
	case param.Kind == OptionalKind && arg.Kind != OptionalKind:
		b.Learn(param.Elem[0], arg)
		return
	case param.Kind == MapKind && arg.Kind == RecordKind:
		for _, e := range arg.Elem {
			b.Learn(param.Elem[0], e)
		}
		if arg.Open {
			b.Learn(param.Elem[0], Any())
		}
		return
	case param.Of != nil:
		of := arg.Of
		if of == nil {
			of = Any()
		}
		b.Learn(param.Of, of)
		return
	case arg.Kind == AnyKind:
		for _, e := range param.Elem {
			b.Learn(e, Any())
		}
		return
	case param.Kind != arg.Kind || len(param.Elem) != len(arg.Elem) || param.Kind == RecordKind:
		return
	}
	if param.Kind == FuncKind { // what it is given was known before, what it gives is news
		b.Learn(param.Result(), arg.Result())
		return
	}
	for i, e := range param.Elem {
		b.Learn(e, arg.Elem[i])
	}
}

// Want is what an argument has to be: where a variable stands anything goes,
// but a function is told what it will be given.
func (b Bindings) Want(t *Type) *Type {
	if t.Kind != FuncKind {
		return Bindings(nil).Apply(t)
	}
	params := make([]*Type, len(t.Params()))
	for i, p := range t.Params() {
		params[i] = b.Apply(p)
	}
	result := t.Result()
	if result.variable() {
		result = Any()
	}
	return Func(params, result)
}

// variable reports whether a variable stands in the type.
func (t *Type) variable() bool {
	if t.Kind == VarKind {
		return true
	}
	for _, e := range t.Elem {
		if t.Name == "" && e.variable() {
			return true
		}
	}
	return false
}

// Apply puts what is known in the place of the variables; those of which
// nothing was learned are Any.
func (b Bindings) Apply(t *Type) *Type {
	switch {
	case t.Kind == VarKind:
		if x, ok := b[t.Name]; ok {
			return x
		}
		return Any()
	case len(t.Elem) == 0 || t.Name != "":
		return t // a schema too: nothing more is wanted than that it is one
	}
	elems := make([]*Type, len(t.Elem))
	for i, e := range t.Elem {
		elems[i] = b.Apply(e)
	}
	if t.Kind == OptionalKind {
		return Optional(elems[0])
	}
	return &Type{Kind: t.Kind, Elem: elems, Keys: t.Keys, Open: t.Open}
}

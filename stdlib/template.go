package stdlib

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/spell"
	"github.com/wf-lang/wf/lang/value"
)

// templateModule is the module Template.
func templateModule() []*program.Builtin {
	return []*program.Builtin{
		pure("Template.render(template: String, data: {String: Any}; escape?: String) -> String", templateRender,
			"Fills a template with the fields of a record. With `escape: \"html\"` values are written so that they are text in HTML, but for those in `{{{…}}}`.",
			`Template.render("Hello {{name}}, {{#items}}{{qty}} x {{sku}}; {{/items}}bye", { name: "Ann", items: [{ qty: 2, sku: "a" }] }) == "Hello Ann, 2 x a; bye"`,
			`Template.render("{{#note}}Note: {{note}}{{/note}}{{^note}}no note{{/note}}", { note: nil }) == "no note"`,
			`Template.render("<b>{{x}}</b>", { x: "1 < 2" }, escape: "html") == "<b>1 &lt; 2</b>"`),
		pure("Template.names(template: String) -> [String]", templateNames,
			"Lists the names that a template uses, each once.", `Template.names("{{a}} {{#items}}{{b}}{{/items}} {{a}}") == ["a", "items", "b"]`),
	}
}

// templateNode is a piece of a template: a text, a value or a section.
type templateNode struct {
	text  string
	name  string // of a value or section; "." is the element at hand
	raw   bool   // never escaped
	parts []templateNode
	kind  byte // 0 a text, '=' a value, '#' a section, '^' its opposite
	line  int
}

// maxSections is how deep sections may stand in one another.
const maxSections = 50

// templateReader takes a template apart.
type templateReader struct {
	c    call
	rest string
	line int
	open []string // the names of the sections around
	bol  bool     // nothing but blanks since the last line break
}

func (c call) template() ([]templateNode, error) {
	if err := c.Hold(4 * len(c.text(0))); err != nil {
		return nil, err
	}
	r := templateReader{c: c, rest: c.text(0), line: 1, bol: true}
	return r.nodes()
}

func (r *templateReader) bad(format string, args ...any) error {
	return r.c.fault(value.CodeFormat, "line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// nodes reads to the end of the section, or of the template.
func (r *templateReader) nodes() ([]templateNode, error) {
	var out []templateNode
	for {
		before, after, found := strings.Cut(r.rest, "{{")
		if !found {
			if len(r.open) > 0 {
				return nil, r.bad("the section {{#%s}} has no end: {{/%s}}", r.open[len(r.open)-1], r.open[len(r.open)-1])
			}
			return append(out, templateNode{text: before}), nil
		}
		if i := strings.LastIndexByte(before, '\n'); i >= 0 {
			r.bol = strings.TrimSpace(before[i:]) == ""
		} else {
			r.bol = r.bol && strings.TrimSpace(before) == ""
		}
		r.line += strings.Count(before, "\n")
		tag, sigil, raw, rest, err := r.tag(after)
		if err != nil {
			return nil, err
		}
		if sigil != '=' && r.bol { // alone on its line: the line is nothing
			if eol := strings.IndexByte(rest, '\n'); eol >= 0 && strings.TrimSpace(rest[:eol]) == "" {
				rest = rest[eol+1:]
				r.line++
				before = before[:strings.LastIndexByte(before, '\n')+1]
			} else if strings.TrimSpace(rest) == "" {
				rest = ""
				before = before[:strings.LastIndexByte(before, '\n')+1]
			} else {
				r.bol = false
			}
		} else {
			r.bol = false
		}
		r.rest = rest
		if before != "" {
			out = append(out, templateNode{text: before})
		}
		switch sigil {
		case '=':
			out = append(out, templateNode{kind: '=', name: tag, raw: raw, line: r.line})
		case '/':
			if len(r.open) == 0 || r.open[len(r.open)-1] != tag {
				return nil, r.bad("{{/%s}} ends no section that is open here", tag)
			}
			r.open = r.open[:len(r.open)-1]
			return out, nil
		case '#', '^':
			if len(r.open) >= maxSections {
				return nil, r.bad("sections stand more than %d deep in one another", maxSections)
			}
			n := templateNode{kind: sigil, name: tag, line: r.line}
			r.open = append(r.open, tag)
			if n.parts, err = r.nodes(); err != nil {
				return nil, err
			}
			out = append(out, n)
		}
	}
}

// tag reads what stands between {{ and }}.
func (r *templateReader) tag(s string) (name string, sigil byte, raw bool, rest string, err error) {
	end, sigil := "}}", byte('=')
	if strings.HasPrefix(s, "{") {
		end, raw, s = "}}}", true, s[1:]
	}
	inner, rest, found := strings.Cut(s, end)
	if !found {
		return "", 0, false, "", r.bad("a {{ has no }}")
	}
	if strings.HasPrefix(inner, "!") {
		r.line += strings.Count(inner, "\n")
		return "", '!', false, rest, nil
	}
	name = strings.TrimSpace(inner)
	if !raw && name != "" && strings.IndexByte("#^/&", name[0]) >= 0 {
		sigil, name = name[0], strings.TrimSpace(name[1:])
	}
	if sigil == '&' {
		sigil, raw = '=', true
	}
	if name != "." {
		for _, part := range strings.Split(name, ".") {
			if part == "" || strings.ContainsAny(part, " \t\n{}#^/&!>=\"'()[]|+*") {
				return "", 0, false, "", r.bad("{{%s}} is no name: a template has names such as {{order.id}}, and computes nothing", value.String(inner).Short(40))
			}
		}
	}
	return name, sigil, raw, rest, nil
}

// templateRun fills one template.
type templateRun struct {
	c     call
	html  bool
	stack []value.Value // the data, the element or record of each section around
	out   []byte
	paid  int
}

func templateRender(c call) (value.Value, error) {
	run := templateRun{c: c, stack: []value.Value{c.args[1]}}
	switch c.text(2) {
	case "":
	case "html":
		run.html = true
	default:
		return value.Nil, c.fault(value.CodeRange, "there is no escape %s; there is \"html\"", c.args[2].Short(40))
	}
	nodes, err := c.template()
	if err == nil {
		err = run.write(nodes)
	}
	if err != nil {
		return value.Nil, err
	}
	return value.String(string(run.out)), nil
}

func (t *templateRun) write(nodes []templateNode) error {
	if err := t.c.Spend(1 + len(nodes)); err != nil {
		return err
	}
	for _, n := range nodes {
		var err error
		switch n.kind {
		case 0:
			err = t.text(n.text)
		case '=':
			err = t.value(n)
		default:
			err = t.section(n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// text appends to what comes out, when there is memory for it.
func (t *templateRun) text(s string) error {
	n := len(t.out) + len(s)
	if n > maxMade {
		return t.c.tooLarge(nil)
	}
	if n > t.paid {
		more := n - t.paid + 4096
		t.paid += more
		if err := t.c.Hold(more); err != nil {
			return err
		}
	}
	t.out = append(t.out, s...)
	return nil
}

func (t *templateRun) value(n templateNode) error {
	v, err := t.find(n)
	if err != nil {
		return err
	}
	if v.IsNil() {
		return t.c.fault("missing", "line %d: %s is nil; {{#%s}}…{{/%s}} leaves out what is", n.line, n.name, n.name, n.name)
	}
	if err := t.c.Hold(v.Size()); err != nil {
		return err
	}
	s := v.Text()
	if t.html && !n.raw {
		s = html.EscapeString(s)
	}
	return t.text(s)
}

// section writes its parts for each element of a list, once for anything else
// that is there, or, if it is the opposite of one, if there is nothing.
func (t *templateRun) section(n templateNode) error {
	v, err := t.find(n)
	if err != nil {
		return err
	}
	xs, isList := v.AsList()
	if !isList && !nothing(v) {
		xs = []value.Value{v}
	}
	if n.kind == '^' {
		if len(xs) == 0 {
			return t.write(n.parts)
		}
		return nil
	}
	for _, x := range xs {
		t.stack = append(t.stack, x)
		err := t.write(n.parts)
		t.stack = t.stack[:len(t.stack)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// nothing reports whether a section stands for nothing.
func nothing(v value.Value) bool {
	b, isBool := v.AsBool()
	s, isText := v.AsString()
	return v.IsNil() || isBool && !b || isText && s == ""
}

// find looks a name up: its first part in the innermost data that has it, the
// others in what that is.
func (t *templateRun) find(n templateNode) (value.Value, error) {
	if n.name == "." {
		return t.stack[len(t.stack)-1], nil
	}
	first, path, dotted := strings.Cut(n.name, ".")
	for i := len(t.stack) - 1; i >= 0; i-- {
		v, has := fieldOf(t.stack[i], first)
		if !has {
			continue
		}
		for dotted {
			first, path, dotted = strings.Cut(path, ".")
			next, has := fieldOf(v, first)
			if !has {
				return value.Nil, t.missing(n, first, v)
			}
			v = next
		}
		return v, nil
	}
	return value.Nil, t.missing(n, first, t.stack...)
}

func fieldOf(v value.Value, name string) (value.Value, bool) {
	if x, isVariant := v.AsVariant(); isVariant {
		return x.Field(name)
	}
	r, isRecord := v.AsRecord()
	if !isRecord {
		return value.Nil, false
	}
	return r.Get(name)
}

// missing is the fault of a name that the data does not have.
func (t *templateRun) missing(n templateNode, name string, in ...value.Value) error {
	var names []string
	for _, v := range in {
		if r, isRecord := v.AsRecord(); isRecord && r.Len() < 1000 {
			names = append(names, r.Keys()...)
		}
	}
	hint := ""
	if near := spell.Nearest(name, names); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return t.c.fault("missing", "line %d: the data has no %s%s", n.line, n.name, hint)
}

func templateNames(c call) (value.Value, error) {
	nodes, err := c.template()
	if err != nil {
		return value.Nil, err
	}
	seen := index{c: c}
	if err := namesIn(nodes, &seen); err != nil {
		return value.Nil, err
	}
	return value.List(slices.Clone(seen.all.All())...), nil
}

func namesIn(nodes []templateNode, seen *index) error {
	for _, n := range nodes {
		if n.kind != 0 && n.name != "." {
			if _, err := seen.add(value.String(n.name)); err != nil {
				return err
			}
		}
		if err := namesIn(n.parts, seen); err != nil {
			return err
		}
	}
	return nil
}

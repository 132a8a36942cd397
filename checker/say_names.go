package checker

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/diag"
	"github.com/wf-lang/wf/lang/source"
)

// sayUnknownName says that a name means nothing where it stands; below is where
// the program's statements bind it later, if they do.
func (c *checker) sayUnknownName(n *ast.Name, candidates, inModules []string, help string, below source.Span) {
	fixes := []diag.Fix(nil)
	labels := []diag.Label(nil)
	if !below.IsZero() {
		labels, help = label(below, "declared here"), "a statement sees what those before it have declared; move the `let` up"
	}
	switch {
	case help != "":
	case len(inModules) > 0:
		help = "did you mean " + listing(inModules) + "?"
		fixes = []diag.Fix{{Span: n.Span(), Text: inModules[0]}}
	case isEnding(n.Name):
		help = "to " + n.Name + " the workflow write `" + n.Name + "` as a statement of its own"
	default:
		if help, fixes = c.meant(n.Span(), n.Name, candidates); fixes == nil {
			help, fixes = c.inText(n)
		}
	}
	c.add(diag.Diagnostic{
		Code: "WF2001", Span: n.Span(), Message: "nothing is called `" + n.Name + "` here", Labels: labels, Help: help, Fixes: fixes,
	})
}

// inText says how `${name}` is written that is meant for somebody else, as for a
// shell.
func (c *checker) inText(n *ast.Name) (string, []diag.Fix) {
	around := n.Span()
	if around.Start < 2 {
		return "", nil
	}
	around.Start -= 2
	around.End++
	text := "${" + n.Name + "}"
	if c.set.Text(around) != text {
		return "", nil
	}
	return "a text that has `" + text + "` in it is written `\\" + text + "`", []diag.Fix{{Span: around, Text: `\` + text}}
}

func (c *checker) sayDuplicateDecl(what string, w ast.Word, old source.Span) {
	d := diag.Diagnostic{Code: "WF2002", Span: w.Span(), Message: "the name `" + w.Name + "` of this " + what + " is taken", Labels: label(old, "declared here")}
	if old.IsZero() {
		d.Help = "`" + w.Name + "` is known in every program; choose another name"
	}
	c.add(d)
}

func (c *checker) sayDuplicateMember(what string, w ast.Word, old source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2003", Span: w.Span(), Message: "there is a " + what + " `" + w.Name + "` already",
		Labels: label(old, "declared here"),
	})
}

func (c *checker) sayDuplicateLocal(name string, span source.Span, old *variable) {
	d := diag.Diagnostic{
		Code: "WF2004", Span: span, Message: "`" + name + "` is declared twice in this block",
		Labels: label(old.span, "declared here"),
	}
	switch {
	case old.mutable:
		d.Help = "to give the variable a new value write `" + name + " = …`"
	case old.kind != letVar:
		d.Help = "choose another name"
	default:
		d.Help = "choose another name, or declare the first with `var` and assign to it"
	}
	c.add(d)
}

func (c *checker) sayPatternNameTwice(name string, span, old source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2005", Span: span, Message: "`" + name + "` is bound twice in this pattern", Labels: label(old, "bound here"),
		Help: "give the second another name and compare the two in a guard: `if a == b`",
	})
}

func (c *checker) sayUnknownType(t *ast.NameType) {
	candidates := baseNames()
	candidates = append(candidates, c.names.typeList...)
	for _, a := range c.names.order {
		candidates = append(candidates, a.decl.Name.Name)
	}
	help, fixes := c.meant(t.Span(), t.Name, candidates)
	if ours := foreignType(t.Name); ours != "" {
		help, fixes = "write `"+ours+"`", []diag.Fix{{Span: t.Span(), Text: ours}}
	} else if fixes == nil {
		help = ""
	}
	c.add(diag.Diagnostic{Code: "WF2006", Span: t.Span(), Message: "no type is called `" + t.Name + "`", Help: help, Fixes: fixes})
}

// foreignType is our type for the name of another language's, "" if there is
// none.
func foreignType(name string) string {
	switch strings.ToLower(name) {
	case "integer", "long", "number", "int64", "int32":
		return "Int"
	case "double", "real", "float64":
		return "Float"
	case "boolean":
		return "Bool"
	case "text", "str":
		return "String"
	case "date", "datetime", "timestamp", "instant":
		return "Time"
	case "list", "array":
		return "[Any]"
	case "map", "dict", "object", "record":
		return "{String: Any}"
	case "void", "unit":
		return "()"
	}
	return ""
}

func (c *checker) sayUnknownWorkflow(w ast.Word) {
	var names []string
	for _, a := range c.names.order {
		if a.kind == ast.KindWorkflow {
			names = append(names, a.decl.Name.Name)
		}
	}
	help, fixes := c.meant(w.Span(), w.Name, names)
	c.add(diag.Diagnostic{Code: "WF2007", Span: w.Span(), Message: "no workflow is called `" + w.Name + "`", Help: help, Fixes: fixes})
}

func (c *checker) sayMainVariable(n *ast.Name, decl source.Span) {
	help := "pass it as an argument or as a field of the state; they see only what is constant: a `let` of literals and operators on them"
	if k := c.names.constants[n.Name]; k != nil && k.why != "" {
		help = "it is no constant: " + k.why
	}
	c.add(diag.Diagnostic{
		Code: "WF2008", Span: n.Span(),
		Message: "`" + n.Name + "` is a variable of the program's statements; functions and workflows do not see it",
		Labels:  label(decl, "declared here"),
		Help:    help,
	})
}

func (c *checker) sayLetterCase(w ast.Word, what string, upper bool) {
	r, size := utf8.DecodeRuneInString(w.Name)
	must, first := "a lower-case letter", unicode.ToLower(r)
	if upper {
		must, first = "an upper-case letter", unicode.ToUpper(r)
	}
	d := diag.Diagnostic{Code: "WF2009", Span: w.Span(), Message: "the name of " + an(what) + " begins with " + must}
	if first != r {
		name := string(first) + w.Name[size:]
		d.Help = "write `" + name + "`"
		d.Fixes = []diag.Fix{{Span: w.Span(), Text: name}}
	}
	c.add(d)
}

func (c *checker) sayActorAsValue(n *ast.Name, a *actor) {
	help := "`" + n.Name + "(\"id\")` is the handle of one instance"
	if a.kind == ast.KindWorkflow {
		help = "`spawn " + n.Name + " { … }` makes an instance, `" + n.Name + "(\"id\")` is the handle of one"
	}
	c.add(diag.Diagnostic{
		Code: "WF2010", Span: n.Span(), Message: "`" + n.Name + "` is " + an(a.kind.Keyword()) + ", not a value",
		Labels: label(a.decl.Name.Span(), "declared here"), Help: help,
	})
}

func (c *checker) sayModuleAsValue(n *ast.Name) {
	c.add(diag.Diagnostic{
		Code: "WF2011", Span: n.Span(), Message: "`" + n.Name + "` is a module, not a value",
		Help: "name one of its functions: `" + n.Name + ".…`",
	})
}

func (c *checker) sayTypeCycle(d *ast.TypeDecl) {
	c.add(diag.Diagnostic{
		Code: "WF2012", Span: d.Name.Span(), Message: "the type `" + d.Name.Name + "` is only another name for itself",
		Help: "say what it is: a record, a list, or variants",
	})
}

func (c *checker) sayStatementInImport(span source.Span) {
	c.add(diag.Diagnostic{
		Code: "WF2013", Span: span, Message: "a file that is imported holds declarations only",
		Help: "move the statement into the file that is run, or into a function",
	})
}

func (c *checker) sayMisplaced(it ast.Item, where, help string) {
	word, span := itemWord(it)
	if !strings.Contains(word, " ") {
		word = "`" + word + "`"
	}
	c.add(diag.Diagnostic{Code: "WF2014", Span: span, Message: word + " does not belong into " + where, Help: help})
}

func (c *checker) sayTwice(it, first ast.Item) {
	word, span := itemWord(it)
	_, old := itemWord(first)
	c.add(diag.Diagnostic{
		Code: "WF2015", Span: span, Message: "a workflow has one `" + word + "` at most", Labels: label(old, "the first is here"),
	})
}

func (c *checker) sayItemAfterFinally(it, finally ast.Item) {
	_, span := itemWord(it)
	_, old := itemWord(finally)
	c.add(diag.Diagnostic{
		Code: "WF2016", Span: span, Message: "nothing runs after `finally`", Labels: label(old, "`finally` is here"),
		Help: "move `finally` to the end of the workflow",
	})
}

func (c *checker) sayChoosyParam(p ast.Pattern) {
	c.add(diag.Diagnostic{
		Code: "WF2017", Span: p.Span(), Message: "a parameter has to take whatever comes, and this pattern does not fit everything",
		Help: "give the parameter a name, and take it apart with `match`",
	})
}

func (c *checker) sayNamelessParam(p ast.Param, msg, help string) {
	c.add(diag.Diagnostic{Code: "WF2018", Span: p.Span(), Message: msg, Help: help})
}

// longestShown is how long a piece of the text may be that a message repeats.
const longestShown = 40

// paramText names a parameter: by its name, or its pattern.
func (c *checker) paramText(p ast.Param) string {
	text := p.Name.Name
	if p.Pattern != nil {
		text = c.set.Text(p.Pattern.Span())
		if len(text) > longestShown || strings.Contains(text, "\n") {
			return "the parameter"
		}
	}
	return "`" + text + "`"
}

package golden

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Transcript is what a run came to.
type Transcript struct {
	// Output is what the script printed, as it was shown.
	Output string
	// Value is the program's value in the language's notation, "" for () and nil.
	Value string
	// Events are the events by instance and branch.
	Events []Group
	// Instances tell of every instance how it ended and with which state, each
	// in one or more lines.
	Instances []string

	printed []Group // what was printed, by instance and branch
}

// A Group are the lines of one instance, or of one branch of it, in their order.
type Group struct {
	Instance string // its id
	Branch   string // in words; "" for the instance's own sequence
	Lines    []string

	workflow int  // place of its declaration in the text, -1 for main
	lane     lane // of the branch
}

// Header is the first line of a transcript that is kept: it names the version of
// the format.
const Header = "wf golden 1\n"

// String is the transcript as it is kept: the header, then sections that begin
// with "--- ", the parts that are empty left out.
func (t *Transcript) String() string {
	var b strings.Builder
	b.WriteString(Header)
	if t.Output != "" {
		b.WriteString("--- output\n" + strings.TrimSuffix(t.Output, "\n") + "\n")
	}
	t.rest(&b)
	return b.String()
}

// Canonical is the transcript as runs are compared: what was printed by
// instance and branch, not in the order in which it was shown.
func (t *Transcript) Canonical() string {
	var b strings.Builder
	writeGroups(&b, "output", t.printed)
	t.rest(&b)
	return b.String()
}

func (t *Transcript) rest(b *strings.Builder) {
	if t.Value != "" {
		b.WriteString("--- value\n" + t.Value + "\n")
	}
	writeGroups(b, "events", t.Events)
	b.WriteString("--- instances\n")
	for _, in := range t.Instances {
		b.WriteString(in)
	}
}

func writeGroups(b *strings.Builder, section string, groups []Group) {
	if len(groups) == 0 {
		return
	}
	b.WriteString("--- " + section + "\n")
	for i, g := range groups {
		if i == 0 || groups[i-1].Instance != g.Instance {
			b.WriteString(g.Instance + "\n")
		}
		indent := "    "
		if g.Branch != "" {
			fmt.Fprintf(b, "    %s\n", g.Branch)
			indent += indent
		}
		for _, line := range g.Lines {
			b.WriteString(indent + line + "\n")
		}
	}
}

// unseen finds a line that was recorded as printed and was not shown, or not as
// often as it was recorded.
func (t *Transcript) unseen() (string, bool) {
	shown := map[string]int{}
	for _, line := range strings.Split(t.Output, "\n") {
		shown[line]++
	}
	for _, g := range t.printed {
		for _, line := range strings.Split(strings.Join(g.Lines, "\n"), "\n") {
			if shown[line]--; shown[line] < 0 {
				return line, true
			}
		}
	}
	return "", false
}

// A gatherer puts lines into groups.
type gatherer struct{ groups []Group }

func (g *gatherer) add(workflow int, instance string, l lane, line string) {
	i := slices.IndexFunc(g.groups, func(old Group) bool { return old.Instance == instance && old.lane == l })
	if i < 0 {
		i = len(g.groups)
		g.groups = append(g.groups, Group{Instance: instance, Branch: l.name, workflow: workflow, lane: l})
	}
	g.groups[i].Lines = append(g.groups[i].Lines, line)
}

// ordered gives the groups in the order of declaration: workflows as in the
// text, main first, their instances by id, their branches as in the text.
func (g *gatherer) ordered() []Group {
	slices.SortFunc(g.groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.workflow, b.workflow), compareIDs(a.Instance, b.Instance), cmp.Compare(a.lane.order, b.lane.order))
	})
	return g.groups
}

// compareIDs orders ids as people do: Order-2 before Order-10.
func compareIDs(a, b string) int {
	for a != "" && b != "" {
		na, ra := digits(a)
		nb, rb := digits(b)
		if na != "" && nb != "" {
			na, nb = strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = ra, rb
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits cuts the digits off with which a text begins.
func digits(s string) (number, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

package checker_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the diagnostics that are found into testdata/rules.txt")

// TestRules checks the scripts of testdata/rules.txt: under each stand the
// diagnostics that it draws, as "line:col code".
func TestRules(t *testing.T) {
	const name = "testdata/rules.txt"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range strings.Split(string(text), "==== ")[1:] {
		title, rest, _ := strings.Cut(c, "\n")
		script, want, _ := strings.Cut(rest, "----\n")
		_, said, set := check(t, script)
		got := ""
		for _, d := range said {
			p := set.Position(d.Span)
			got += fmt.Sprintf("%d:%d %s\n", p.Line, p.Column, d.Code)
		}
		if got != want && !*update {
			t.Errorf("%s\n got\n%swant\n%s%s", title, got, want, lines(set, said))
		}
		fmt.Fprintf(&out, "==== %s\n%s----\n%s", title, script, got)
	}
	if *update {
		if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSilence: nothing is said about a part that could not be read, nor about
// names that it may have declared.
func TestSilence(t *testing.T) {
	cases := []string{
		"workflow W {\n  step a { let x = )\n  foo(x) + self.nope }\n  step b { 1 }\n}\n",
		"workflow W {\n  step { 1 }\n  step b { goto a }\n}\n",
		"workflow { step b { 1 } }\nspawn W {} as \"w\"\n",
		"let x = )\nperform IO.print(x)\n",
		"workflow W {\n  state : Int = 1\n  step a { self.n }\n}\n",
	}
	for _, text := range cases {
		syntax, said := tryCheck(text)
		if !syntax.HasErrors() {
			t.Errorf("this was read:\n%s", text)
		}
		if len(said) > 0 {
			t.Errorf("%v\n%s", said, text)
		}
	}
}

// TestSuggestions checks fixes: applied, they give the script that was meant.
func TestSuggestions(t *testing.T) {
	cases := []struct{ script, want string }{
		{"let total = 1\nperform IO.print(totl)\n", "let total = 1\nperform IO.print(total)\n"},
		{"let total = 1\n", "let _total = 1\n"},
		{"fn f() = 1\n", "fn _f() = 1\n"},
		{"let r = { total: 1 }\nperform IO.print(r.totl)\n", "let r = { total: 1 }\nperform IO.print(r.total)\n"},
		{"Timer.sleep(1s)\n", "perform Timer.sleep(1s)\n"},
		{"let s = perform String.trim(\"a\")\nperform IO.print(s)\n", "let s = String.trim(\"a\")\nperform IO.print(s)\n"},
		{"perform IO.prnt(1)\n", "perform IO.print(1)\n"},
		{"workflow W { step aaa { goto bbc } step bbb { 1 } }\n", "workflow W { step aaa { goto bbb } step bbb { 1 } }\n"},
		{"fn f(x: Strin) = x\nf(\"a\")\n", "fn f(x: String) = x\nf(\"a\")\n"},
		{"let y = [1] |> map(fn(x) = x)\nperform IO.print(y)\n", "let y = [1] |> List.map(fn(x) = x)\nperform IO.print(y)\n"},
		{"workflow order { step a { 1 } }\n", "workflow Order { step a { 1 } }\n"},
	}
	for _, c := range cases {
		_, said, set := check(t, c.script)
		if len(said) != 1 || len(said[0].Fixes) != 1 {
			t.Errorf("%s%s", c.script, lines(set, said))
			continue
		}
		f := said[0].Fixes[0]
		if got := c.script[:f.Span.Start] + f.Text + c.script[f.Span.End:]; got != c.want {
			t.Errorf("got %s", got)
		}
	}
}

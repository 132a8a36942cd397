package repl_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/repl"
	"github.com/wf-lang/wf/lang/value"
)

func stringValue(s string) value.Value { return value.String(s) }

// What comes through a pipe is carried out to its end, whatever it is.
func TestPiped(t *testing.T) {
	big := strings.Repeat("x", 1<<20+10)
	paste := strings.Repeat("n += 1\n", 200)
	block := "fn f() {\n" + strings.Repeat("    let _ = 1\n", 200) + "    7\n}\nf()\n"
	data := "let data = [\n" + strings.Repeat("  { a: [1, 2], b: \"x]\" },\n", 5000) + "]\ndata.length\n"
	for name, c := range map[string]struct {
		in, out string
		want    repl.Outcome
	}{
		"nothing":       {"", "", repl.Done},
		"no line end":   {"1 + 1", "2\n", repl.Done},
		"windows":       {"1 + 1\r\n2\r\n", "2\n2\n", repl.Done},
		"several lines": {"[1,\n2,\n\n3]\n4", "[1, 2, 3]\n4\n", repl.Done},
		"paste":         {"var n = 0\n" + paste + "n", "200\n", repl.Done},
		"long block":    {block, "7\n", repl.Done},
		"left":          {"1\n:quit\n2", "1\n", repl.Done},
		"failed":        {"1\nnope\n2", "1\n2\n", repl.Failed},
		"too long":      {big + "\n1 + 1", "2\n", repl.Failed},
		"never closed":  {"let x = {\n", "", repl.Failed},
		"never ends":    {"while true {}\n1", "1\n", repl.Failed},
		"garbage":       {"\x00\xff\xfe\x80\n\x1b31m\n1", "1\n", repl.Failed},
		"much data":     {data, "5000\n", repl.Done},
		"raw":           {"\"\"\"\na\n\nb\n\"\"\"\n", "\"a\\n\\nb\"\n", repl.Done},
		"command":       {":type (\n1\n", "1\n", repl.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			r := newRoom(t, func(_ *repl.MachineConfig, o *repl.Options) { o.Out, o.Err, o.Quiet = &out, io.Discard, true })
			got, err := r.Piped(t.Context(), strings.NewReader(c.in), io.Discard, "")
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			require.Equal(t, c.out, out.String())
		})
	}
}

// A plain prompt shows that a text goes on.
func TestPlainPrompt(t *testing.T) {
	var prompts strings.Builder
	r := newRoom(t, nil)
	_, err := r.Piped(t.Context(), strings.NewReader("[1,\n2]\n"), &prompts, "wf> ")
	require.NoError(t, err)
	require.Equal(t, "wf> ... wf> ", prompts.String())
}

func TestComplete(t *testing.T) {
	r := newRoom(t, nil)
	r.tell(t, "workflow Order { state n: Int = 0; step a { perform Signal.wait(\"approve\") }; command rush() { 1 }; query total() { self.n } }")
	r.tell(t, "type Shade = Dark | Bright(much: Int)")
	r.tell(t, `let o = spawn Order {} as "o-1"; let p = spawn Order {} as "o-2"; let rec = { name: "x", deep: { numbers: [1] } }`)
	r.tell(t, "entity Wallet { state n: Int = 0; command add() { self.n = 1 } }")
	r.tell(t, `ask Wallet("ann").add()`)
	for line, want := range map[string]string{
		"whi":                    "while",
		"1 + re":                 "rec return",
		"Ord":                    "Order",
		"Da":                     "Dark",
		"List.fla":               "flat_map( flatten(",
		"[1] |> List.fla":        "flat_map( flatten(",
		"rec.":                   "deep name",
		"rec.deep.num":           "numbers",
		"rec.nope.":              "",
		"ask o.":                 "lifecycle() rush( total(",
		"signal o.":              "approve(",
		"await Order(\"o":        `o-1") o-2")`,
		"ask Wallet(\"":          `ann")`,
		"perform Time.":          "now(",
		"perform T":              "Time. Timer.",
		"let t = perform once E": "Env. Exec.",
		"1 + 12":                 "",
		"spawn ":                 "Order",
		":sh":                    ":show ",
		":show o-":               "o-1 o-2",
		":doc List.fla":          "List.flat_map List.flatten",
		":type rec.na":           "name",
		"nothing_like_this":      "",
		"\"in a text rec.name":   "name",
		"":                       "",
	} {
		_, words := r.Complete(t.Context(), line)
		if line == "" {
			require.Greater(t, len(words), 20)
			continue
		}
		require.Equal(t, want, strings.Join(words, " "), line)
	}
}

// The history has one line for each text, means the same, and is nobody else's.
func TestHistory(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 1\n":                                   "1 + 1",
		"f(1,\n  2)\n":                              "f(1, 2)",
		"fn f(a) {\n    let b = a\n    b\n}\n":      "fn f(a) { let b = a; b }",
		"let x = [\n  1,\n  2\n]":                   "let x = [ 1, 2 ]",
		"x\n  |> f()":                               "x |> f()",
		"if a {\n 1\n} else {\n 2\n}":               "if a { 1 } else { 2 }",
		"// why\nworkflow W {\n\n  step a { 1 }\n}": "workflow W { step a { 1 } }",
		"type A =\n  | B\n  | C":                    "type A = | B | C",
		":show a":                                   ":show a",
		"let t = \"\"\"\nraw\n\"\"\"":               "",
		"f(1, // one\n2)":                           "",
		"":                                          "",
		"a\x1b[31m":                                 "",
		strings.Repeat("x", 5000):                   "",
		"match x {\n  1 => 2\n  _ => 3\n}":          "match x { 1 => 2; _ => 3 }",
		"record(\n{ a: 1,\n  b: \"ä\"\n})":          `record( { a: 1, b: "ä" })`,
		"spawn W {\n    a: 1\n    b: 2\n}":          "spawn W { a: 1; b: 2 }",
		"while x {\n  if y { break }\n\n  x = f(\n1)\n}": "while x { if y { break }; x = f( 1) }",
	} {
		line, ok := repl.OneLine(text)
		require.Equal(t, want, line, text)
		require.Equal(t, want != "", ok, text)
	}
	path := filepath.Join(t.TempDir(), "state", "wf", "repl_history")
	h, err := repl.OpenHistory(path)
	require.NoError(t, err)
	for range 1200 {
		require.NoError(t, h.Add("a"))
		require.NoError(t, h.Add("f(1,\n2)"))
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
	again, err := repl.OpenHistory(path)
	require.NoError(t, err)
	require.Len(t, again.Entries, 500, "the last ones")
	require.Equal(t, "f(1, 2)", again.Entries[499])
	short, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 500, strings.Count(string(short), "\n"), "the file does not grow for ever")
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

// A session is saved as a script that does what the session did.
func TestSave(t *testing.T) {
	r := newRoom(t, nil)
	for _, text := range []string{
		"/// Doubles.\nfn f(n: Int) = 2 * n", "let x = 1 // the first", "x + 1", "let x = f(x)", "var y = x; y += 1", "1 / 0; let z = 1", "fn f(n: Int) = 3 * n",
		"perform IO.print(f(x), y)", "workflow W { step a { 1 } }\nlet w = spawn W {}", "nope", "fn broken(", "let (a, b) = (1, 2)",
		"test \"t\" { let q = 1 }",
	} {
		r.tell(t, text)
	}
	require.Contains(t, r.tell(t, ":save s.wf"), "s.wf is written; wf run s.wf runs it")
	text := r.files["s.wf"]
	require.Contains(t, text, "var x = 1 // the first\n")
	require.Contains(t, text, "\nx = f(x)\n")
	require.Contains(t, text, "fn f(n: Int) = 3 * n\n")
	for _, not := range []string{"2 * n", "x + 1", "1 / 0", "nope", "broken", "let z"} {
		require.NotContains(t, text, not)
	}
	other := newRoom(t, nil)
	other.files["s.wf"] = text
	require.Contains(t, other.tell(t, ":load s.wf"), "9 4\n")
	require.Equal(t, "(3, 4)\n", other.tell(t, "(x, y)"))
}

// A constant that was bound again and that a declaration mentions is saved as what
// it is at the end: a variable, no function would see.
func TestSaveConstants(t *testing.T) {
	r := newRoom(t, nil)
	for _, text := range []string{
		"let rate = 3 // a guess", "fn gross(n) = n * rate", "let other = 1", "let base: Decimal = 2.50", "let rate: Decimal = base * 2",
		"let other = other + 1", "let base = 7.50", "fn all() = base + rate",
	} {
		r.tell(t, text)
	}
	require.Contains(t, r.tell(t, ":save s.wf"), "s.wf is written; wf run s.wf runs it")
	text := r.files["s.wf"]
	require.Contains(t, text, "let rate: Decimal = 5.00 // a guess\n")
	require.Contains(t, text, "let base = 7.50\n")
	require.Contains(t, text, "var other = 1\n")
	require.Contains(t, text, "\nother = other + 1\n")
	require.Equal(t, 1, strings.Count(text, "let rate"), text)
	other := newRoom(t, nil)
	other.files["s.wf"] = text
	other.tell(t, ":load s.wf")
	require.Equal(t, "(2, 10.00, 12.50)\n", other.tell(t, "(other, gross(2), all())"))
}

// Declarations of one line are parted as they were typed.
func TestOneLine(t *testing.T) {
	r := newRoom(t, nil)
	r.tell(t, "fn one() = 1; fn two() = 2; let three = 3; fn four() = three + 1 // ; and so on")
	require.Equal(t, "(1, 2, 3, 4)\n", r.tell(t, "(one(), two(), three, four())"))
	r.tell(t, "fn one() = 10; let n = one(); fn five() = 5")
	require.Equal(t, "(10, 2, 10, 5)\n", r.tell(t, "(one(), two(), n, five())"))
	require.Contains(t, r.tell(t, "fn three() = 30"), "WF2705") // `four` adds one to it
}

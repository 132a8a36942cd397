package types_test

import (
	"testing"

	"github.com/wf-lang/wf/lang/types"
)

// TestFits holds pairs of types against each other, in their notation.
func TestFits(t *testing.T) {
	cases := []struct {
		from, to string
		fits     bool
	}{
		{"Int", "Int", true}, {"Int", "Decimal", true}, {"Int", "Float", true}, {"Decimal", "Int", false},
		{"Decimal", "Float", false}, {"Float", "Decimal", false}, {"String", "Int", false},
		{"Any", "Int", true}, {"Int", "Any", true}, {"[Any]", "[Int]", true}, {"[Int]", "[Any]", true},
		{"nil", "Int?", true}, {"Int", "Int?", true}, {"Int?", "Int", false}, {"Int?", "Decimal?", true}, {"nil", "Int", false},
		{"[Int]", "[Decimal]", true}, {"[String]", "[Int]", false}, {"[Int]", "Int", false},
		{"(Int, String)", "(Int, String)", true}, {"(Int, String)", "(Int)", false}, {"(Int, Int)", "(Int, String)", false},
		{"{ a: Int, b: String }", "{ a: Int }", true}, {"{ a: Int }", "{ a: Int, b: String }", false},
		{"{ a: Int }", "{ a: Int, b: String? }", true}, {"{ a: String }", "{ a: Int }", false},
		{"{ a: Int, b: Int }", "{String: Int}", true}, {"{ a: Int, b: String }", "{String: Int}", false},
		{"{String: Int}", "{String: Decimal}", true}, {"{String: Int}", "{String: String}", false},
		{"fn(Int) -> Int", "fn(Int) -> Decimal", true}, {"fn(Int) -> Int", "fn(Decimal) -> Int", false},
		{"fn(Decimal) -> Int", "fn(Int) -> Int", true}, {"fn(Int) -> Int", "fn() -> Int", false},
		{"fn(Int) -> String", "fn(Int) -> Int", false}, {"fn(Int) -> String", "fn(Int) -> ()", true},
		{"Time", "Duration", false}, {"()", "nil", false},
	}
	for _, c := range cases {
		if got := types.Fits(types.Read(c.from), types.Read(c.to)); got != c.fits {
			t.Errorf("%s fits %s: %v", c.from, c.to, got)
		}
	}
}

// TestJoin holds the type of what is one of two against what is expected.
func TestJoin(t *testing.T) {
	cases := []struct{ a, b, want string }{
		{"Int", "Int", "Int"}, {"Int", "Decimal", "Decimal"}, {"Float", "Int", "Float"}, {"Decimal", "Float", "Any"},
		{"Int", "nil", "Int?"}, {"Int?", "Decimal", "Decimal?"}, {"Int", "String", "Any"}, {"nil", "nil", "nil"}, {"Any", "nil", "Any"},
		{"[Int]", "[Decimal]", "[Decimal]"}, {"[Int]", "[String]", "[Any]"}, {"(Int, Int)", "(Int, nil)", "(Int, Int?)"},
		{"(Int, Int)", "(Int)", "Any"}, {"{ a: Int, b: Int }", "{ a: Decimal }", "{ a: Decimal }"},
		{"{String: Int}", "{String: Decimal}", "{String: Decimal}"},
	}
	for _, c := range cases {
		for _, order := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := types.Join(types.Read(order[0]), types.Read(order[1])).String(); got != c.want {
				t.Errorf("%s or %s is %s, not %s", order[0], order[1], got, c.want)
			}
		}
	}
	open := types.Join(types.Read("{ a: Int, b: Int }"), types.Read("{ a: Int }"))
	if !open.Open {
		t.Error("a record that has a field or not is not open")
	}
	if types.Join(types.Never(), types.Of(types.IntKind)).Kind != types.IntKind {
		t.Error("what never completes changes the type")
	}
}

// TestNotation reads types and writes them again.
func TestNotation(t *testing.T) {
	for _, text := range []string{"Int", "[Int]", "{String: [Int?]}", "{ a: Int, b: { c: Any } }", "(Int, String)", "fn(Int, A) -> [B]", "{}", "()"} {
		if got := types.Read(text).String(); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	for _, text := range []string{"", "[Int", "fn(Int)", "{ a Int }", "Int Int", "(,)", "Strange"} {
		if got := types.Read(text); got.Kind != types.AnyKind {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

// TestBindings learns the variables of a signature from arguments.
func TestBindings(t *testing.T) {
	b := types.Bindings{}
	b.Learn(types.Read("[A]"), types.Read("[Int]"))
	if got := b.Want(types.Read("fn(A) -> B")).String(); got != "fn(Int) -> Any" {
		t.Errorf("a function is told that it is %s", got)
	}
	b.Learn(types.Read("fn(A) -> B"), types.Read("fn(Any) -> String"))
	if got := b.Apply(types.Read("{String: [B]}")).String(); got != "{String: [String]}" {
		t.Errorf("the result is %s", got)
	}
	if got := b.Apply(types.Read("A?")).String(); got != "Int?" {
		t.Errorf("the element is %s", got)
	}
	b.Learn(types.Read("A"), types.Read("Decimal"))
	if got := b.Apply(types.Read("A")).String(); got != "Decimal" {
		t.Errorf("two arguments are together %s", got)
	}
	m := types.Bindings{}
	m.Learn(types.Read("{String: A}"), types.Read("{ a: Int, b: String }"))
	if got := m.Apply(types.Read("[A]")).String(); got != "[Any]" {
		t.Errorf("values of different types are %s", got)
	}
}

// TestRecursive compares types that contain themselves; it must come to an end.
func TestRecursive(t *testing.T) {
	tree := func(name string, leaf types.Kind) *types.Type {
		n := &types.Type{Kind: types.RecordKind, Name: name, Keys: []string{"left", "right", "value"}}
		n.Elem = []*types.Type{types.Optional(n), n, types.Of(leaf)}
		return n
	}
	a, b, c := tree("A", types.IntKind), tree("B", types.DecimalKind), tree("C", types.StringKind)
	if !types.Fits(a, b) || types.Fits(b, a) || types.Fits(a, c) {
		t.Error("trees of Ints, Decimals and Strings fit wrongly")
	}
	if got := types.Join(a, c); got == nil || got.String() == "" {
		t.Error("they have no join")
	}
	if a.HasClosure() {
		t.Error("a tree of Ints has a function in it")
	}
}

// TestNarrowed: a narrowed type fits where the whole one does, joined with it
// nothing is known any more, and what is changed of it is as it was.
func TestNarrowed(t *testing.T) {
	maybe := types.Read("Int?")
	sum := &types.Type{Kind: types.SumKind, Name: "S", Variants: []types.Variant{{Name: "A", Fields: []*types.Type{maybe}}, {Name: "B"}}}
	rec := types.Record([]string{"x", "y"}, []*types.Type{maybe, maybe}, false)
	rec.Name = "R"
	onlyB, someA := sum.Without("A"), sum.WithVariantField("A", 0, types.Of(types.IntKind))
	known := rec.WithField("x", types.Of(types.IntKind)).WithField("y", types.Of(types.IntKind))
	for _, n := range []*types.Type{onlyB, someA, sum.Only("A"), known} {
		if !types.Fits(n, n.Whole()) || types.Fits(n.Whole(), n) {
			t.Errorf("%v and its whole", n)
		}
		if types.Join(n, n.Whole()) != n.Whole() || types.Join(n.Whole(), n) != n.Whole() || types.Same(n, n.Whole()) || n.String() != n.Whole().String() {
			t.Errorf("%v joined with its whole", n)
		}
		if types.Optional(n).Whole().Elem[0] != n.Whole() {
			t.Errorf("the whole of %v?", n)
		}
	}
	if onlyB.Without("B") != types.Never() || sum.Only("C") != sum || sum.Without("C") != sum || onlyB.Only("B") != onlyB {
		t.Error("variants that are not there, or the last")
	}
	if r := known.Reset("x"); !types.Same(r, rec.WithField("y", types.Of(types.IntKind))) || known.Reset("z") != rec || rec.Reset("x") != rec {
		t.Errorf("reset: %v", r)
	}
	if !types.Fits(sum.Only("A").WithVariantField("A", 0, types.Of(types.IntKind)), someA) || types.Fits(onlyB, sum.Only("A")) {
		t.Error("two narrowed types")
	}
}

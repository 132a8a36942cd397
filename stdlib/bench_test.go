package stdlib_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/lang/ast"
	"github.com/wf-lang/wf/lang/program"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/lang/value"

	"github.com/wf-lang/wf/checker"
	"github.com/wf-lang/wf/parser"
	"github.com/wf-lang/wf/stdlib"
)

// function compiles a script that is one function of one argument, f.
func function(b testing.TB, text string) (*program.Program, *program.Func) {
	b.Helper()
	set := &source.Set{}
	f := source.NewFile("main.wf", text)
	tree, said := parser.Parse(f, set.Add(f))
	if said.HasErrors() {
		b.Fatal(said)
	}
	p, said := checker.Check([]*ast.File{tree}, set, stdlib.Table())
	if said.HasErrors() {
		b.Fatal(said)
	}
	return p, p.Func("f")
}

// order is an element of the lists that are measured.
type order struct {
	ID    string `json:"id"`
	Qty   int    `json:"qty"`
	Price string `json:"price"`
}

func orders(n int) ([]order, value.Value) {
	gos, vals := make([]order, n), make([]value.Value, n)
	for i := range gos {
		k := i * 7919 % n
		gos[i] = order{fmt.Sprintf("order-%06d", k), k % 100, fmt.Sprintf("%d.%02d", k%500, k%100)}
		price, _ := value.ToDecimal(value.String(gos[i].Price))
		vals[i] = value.NewRecord([]string{"id", "qty", "price"}, []value.Value{value.String(gos[i].ID), value.Int(int64(gos[i].Qty)), price})
	}
	return gos, value.List(vals...)
}

// Applying a function to an element makes no garbage.
func TestAppliedWithoutGarbage(t *testing.T) {
	const n = 1000
	_, xs := orders(n)
	for _, script := range []string{
		`fn f(xs) = List.map(xs, fn(o) = o.qty)`,
		`fn f(xs) = List.filter(xs, fn(o) = o.qty > 50)`,
		`fn f(xs) = List.fold(xs, 0, fn(sum, o) = sum + o.qty)`,
		`fn f(xs) = List.all(xs, fn(o) = o.qty >= 0)`,
		`fn f(xs) = List.partition(xs, fn(o) = o.qty > 50)`,
		`fn f(xs) = List.sort_by(xs, fn(o) = o.qty)`,
	} {
		p, fn := function(t, script)
		made := testing.AllocsPerRun(10, func() {
			if _, err := interp.Run(noWorld{}, interp.Call{Fn: fn, Args: []value.Value{xs}, Program: p}); err != nil {
				t.Fatal(err)
			}
		})
		if made > n/4 {
			t.Errorf("%s makes %.0f objects over %d elements", script, made, n)
		}
	}
}

// BenchmarkAgainstGo runs each function in a script and the same in Go, over
// 1,000 elements and as many as a value has room for, up to 100,000. The time for an element and the ratio of both
// tell how they grow and what the language costs.
func BenchmarkAgainstGo(b *testing.B) {
	number := regexp.MustCompile("[0-9]+")
	mail := template.Must(template.New("").Parse("{{range .}}{{.Qty}} x {{.ID}}\n{{end}}"))
	for _, c := range []struct {
		name, script string
		arg          func(gos []order, vals value.Value) value.Value // nil: the list itself
		inGo         func(gos []order)
		most         int // elements
	}{
		{"sort_by", `fn f(xs) = List.sort_by(xs, fn(o) = o.id)`, nil, func(gos []order) {
			slices.SortStableFunc(slices.Clone(gos), func(a, b order) int { return strings.Compare(a.ID, b.ID) })
		}, 40_000},
		{"group_by", `fn f(xs) = List.group_by(xs, fn(o) = "${o.qty}")`, nil, func(gos []order) {
			groups := map[string][]order{}
			for _, o := range gos {
				k := fmt.Sprint(o.Qty)
				groups[k] = append(groups[k], o)
			}
		}, 40_000},
		{"map+filter", `fn f(xs) = xs |> List.map(fn(o) = o.qty * 2) |> List.filter(fn(n) = n > 50)`, nil, func(gos []order) {
			var out []int
			for _, o := range gos {
				if n := o.Qty * 2; n > 50 {
					out = append(out, n)
				}
			}
		}, 100_000},
		{"unique_by", `fn f(xs) = List.unique_by(xs, fn(o) = o.qty)`, nil, func(gos []order) {
			seen := map[int]bool{}
			for _, o := range gos {
				seen[o.Qty] = true
			}
		}, 100_000},
		{"split+join", `fn f(s) = String.join(String.split(s, ","), ";")`, func(gos []order, _ value.Value) value.Value {
			return value.String(line(gos))
		}, func(gos []order) { _ = strings.Join(strings.Split(line(gos), ","), ";") }, 100_000},
		{"Json.parse", `fn f(s) = Json.parse(s)`, func(gos []order, _ value.Value) value.Value {
			text, _ := json.Marshal(gos)
			return value.String(string(text))
		}, func(gos []order) {
			text, _ := json.Marshal(gos)
			var out any
			_ = json.Unmarshal(text, &out)
		}, 40_000},
		{"Json.encode", `fn f(xs) = Json.encode(xs)`, nil, func(gos []order) { _, _ = json.Marshal(gos) }, 40_000},
		{"sum of Decimals", `fn f(xs) = List.sum_by(xs, fn(o) = o.price)`, nil, func(gos []order) {
			sum := new(apd.Decimal)
			for _, o := range gos {
				d, _, _ := apd.NewFromString(o.Price)
				_, _ = apd.BaseContext.Add(sum, sum, d)
			}
		}, 100_000},
		{"Regex.find_all", `fn f(s) = Regex.find_all(s, "[0-9]+")`, func(gos []order, _ value.Value) value.Value {
			return value.String(line(gos[:min(len(gos), 4_000)]))
		}, func(gos []order) { number.FindAllString(line(gos[:min(len(gos), 4_000)]), -1) }, 4_000},
		{"Template.render", `fn f(xs) = Template.render("{{#xs}}{{qty}} x {{id}}\n{{/xs}}", { xs: xs })`, nil, func(gos []order) {
			_ = mail.Execute(new(bytes.Buffer), gos)
		}, 40_000},
	} {
		p, fn := function(b, c.script)
		for _, n := range []int{1_000, c.most} {
			gos, arg := orders(n)
			if c.arg != nil {
				arg = c.arg(gos, arg)
			}
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := interp.Run(noWorld{}, interp.Call{Fn: fn, Args: []value.Value{arg}, Program: p}); err != nil {
						b.Fatal(err)
					}
				}
				per := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(n)
				rounds, began := 0, time.Now()
				for ; time.Since(began) < 100*time.Millisecond; rounds++ {
					c.inGo(gos)
				}
				inGo := float64(time.Since(began).Nanoseconds()) / float64(rounds)
				b.ReportMetric(per, "ns/elem")
				b.ReportMetric(per*float64(n)/inGo, "x-Go")
			})
		}
	}
}

func line(gos []order) string {
	var sb strings.Builder
	for _, o := range gos {
		sb.WriteString(o.ID + ",")
	}
	return sb.String()
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/wf-lang/wf/"

// floors says on which floor a package stands: it imports only lower ones. The
// first matching prefix counts. docs/architecture.md tells why.
var floors = []struct {
	prefix string
	floor  int
}{
	{"lang/source", 0}, {"persist/storetest", 1}, {"persist/bolt", 1}, {"persist", 0},
	{"lang/token", 1}, {"lang/types", 1}, {"lang/value", 1}, {"lang/spell", 1},
	{"lang/diag", 2}, {"lang/ast", 2},
	{"lang/program", 3}, {"lang/format", 3},
	{"parser", 4}, {"checker", 4}, {"interp/heaptest", 4}, {"interp/flow", 4}, {"interp/engine", 6}, {"interp/call/allow", 6}, {"interp/call/secret", 6}, {"interp/call", 7}, {"interp/console", 7}, {"interp", 4},
	{"stdlib", 5},
	{"cmd", 9},
}

// owners says who alone may import a package from outside, tests apart.
var owners = map[string]string{
	"github.com/alecthomas/participle/v2": "parser",
	"go.etcd.io/bbolt":                    "persist/bolt",
	"github.com/chzyer/readline":          "cmd/wf/internal/repl",
	"github.com/spf13/cobra":              "cmd",
	"github.com/stretchr/testify":         "persist/storetest",
	"github.com/cockroachdb/apd/v3":       "lang/value",
	"golang.org/x/term":                   "cmd",
	"golang.org/x/sys":                    "persist/bolt",
	"pgregory.net/rapid":                  "persist/storetest",
}

type listed struct {
	ImportPath, Dir  string
	GoFiles, Imports []string
}

func packages(t *testing.T) []listed {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", module+"...").Output()
	require.NoError(t, err)
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
	require.Greater(t, len(all), 10)
	return all
}

func floorOf(path string) int {
	for _, f := range floors {
		if path == f.prefix || strings.HasPrefix(path, f.prefix+"/") {
			return f.floor
		}
	}
	return -1
}

func within(path, owner string) bool { return path == owner || strings.HasPrefix(path, owner+"/") }

func TestFloors(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		floor := floorOf(path)
		require.GreaterOrEqual(t, floor, 0, "%s stands on no floor", path)
		for _, imp := range p.Imports {
			if sub, ours := strings.CutPrefix(imp, module); ours {
				same := within(sub, firstOf(path)) && floorOf(sub) == floor // parts of one package's folder
				require.True(t, floorOf(sub) < floor || same, "%s (floor %d) imports %s (floor %d)", path, floor, sub, floorOf(sub))
			}
			for pkg, owner := range owners {
				if within(imp, pkg) {
					require.True(t, within(path, owner), "%s imports %s, which only %s may", path, imp, owner)
				}
			}
		}
	}
}

// firstOf is the folder that a package and its internal parts share.
func firstOf(path string) string {
	if i := strings.Index(path, "/internal"); i >= 0 {
		return path[:i]
	}
	return path
}

// pure packages compute and do nothing else.
func pure(path string) bool {
	return within(path, "lang") || path == "interp" || path == "interp/flow" || path == "checker"
}

var impure = []string{"context", "os", "os/exec", "os/signal", "sync", "sync/atomic", "log", "log/slog", "net", "net/http", "math/rand", "math/rand/v2", "syscall"}

func TestPurePackages(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if !pure(path) {
			continue
		}
		for _, imp := range p.Imports {
			require.False(t, slices.Contains(impure, imp), "%s imports %s", path, imp)
		}
		eachNode(t, p, func(where string, n ast.Node) {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
				t.Errorf("%s: concurrency in a pure package", where)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && (n.Sel.Name == "Now" || n.Sel.Name == "Sleep" || n.Sel.Name == "Since") {
					t.Errorf("%s: time.%s in a pure package", where, n.Sel.Name)
				}
			}
		})
	}
}

// Goroutines belong to the engine and to cmd; only cmd prints, exits, and reads
// flags and the environment; nobody has an init.
func TestWhoMayDoWhat(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		cmd := within(path, "cmd")
		mayStart := cmd || path == "interp/engine" || path == "persist/storetest" || path == "interp/heaptest" // the last two are kits for tests
		eachNode(t, p, func(where string, n ast.Node) {
			switch n := n.(type) {
			case *ast.GoStmt:
				require.True(t, mayStart, "%s: a goroutine", where)
			case *ast.FuncDecl:
				require.False(t, n.Recv == nil && n.Name.Name == "init", "%s: an init function", where)
			case *ast.SelectorExpr:
				if n.Sel.Name == "Go" { // of a WaitGroup
					require.True(t, mayStart, "%s: a goroutine", where)
				}
				x, ok := n.X.(*ast.Ident)
				if !ok || cmd {
					return
				}
				for _, f := range []string{"fmt.Print", "fmt.Println", "fmt.Printf", "os.Exit", "os.Getenv", "os.LookupEnv", "os.Stdout", "os.Stderr", "os.Stdin", "os.Args"} {
					require.NotEqual(t, f, x.Name+"."+n.Sel.Name, "%s: only cmd does that", where)
				}
			}
		})
	}
}

func eachNode(t *testing.T, p listed, f func(where string, n ast.Node)) {
	for _, name := range p.GoFiles {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				pos := fset.Position(n.Pos())
				f(fmt.Sprintf("%s/%s:%d", strings.TrimPrefix(p.ImportPath, module), name, pos.Line), n)
			}
			return true
		})
	}
}

package call_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/lang/value"
)

// folder is a world with a folder `in` and what is beside it; only `in` may be
// used.
func folder(t *testing.T, more ...func(*allow.Config)) (*world, string) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "in", "sub"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "in", "a.txt"), []byte("hello"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "outside"), []byte("not yours"), 0o600))
	return newWorld(t, rules(func(a *allow.Config) {
		a.Dir = dir
		a.Allow[allow.Read] = allow.Entries{List: []string{"in"}}
		a.Allow[allow.Write] = allow.Entries{List: []string{"in"}}
		for _, f := range more {
			f(a)
		}
	})), dir
}

func (w *world) file(op string, args ...string) (value.Value, error) {
	w.t.Helper()
	vs := make([]value.Value, len(args))
	for i, a := range args {
		vs[i] = str(a)
	}
	return w.do(w.t.Context(), "File."+op, vs)
}

func TestFiles(t *testing.T) {
	w, dir := folder(t)
	ok := func(want, op string, args ...string) {
		t.Helper()
		v, err := w.file(op, args...)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	ok(`"hello"`, "read", "in/a.txt")
	ok("()", "write", "in/sub/b.txt", "new")
	ok("()", "append", "in/sub/b.txt", " more")
	ok("()", "append", "in/sub/c.txt", "first")
	ok(`"new more"`, "read", filepath.Join(dir, "in", "sub", "b.txt"))
	ok("true", "exists", "in/sub")
	ok("false", "exists", "in/gone")
	ok(`[{ name: "a.txt", kind: "file", size: 5 }, { name: "sub", kind: "folder", size: 0 }]`, "list", "in")
	ok(`[{ name: "b.txt", kind: "file", size: 8 }, { name: "c.txt", kind: "file", size: 5 }]`, "list", "in/sub/../sub")
	ok("true", "delete", "in/sub/b.txt")
	ok("false", "delete", "in/sub/b.txt")
	ok("()", "write", "in/a.txt", "changed")
	info, err := os.Stat(filepath.Join(dir, "in", "a.txt"))
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "who may read it stays as it was")
	}
	_, err = w.do(t.Context(), "File.write", []value.Value{str("in/bin"), str("/wCA")}, "encoding", str("base64"))
	require.NoError(t, err)
	v, err := w.do(t.Context(), "File.read", []value.Value{str("in/bin")}, "encoding", str("base64"))
	require.NoError(t, err)
	require.Equal(t, `"/wCA"`, v.String())
	_, err = w.file("read", "in/bin")
	fails(t, "encoding", err)
	entries, err := os.ReadDir(filepath.Join(dir, "in"))
	require.NoError(t, err)
	for _, e := range entries {
		require.False(t, strings.HasSuffix(e.Name(), ".tmp"), "%s was left", e.Name())
	}
}

// Ways out of the folder, and files that are none.
func TestHostileFiles(t *testing.T) {
	w, dir := folder(t, func(a *allow.Config) {
		a.Deny[allow.Read].List = []string{"in/sub/private"}
		a.Protected = []string{filepath.Join(a.Dir, "in", "store")}
	})
	in := func(name string) string { return filepath.Join(dir, "in", name) }
	link := func(to, name string) { require.NoError(t, os.Symlink(to, in(name))) }
	link("../outside", "link")
	link(filepath.Join(dir, "outside"), "absolute")
	link("..", "up")
	link("a.txt", "inner")
	link("../new", "dangling")
	link("store", "store-link")
	link("sub/private", "private-link")
	for _, d := range []string{"store", "sub/private"} {
		require.NoError(t, os.MkdirAll(in(d), 0o755))
		require.NoError(t, os.WriteFile(in(d+"/wf.db"), []byte("db"), 0o600))
	}
	require.NoError(t, os.WriteFile(in("large"), make([]byte, 4<<20), 0o600))
	for _, c := range []struct{ code, op, path string }{
		{"denied", "read", "outside"}, {"denied", "read", "in/../outside"}, {"denied", "read", "../outside"}, {"denied", "read", filepath.Join(dir, "outside")},
		{"denied", "read", "/etc/passwd"}, {"denied", "write", "outside"}, {"denied", "append", "in/../outside"}, {"denied", "delete", "outside"}, {"denied", "list", "."},
		{"denied", "exists", "outside"}, {"denied", "read", "inside/x"}, {"denied", "read", "in-not/x"},
		{"file", "read", "in/link"}, {"file", "read", "in/absolute"}, {"file", "read", "in/up/outside"}, {"file", "append", "in/link"}, {"file", "append", "in/dangling"},
		{"file", "list", "in/up"}, {"file", "write", "in/up/x"}, {"file", "delete", "in/up/outside"},
		{"denied", "read", "in/store/wf.db"}, {"denied", "read", "in/store-link/wf.db"}, {"denied", "write", "in/store/wf.db"}, {"denied", "list", "in/store"},
		{"denied", "read", "in/sub/private/wf.db"}, {"denied", "read", "in/private-link/wf.db"}, {"denied", "read", "in/sub/../sub/private/wf.db"},
		{"file", "read", "in/sub"}, {"file", "write", "in/sub"}, {"file", "append", "in/sub"}, {"file", "list", "in/a.txt"}, {"file", "delete", "in/sub"},
		{"not_found", "read", "in/gone"}, {"not_found", "list", "in/gone"}, {"file", "write", "in/up/gone/x"}, {"file", "write", "in/a.txt/x"}, {"denied", "write", "in/store/gone/x"}, {"file", "read", "in/a.txt/x"},
		{"too_large", "read", "in/large"}, {"bad_argument", "read", ""},
	} {
		args := []string{c.path}
		if c.op == "write" || c.op == "append" {
			args = append(args, "overwritten")
		}
		if c.path == "" {
			_, err := w.do(t.Context(), "File.read", nil)
			fails(t, c.code, err)
			continue
		}
		_, err := w.file(c.op, args...)
		require.Error(t, err, "%s %s", c.op, c.path)
		fails(t, c.code, err)
	}
	v, err := w.file("read", "in/inner")
	require.NoError(t, err)
	require.Equal(t, `"hello"`, v.String())
	_, err = w.file("write", "in/link", "mine") // takes the place of the link
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(dir, "outside"))
	require.NoError(t, err)
	require.Equal(t, "not yours", string(b))
	require.NoFileExists(t, filepath.Join(dir, "new"))
	require.NoDirExists(t, filepath.Join(dir, "gone"))
	require.NoDirExists(t, in("store/gone"))
}

// The folders that a file is to be written to are made, and none by mere looking.
func TestFoldersAreMade(t *testing.T) {
	w, dir := folder(t, func(a *allow.Config) { a.Allow[allow.Write].List = []string{"in", "out/reports"} })
	for _, op := range []string{"read", "exists", "list"} {
		_, _ = w.file(op, "in/new/sub/x")
	}
	_, err := w.file("delete", "out/reports/x")
	fails(t, "not_found", err)
	require.NoDirExists(t, filepath.Join(dir, "in", "new"))
	require.NoDirExists(t, filepath.Join(dir, "out"))
	for op, path := range map[string]string{"write": "in/new/sub/a", "append": "out/reports/2030/a"} {
		_, err := w.file(op, path, "text")
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		require.Equal(t, "text", string(b))
	}
	_, err = w.file("write", "out/a", "text")
	require.Contains(t, fails(t, "denied", err).Message, "--allow-write=out allows it")
}

// An entry may be one file, also before it is there, and allows no other.
func TestSingleFiles(t *testing.T) {
	w, dir := folder(t, func(a *allow.Config) {
		a.Allow[allow.Read].List = []string{"outside", "report"}
		a.Allow[allow.Write].List = []string{"report"}
	})
	v, err := w.file("exists", "report")
	require.NoError(t, err)
	require.Equal(t, "false", v.String())
	_, err = w.file("read", "report")
	fails(t, "not_found", err)
	for _, op := range []string{"write", "append"} {
		_, err = w.file(op, "report", "x")
		require.NoError(t, err)
	}
	for path, want := range map[string]string{"report": `"xx"`, "outside": `"not yours"`} {
		v, err = w.file("read", path)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	for _, path := range []string{"in/a.txt", "report2", "outside/x"} {
		_, err = w.file("write", path, "x")
		fails(t, "denied", err)
	}
	_, err = w.file("list", ".")
	fails(t, "denied", err)
	_, err = w.file("delete", "outside")
	require.Contains(t, fails(t, "denied", err).Message, "--allow-write=outside allows it", "not the whole folder")
	v, err = w.file("delete", "report")
	require.NoError(t, err)
	require.Equal(t, "true", v.String())
	require.NoFileExists(t, filepath.Join(dir, "report"))
}

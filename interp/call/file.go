package call

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/lang/value"
)

// maxFile is how many bytes of a file are read or written at once.
const maxFile = 3 << 20

// file makes a call of the module File.
func (c *Caller) file(ctx context.Context, a arguments) (value.Value, error) {
	path, err := a.needText("path")
	if err != nil {
		return value.Nil, err
	}
	var place *allow.Place
	switch a.op.Name {
	case "write", "append":
		place, err = c.rules.Target(path)
	case "delete":
		place, err = c.rules.Path(allow.Write, path)
	case "list":
		place, err = c.rules.Folder(allow.Read, path)
	default:
		place, err = c.rules.Path(allow.Read, path)
	}
	if err != nil {
		return value.Nil, fileError(path, err)
	}
	defer place.Close()
	v, err := c.fileOp(ctx, a, path, place)
	return v, fileError(path, err)
}

func (c *Caller) fileOp(ctx context.Context, a arguments, path string, place *allow.Place) (value.Value, error) {
	switch a.op.Name {
	case "read":
		return readFile(a, path, place)
	case "exists":
		_, err := place.Root.Stat(place.Rel)
		if errors.Is(err, fs.ErrNotExist) {
			return value.Bool(false), nil
		}
		return value.Bool(err == nil), err
	case "list":
		return listFolder(path, place)
	case "delete":
		err := place.Root.Remove(place.Rel)
		if errors.Is(err, fs.ErrNotExist) {
			return value.Bool(false), nil
		}
		return value.Bool(err == nil), err
	}
	data, err := fileData(a)
	if err != nil {
		return value.Nil, err
	}
	if ctx.Err() != nil {
		return value.Nil, ctx.Err()
	}
	if a.op.Name == "append" {
		return value.Unit, appendFile(path, place, data)
	}
	return value.Unit, writeFile(path, place, data)
}

// fileError says in the language's words what went wrong with a file.
func fileError(path string, err error) error {
	var denied *allow.Denied
	switch {
	case err == nil || errors.As(err, &denied):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fail("not_found", "there is no %s", path)
	case errors.Is(err, fs.ErrPermission):
		return fail("denied", "the system does not allow it to use %s", path)
	}
	f := faultOf(err)
	if f.Code == "unavailable" {
		var of *fs.PathError
		if errors.As(err, &of) {
			err = of.Err
		}
		f.Code, f.Message = "file", fmt.Sprintf("%s: %v", path, err)
	}
	return f
}

// ordinary refuses what is no ordinary file: folders, devices, pipes.
func ordinary(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fail("file", "%s is a folder", path)
	case !info.Mode().IsRegular():
		return fail("file", "%s is no ordinary file", path)
	}
	return nil
}

// open opens an ordinary file; one that would keep whoever opens it waiting
// (a pipe) is not opened at all.
func open(path string, place *allow.Place, flag int) (*os.File, error) {
	if info, err := place.Root.Stat(place.Rel); err == nil {
		if err := ordinary(path, info); err != nil {
			return nil, err
		}
	} else if flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := place.Root.OpenFile(place.Rel, flag|dontBlock, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = ordinary(path, info)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

func readFile(a arguments, path string, place *allow.Place) (value.Value, error) {
	encoding, err := encodingOf(a, "encoding")
	if err != nil {
		return value.Nil, err
	}
	f, err := open(path, place, os.O_RDONLY)
	if err != nil {
		return value.Nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return value.Nil, err
	case len(data) > maxFile:
		return value.Nil, fail("too_large", "%s is larger than %d bytes, which is the most that is read at once", path, maxFile)
	case encoding == "base64":
		return value.String(base64.StdEncoding.EncodeToString(data)), nil
	case !utf8.Valid(data):
		return value.Nil, fail("encoding", "%s is no UTF-8 text; `encoding: \"base64\"` gives its bytes", path)
	}
	return value.String(string(data)), nil
}

// fileData is what is to be written.
func fileData(a arguments) ([]byte, error) {
	text, err := a.needText("text")
	if err != nil {
		return nil, err
	}
	encoding, err := encodingOf(a, "encoding")
	if err != nil {
		return nil, err
	}
	if encoding == "" {
		return []byte(text), nil
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, badArgument("the text for %s is no Base64", a.op.FullName())
	}
	return data, nil
}

// writeFile writes beside the file and then takes its place: who reads it sees
// the old or the new one as a whole, also after a crash.
func writeFile(path string, place *allow.Place, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := place.Root.Lstat(place.Rel); err == nil {
		if info.Mode()&fs.ModeSymlink == 0 {
			if err := ordinary(path, info); err != nil {
				return err
			}
			mode = info.Mode().Perm()
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	temp := filepath.Join(filepath.Dir(place.Rel), "."+filepath.Base(place.Rel)+"."+hex.EncodeToString(random[:])+".tmp")
	f, err := place.Root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = place.Root.Rename(temp, place.Rel)
	}
	if err != nil {
		_ = place.Root.Remove(temp) // what went wrong counts
	}
	return err
}

func appendFile(path string, place *allow.Place, data []byte) error {
	if info, err := place.Root.Lstat(place.Rel); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, err := place.Root.Stat(place.Rel); err != nil {
			return fail("file", "%s is a link to nothing", path)
		}
	}
	f, err := open(path, place, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// maxEntries is how many entries a folder that is listed may have.
const maxEntries = 10_000

func listFolder(path string, place *allow.Place) (value.Value, error) {
	info, err := place.Root.Stat(place.Rel)
	if err != nil {
		return value.Nil, err
	}
	if !info.IsDir() {
		return value.Nil, fail("file", "%s is no folder", path)
	}
	entries, err := fs.ReadDir(place.Root.FS(), filepath.ToSlash(place.Rel)) // by name
	if err != nil {
		return value.Nil, err
	}
	if len(entries) > maxEntries {
		return value.Nil, fail("too_large", "%s has more than %d entries", path, maxEntries)
	}
	out := make([]value.Value, 0, len(entries))
	for _, e := range entries {
		size, kind := int64(0), "other"
		switch info, err := e.Info(); {
		case err != nil:
			continue // it has gone meanwhile
		case !utf8.ValidString(e.Name()): // no script can name it
		case info.IsDir():
			kind = "folder"
		case info.Mode().IsRegular():
			kind, size = "file", info.Size()
		}
		out = append(out, value.NewRecord([]string{"name", "kind", "size"},
			[]value.Value{value.String(strings.ToValidUTF8(e.Name(), "\uFFFD")), value.String(kind), value.Int(size)}))
	}
	return value.List(out...), nil
}

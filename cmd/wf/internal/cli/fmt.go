package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wf-lang/wf/lang/format"
	"github.com/wf-lang/wf/lang/source"
	"github.com/wf-lang/wf/parser"
)

// How a script is formatted.
type fmtMode struct{ write, check bool }

func newFmt(a *app) *cobra.Command {
	mode := fmtMode{}
	cmd := &cobra.Command{
		Use:   "fmt FILE…",
		Short: "Write scripts in their one canonical style",
		Long: "Formats scripts: to stdout, or with -w in their files. There are no options to the style.\n" +
			"Comments stay where they are. What cannot be read as wf stays as it is; the rest is formatted.\n" +
			"The FILE - is stdin.",
		Example: "  wf fmt order.wf\n  wf fmt -w *.wf\n  wf fmt --check *.wf       names the files that are not formatted; exit code 1 if there are any",
		Args:    between(1, many, "at least one FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if mode.write && mode.check {
				return usage("-w and --check exclude each other")
			}
			return a.fmt(cmd.InOrStdin(), args, mode)
		},
		ValidArgsFunction: completeFiles,
	}
	cmd.Flags().BoolVarP(&mode.write, "write", "w", false, "write the result to the file, if it differs")
	cmd.Flags().BoolVar(&mode.check, "check", false, "only name the files that would change")
	return cmd
}

// fmt formats all files; one that cannot be read does not keep it from the
// others.
func (a *app) fmt(stdin io.Reader, files []string, mode fmtMode) error {
	worst := error(nil)
	for _, file := range files {
		changed, err := a.fmtOne(stdin, file, mode)
		switch {
		case err != nil:
			var quiet *exitError
			if !errors.As(err, &quiet) || quiet.err != nil {
				a.sayf("wf: %s", words(err, a.shell()))
			}
			err = said(codeOf(err))
		case changed && mode.check:
			err = said(exitFailed)
		}
		if codeOf(err) > codeOf(worst) {
			worst = err
		}
	}
	return worst
}

// fmtOne formats a file and does with the result what the mode says; it reports
// whether the result differs from the file.
func (a *app) fmtOne(stdin io.Reader, file string, mode fmtMode) (changed bool, err error) {
	text, err := fmtInput(stdin, file, mode)
	if err != nil {
		return false, &exitError{exitUsage, err}
	}
	out, whole, err := formatText(file, text)
	if err != nil {
		return false, err
	}
	changed = out != text
	if !whole {
		a.sayf("%s: has mistakes in its syntax, which stay as they are (wf check shows them)", file)
		defer func() {
			if err == nil {
				err = said(exitSource)
			}
		}()
	}
	switch {
	case mode.write && changed:
		if err := replaceFile(file, out); err != nil {
			return true, &exitError{exitUsage, fmt.Errorf("cannot write %s: %w", file, err)}
		}
	case mode.check && changed:
		return true, a.render(func(w *bufio.Writer) error { return put(w, file+"\n") })
	case !mode.write && !mode.check:
		return changed, a.render(func(w *bufio.Writer) error { return put(w, out) })
	}
	return changed, nil
}

func put(w *bufio.Writer, text string) error {
	_, err := w.WriteString(text)
	return err
}

func fmtInput(stdin io.Reader, file string, mode fmtMode) (string, error) {
	if file != "-" {
		return readText(file)
	}
	if mode.write {
		return "", errors.New("stdin cannot be written; leave out -w")
	}
	return textOf("stdin", stdin)
}

// formatText formats a text; whole says that its syntax is correct. A result
// that would not be is a mistake of ours and given to nobody.
func formatText(name, text string) (out string, whole bool, err error) {
	file := source.NewFile(name, text)
	tree, ds := parser.Parse(file, 0)
	out = format.File(file, tree)
	whole = !ds.HasErrors()
	if !whole {
		return out, false, nil
	}
	if len(out) > maxSource {
		return "", true, &exitError{exitUsage, fmt.Errorf("%s was left as it is: formatted it would be larger than 1 MB", name)}
	}
	if _, ds := parser.Parse(source.NewFile(name, out), 0); ds.HasErrors() {
		return "", true, fmt.Errorf("%s was left as it is: formatting would have broken it. This is a mistake in wf, please report it", name)
	}
	return out, true, nil
}

// replaceFile gives a file another content, all of it or, if that fails, nothing.
// It keeps the permissions, and a link stays one.
func replaceFile(path, text string) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".wf-fmt-*")
	if err != nil {
		return err
	}
	_, err = tmp.WriteString(text)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

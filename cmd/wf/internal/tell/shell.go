package tell

import (
	"slices"
	"strings"
)

// A Shell makes commands that can be given as they are printed.
type Shell struct {
	Store string // the folder that has to be named with --store, "" for none
}

// Wf is a command of wf on the store.
func (s Shell) Wf(words ...string) string { return s.WfWith("", words...) }

// WfWith is Wf with a last argument that is still to be filled in, "" for none:
// types stand in < > where values belong. One that is nothing else is not put
// into quotes, so that a shell refuses it as it is.
func (s Shell) WfWith(blank string, words ...string) string {
	line := []string{"wf"}
	store := []string{}
	if s.Store != "" {
		store = append(store, "--store", Word(s.Store))
	}
	for _, w := range words {
		if strings.HasPrefix(w, "-") && words[0] != "list" && !slices.Contains(line, "--") { // an argument, such as an id; list has flags
			line = append(append(line, store...), "--")
			store = nil
		}
		line = append(line, Word(w))
	}
	switch {
	case strings.HasPrefix(blank, "<"):
		line = append(line, blank)
	case blank != "":
		line = append(line, Word(blank))
	}
	return strings.Join(append(line, store...), " ")
}

// Word is a word of a command line, in quotes if a shell would read something
// else.
func Word(w string) string {
	if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/@-+,=%") == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// A service is a server on loopback for scripts. It writes each request to a
// file as a line, before it answers.
type service struct {
	ts   *testscript.TestScript
	file string

	mu      sync.Mutex
	replies []string          // of the model, one for each new request
	given   map[string]string // replies by idempotency key
	hung    map[string]bool   // paths that were asked before
}

// cmdService starts one: its address is in SERVICE and WF_LLM_BASE_URL, its
// requests in FILE. The lines of REPLIES are what its model says, one after
// another; a line that begins with `!` is given at the second try only.
func cmdService(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 1, "service FILE [REPLIES]")
	s := &service{ts: ts, file: ts.MkAbs(args[0]), given: map[string]string{}, hung: map[string]bool{}}
	if len(args) > 1 {
		s.replies = strings.Split(strings.TrimSpace(ts.ReadFile(args[1])), "\n")
	}
	ts.Check(os.WriteFile(s.file, nil, 0o600))
	server := httptest.NewServer(s)
	ts.Defer(func() {
		server.CloseClientConnections()
		server.Close()
	})
	env := processesOf(ts).env
	for name, value := range map[string]string{"SERVICE": server.URL, "WF_LLM_BASE_URL": server.URL + "/v1", "WF_LLM_MODEL": "stub"} {
		ts.Setenv(name, value)
		env.Setenv(name, value)
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.note(fmt.Sprintf("%s %s key=%s %s", r.Method, r.URL.Path, r.Header.Get("Idempotency-Key"), body))
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/first-hangs":
		if s.first(r.URL.Path) {
			<-r.Context().Done()
			return
		}
	case "/first-500", "/first-502", "/first-504", "/once/first-504":
		if s.first(r.URL.Path) {
			_, digits, _ := strings.Cut(r.URL.Path, "first-")
			status, _ := strconv.Atoi(digits)
			w.WriteHeader(status)
			return
		}
	case "/echo":
		w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
		_, _ = w.Write(body)
		return
	case "/reflect":
		answer, _ := json.Marshal(map[string]any{"headers": r.Header, "body": string(body), "query": r.URL.RawQuery})
		_, _ = w.Write(answer)
		return
	case "/error":
		w.WriteHeader(http.StatusTeapot)
		_, _ = fmt.Fprintf(w, "you said %s and %s", r.Header.Get("Authorization"), body)
		return
	case "/v1/chat/completions":
		s.reply(w, r)
		return
	}
	_, _ = io.WriteString(w, `{"ok": true}`)
}

func (s *service) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fmt.Fprintln(f, line)
}

func (s *service) first(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.hung[path]
	s.hung[path] = true
	return first
}

// reply says the next line; the same again under the same key.
func (s *service) reply(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	s.mu.Lock()
	text, known := s.given[key]
	if !known && len(s.replies) > 0 {
		text, s.replies = s.replies[0], s.replies[1:]
		s.given[key] = strings.TrimPrefix(text, "!")
	}
	s.mu.Unlock()
	if strings.HasPrefix(text, "!") {
		<-r.Context().Done()
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"usage": map[string]int{"total_tokens": 100},
		"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": text}}}})
}

// cmdKeys checks how many requests a service has had, and under how many keys.
func cmdKeys(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 3, "keys FILE REQUESTS DISTINCT")
	keys, n := map[string]bool{}, 0
	text := ts.ReadFile(args[0])
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		_, rest, ok := strings.Cut(line, " key=")
		key, _, _ := strings.Cut(rest, " ")
		if !ok || key == "" {
			continue
		}
		n++
		keys[key] = true
	}
	if fmt.Sprint(n) != args[1] || fmt.Sprint(len(keys)) != args[2] {
		ts.Fatalf("%d requests under %d keys, not %s under %s:\n%s", n, len(keys), args[1], args[2], text)
	}
}

// cmdAbsent checks that a text, and its Base64, is in none of the files, nor in
// those of a folder.
func cmdAbsent(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, 2, "absent TEXT FILE…")
	looked := 0
	for _, root := range args[1:] {
		for _, form := range []string{args[0], base64.StdEncoding.EncodeToString([]byte(args[0])), base64.StdEncoding.EncodeToString([]byte("ann:" + args[0]))} {
			found, n, err := findText(form, ts.MkAbs(root))
			ts.Check(err)
			if looked += n; found != "" {
				ts.Fatalf("%q is in %s", form, found)
			}
		}
	}
	if looked == 0 {
		ts.Fatalf("there was nothing to look at")
	}
}

// findText looks for a text in a file, or in those of a folder. It gives the
// file that has it, "" if none has, and how many bytes it has looked at.
func findText(text, root string) (found string, looked int, err error) {
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if looked += len(b); strings.Contains(string(b), text) {
			found = path
		}
		return err
	})
	return found, looked, err
}

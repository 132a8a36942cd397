package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/cmd/wf/internal/services"
)

// placeholder is the address that the scripts have for all of their services.
const placeholder = "localhost:8080"

// A stage is one folder with a script, its store, and a server for it.
type stage struct {
	*scenario
	dir     string
	server  *services.Server
	flags   []string // that the script needs
	said    []string // what each process wrote to stdout
	errs    string   // and all of them to stderr
	reached bool     // the point, where the process was killed
}

// newStage furnishes a folder. flags are for the address of the placeholder.
func newStage(t *testing.T, sc *scenario, flags []string, at services.Point) *stage {
	t.Helper()
	s := &stage{scenario: sc, dir: t.TempDir(), server: services.Start(sc.world(), at)}
	t.Cleanup(s.server.Close)
	require.NoError(t, s.furnish(flags))
	return s
}

// furnish writes what is in the folder.
func (s *stage) furnish(flags []string) error {
	script, err := os.ReadFile(filepath.Join("../../testdata/effects", s.name+".wf"))
	if err != nil {
		return err
	}
	files := map[string]string{s.name + ".wf": strings.ReplaceAll(string(script), placeholder, s.server.Address()), "out/.keep": ""}
	for name, text := range s.files {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(s.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	for _, f := range flags {
		s.flags = append(s.flags, strings.ReplaceAll(f, placeholder, s.server.Address()))
	}
	return s.server.Furnish(s.dir)
}

// environ is the environment of the script.
func (s *stage) environ() []string {
	env := append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "TZ=UTC", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "GORACE=atexit_sleep_ms=0"}, s.env...)
	for _, name := range s.secrets {
		env = append(env, "WF_SECRET_"+strings.ToUpper(name)+"="+secretText(name))
	}
	if s.model {
		env = append(env, "WF_LLM_BASE_URL="+s.server.URL()+"/v1", "WF_LLM_MODEL=stand-in", "WF_LLM_API_KEY="+secretText("llm"))
	}
	return env
}

func (s *stage) command(args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	cmd := exec.Command("wf", args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, s.environ(), &out, &errs
	cmd.WaitDelay = time.Second // what a killed wf has left behind may still hold its output
	return cmd, &out, &errs
}

// wf runs a command that must succeed, and gives its output.
func (s *stage) wf(args ...string) (string, error) {
	cmd, out, errs := s.command(args...)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("wf %s: %w\n%s%s", strings.Join(args, " "), err, out, errs)
	}
	s.errs += errs.String()
	return out.String(), nil
}

// play runs the script to its end: at the point the process is killed, and
// another one started.
func (s *stage) play() error {
	sent := s.signal == nil
	for {
		killed, err := s.process(&sent)
		if err != nil || !killed {
			return err
		}
		s.reached = true
		s.server.Release()
	}
}

// process is one process that runs the script. It reports whether it was killed.
func (s *stage) process(sent *bool) (killed bool, err error) {
	cmd, out, errs := s.command(append([]string{"run", s.name + ".wf"}, s.flags...)...)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	reached, limit := s.server.Reached(), time.After(patience)
	if s.reached {
		reached = nil
	}
	for {
		var asked <-chan struct{}
		if !*sent {
			var seen bool
			if seen, asked = s.server.Seen(s.signal.method, s.signal.path); seen && !isClosed(reached) {
				if _, err := s.wf("signal", s.signal.id, s.signal.name, s.signal.payload); err != nil {
					return false, errors.Join(err, cmd.Process.Kill())
				}
				*sent = true
			}
		}
		select {
		case <-asked:
			continue
		case <-limit:
			err = fmt.Errorf("it has not ended after %s", patience)
			reached = nil
		case <-reached:
			killed = true
		case err = <-ended:
			s.said, s.errs = append(s.said, out.String()), s.errs+errs.String()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == 1 { // some workflow has failed, as it should
				err = nil
			}
			return false, err
		}
		_ = cmd.Process.Kill() // it may have ended
		<-ended
		s.said, s.errs = append(s.said, out.String()), s.errs+errs.String()
		return killed, err
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// An account is what a run has come to, without what may differ.
type account struct {
	Requests []string // each once for a key; those without a key each time
	Repeated []string // those that came again under their key
	Events   []string
	Ended    []string // the instances and how they ended
	Files    []string
	Answers  []string
}

// account looks at the server, the store and the folder.
func (s *stage) account() (*account, error) {
	a := &account{}
	a.countRequests(s.server.Requests())
	events, err := s.wf("events", "--json")
	if err != nil {
		return nil, err
	}
	a.Events, err = without(events, "number", "time", "at", "seq", "n")
	if err != nil {
		return nil, err
	}
	list, err := s.wf("list", "--json")
	if err != nil {
		return nil, err
	}
	if a.Ended, err = pick(list, "id", "status", "state", "result", "failure", "compensation"); err != nil {
		return nil, err
	}
	for _, q := range s.queries {
		answer, err := s.wf("query", q[0], q[1])
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(answer) != q[2] {
			return nil, fmt.Errorf("%s of %s is %s, not %s", q[1], q[0], answer, q[2])
		}
		a.Answers = append(a.Answers, answer)
	}
	for _, name := range s.made {
		b, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil {
			return nil, err
		}
		a.Files = append(a.Files, name+"\n"+string(b))
	}
	for _, part := range []*[]string{&a.Requests, &a.Events, &a.Ended} {
		for i, text := range *part {
			(*part)[i] = strings.ReplaceAll(text, s.server.Address(), placeholder)
		}
		slices.Sort(*part)
	}
	return a, nil
}

func (a *account) countRequests(requests []*services.Request) {
	seen := map[string]string{}
	for _, r := range requests {
		line := r.Line()
		if r.Key != "" && seen[r.Key] != "" {
			if seen[r.Key] != line {
				line = fmt.Sprintf("another request under its key: %s, not %s", line, seen[r.Key])
			}
			a.Repeated = append(a.Repeated, line)
			continue
		}
		if seen[r.Key] = line; r.Key == "" && r.Method != "GET" {
			line += " without a key"
		}
		a.Requests = append(a.Requests, line)
	}
}

// without are lines of JSON without some of their fields.
func without(lines string, names ...string) ([]string, error) {
	return each(lines, func(m map[string]json.RawMessage) {
		for _, name := range names {
			delete(m, name)
		}
	})
}

// pick are lines of JSON of which some fields are left.
func pick(lines string, names ...string) ([]string, error) {
	return each(lines, func(m map[string]json.RawMessage) {
		for name := range m {
			if !slices.Contains(names, name) {
				delete(m, name)
			}
		}
	})
}

func each(lines string, f func(map[string]json.RawMessage)) ([]string, error) {
	var out []string
	for d := json.NewDecoder(strings.NewReader(lines)); d.More(); {
		var m map[string]json.RawMessage
		if err := d.Decode(&m); err != nil {
			return nil, err
		}
		f(m)
		b, err := json.Marshal(m)
		if err != nil {
			return nil, err
		}
		out = append(out, string(b))
	}
	return out, nil
}

// differs says in what a disturbed run differs from one that was not, "" if in
// nothing that counts: a call that was under way at the crash may be repeated
// under its key, one that only reads may be made again.
func (a *account) differs(want *account, flight int) string {
	for _, part := range []struct {
		name      string
		want, got []string
	}{{"events", want.Events, a.Events}, {"instances", want.Ended, a.Ended}, {"files", want.Files, a.Files}, {"answers", want.Answers, a.Answers}} {
		if !slices.Equal(part.want, part.got) {
			return fmt.Sprintf("%s differ:\n%s\nnot\n%s", part.name, strings.Join(part.got, "\n"), strings.Join(part.want, "\n"))
		}
	}
	left, more := slices.Clone(want.Requests), slices.Clone(a.Repeated)
	for _, line := range want.Repeated { // an answer was lost
		if i := slices.Index(more, line); i >= 0 {
			more = slices.Delete(more, i, i+1)
		}
	}
	for _, line := range a.Requests {
		if i := slices.Index(left, line); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		if !strings.HasPrefix(line, "GET ") {
			return "a request that should not be: " + line
		}
		more = append(more, line)
	}
	slices.Sort(more)
	switch twice := slices.Compact(slices.Clone(more)); {
	case len(left) > 0:
		return fmt.Sprintf("these requests were never made: %s", strings.Join(left, "\n"))
	case len(more) > flight || len(twice) < len(more):
		return fmt.Sprintf("more was repeated than was under way: %s", strings.Join(more, "\n"))
	}
	return ""
}

// continues reports whether what the processes wrote is the whole: the next one
// goes on where the one before ended, and may show again what that had just shown.
func continues(whole string, said []string) bool {
	if len(said) == 1 {
		return said[0] == whole
	}
	for i := len(said[0]); i >= 0; i-- {
		if strings.HasPrefix(whole, said[0]) && continues(whole[i:], said[1:]) {
			return true
		}
	}
	return false
}

// needed asks wf what the script needs, and gives the flags.
func needed(t *testing.T, sc *scenario) []string {
	t.Helper()
	cmd := exec.Command("wf", "check", "--json", filepath.Join("../../testdata/effects", sc.name+".wf"))
	out, err := cmd.Output()
	require.NoError(t, err)
	var said struct {
		Needs struct {
			Flags, Open, Secrets []string
			Model                bool
		}
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, 1, "it draws a warning")
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &said))
	all := said.Needs
	require.Empty(t, all.Open)
	require.ElementsMatch(t, sc.secrets, all.Secrets)
	require.Equal(t, sc.model, all.Model)
	require.NotEmpty(t, all.Flags)
	return all.Flags
}

// TestEffects runs each script as a user would, then again with a kill -9 at every
// moment of every request that it makes. What comes of it is the same, and what
// one key asks for is done once.
func TestEffects(t *testing.T) {
	slots := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			flags := needed(t, &sc)
			calm := newStage(t, &sc, flags, services.Point{})
			require.NoError(t, calm.play())
			require.Equal(t, strings.Join(sc.want, "\n")+"\n", calm.said[0], calm.errs)
			want, err := calm.account()
			require.NoError(t, err)
			require.Len(t, want.Repeated, sc.lost, "repeated without a reason")
			for _, e := range sc.events {
				require.Contains(t, strings.Join(want.Events, "\n"), e)
			}
			noCanary(t, calm)
			count := len(calm.server.Requests())
			var all sync.WaitGroup
			for _, at := range points(count) {
				slots <- struct{}{}
				all.Go(func() {
					defer func() { <-slots }()
					disturbed(t, &sc, flags, at, at.N == count, calm.said[0], want)
				})
			}
			all.Wait()
		})
	}
}

// points are those at which processes are killed.
func points(requests int) []services.Point {
	var all []services.Point
	for n := 1; n <= requests; n++ {
		for _, m := range []services.Moment{services.Arrived, services.Done, services.Answered} {
			if p := (services.Point{N: n, When: m}); !testing.Short() || (n+int(m))%4 == 0 {
				all = append(all, p)
			}
		}
	}
	return all
}

// disturbed plays a scenario with a kill and compares. When the last request has
// its answer the process may be through before it is killed.
func disturbed(t *testing.T, sc *scenario, flags []string, at services.Point, last bool, output string, want *account) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Error(err)
		return
	}
	s := &stage{scenario: sc, dir: dir, server: services.Start(sc.world(), at)}
	defer s.server.Close()
	err = s.furnish(flags)
	if err == nil {
		err = s.play()
	}
	var got *account
	if err == nil {
		got, err = s.account()
	}
	where := fmt.Sprintf("request %d %s", at.N, at.When)
	if err != nil {
		t.Errorf("%s: %v\n%s", where, err, s.errs)
		return
	}
	if !s.reached && !(last && at.When == services.Answered) {
		t.Errorf("%s: it was never reached", where)
	}
	if !continues(output, s.said) {
		t.Errorf("%s: it prints\n%s\nnot\n%s\n%s", where, strings.Join(s.said, "--- killed\n"), output, s.errs)
	}
	if d := got.differs(want, sc.flight); d != "" {
		t.Errorf("%s: %s", where, d)
	}
	noCanary(t, s)
}

// noCanary looks for the texts of secrets where they must not be.
func noCanary(t *testing.T, s *stage) {
	if strings.Contains(strings.Join(s.said, "")+s.errs, canary) {
		t.Errorf("the text of a secret is in the output")
	}
	if found, looked, err := findText(canary, s.dir); err != nil || found != "" || looked == 0 {
		t.Errorf("the text of a secret is in %q; %d bytes looked at: %v", found, looked, err)
	}
}

// histories are those of all instances, and of the program.
func histories(t *testing.T, s *stage) string {
	t.Helper()
	list, err := s.wf("list", "--json")
	require.NoError(t, err)
	all, err := s.wf("history", "main-1")
	require.NoError(t, err)
	for d := json.NewDecoder(strings.NewReader(list)); d.More(); {
		var one struct{ ID string }
		require.NoError(t, d.Decode(&one))
		text, err := s.wf("history", one.ID)
		require.NoError(t, err)
		all += text
	}
	return all
}

// TestEffectsDenied leaves out one flag after the other: the call that needs it is
// refused and names it, and the server is not asked.
func TestEffectsDenied(t *testing.T) {
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			for i, flag := range needed(t, &sc) {
				s := newStage(t, &sc, needed(t, &sc), services.Point{})
				name, _, _ := strings.Cut(flag, "=")
				s.flags = slices.Delete(s.flags, i, i+1)
				cmd, out, errs := s.command(append([]string{"run", s.name + ".wf", "--until-idle"}, s.flags...)...)
				_ = cmd.Run() // some fail, some catch the error
				require.Regexp(t, `will be refused: .*`+name+`=\S+ allows it`, errs.String())
				require.Contains(t, histories(t, s), "denied", "%s %s%s", flag, out, errs)
				for _, r := range s.server.Requests() {
					if name == "--allow-net" {
						require.True(t, r.Method == "RUN" || strings.HasPrefix(r.Path, "/v1/"), "%s was asked without %s", r.Line(), flag)
					}
				}
			}
		})
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	killSeed = flag.Uint64("kill.seed", 1, "seed of what clients ask for, and of when processes are killed")
	kills    = flag.Int("kill.times", 40, "how often the driving process is killed")
)

// killScript is what runs while processes are killed. Whoever has done something
// says so in an event.
const killScript = `entity Ledger {
    state got: [String] = []
    command add(tag: String) -> Int {
        self.got = self.got + [tag]
        reply self.got.length
    }
    query all() -> [String] { self.got }
}

/// Waits for one signal, between a call and a command.
workflow Job {
    state told: String = ""
    step call { perform Http.post("http://ADDRESS/job", body: { tag: self.id }) }
    step wait {
        self.told = perform Signal.wait("go")
        emit Told(self.id, self.told)
    }
    step add {
        ask Ledger("main").add(self.id)
        emit Done(self.id)
    }
}

/// Works until it is stopped.
workflow Load {
    state n: Int = 0
    step work {
        perform Http.post("http://ADDRESS/load", body: { tag: "load-${self.n}" })
        self.n += 1
        emit Tick(self.n)
    }
    step rest {
        perform Timer.sleep(10ms)
        goto work
    }
    command stop() in work, rest { end self.n }
}

spawn Load {} as "load"
`

// TestKill kills the driving process again and again, at work and while it starts,
// now and then a client, and whoever compacts the store. Meanwhile other processes
// call, signal and spawn. Whatever they were told has to be there in the end, and
// once. Where it sleeps it picks the moment of a kill; what is checked holds for
// every moment.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some hundreds of processes")
	}
	k := newKillRun(t)
	var clients sync.WaitGroup
	for i := range 3 {
		clients.Go(func() { k.client(rand.New(rand.NewPCG(*killSeed, uint64(i)))) })
	}
	leave := sync.OnceFunc(func() {
		close(k.enough)
		clients.Wait()
	})
	defer leave()
	dice := rand.New(rand.NewPCG(*killSeed, 99))
	for i := range *kills {
		d := k.drive()
		if i%3 == 2 {
			time.Sleep(time.Duration(dice.IntN(40)) * time.Millisecond) // anywhere in its start
		} else {
			k.await(d, k.progress()+1+dice.IntN(20))
		}
		d.kill()
		if i%5 == 4 {
			k.compact(time.Duration(dice.IntN(40)) * time.Millisecond)
		}
	}
	leave()
	k.finish()
	k.check()
	t.Logf("%d kills; %d requests had an answer, %d had none; the service was called %d times", *kills, k.answered, k.lost, len(k.calls))
}

// A killRun is a store that is driven by processes that are killed, and the ledger
// of what clients were told.
type killRun struct {
	t      *testing.T
	dir    string
	allow  string
	enough chan struct{} // closed when the clients are to leave

	mu       sync.Mutex // guards all below
	calls    []string   // to the service: "tag key"
	answered int
	lost     int               // requests without an answer
	added    map[string]int    // tags that were accepted, and the place they were given
	perhaps  map[string]bool   // tags of calls without a key that had no answer
	refused  map[string]bool   // tags of calls that were refused
	spawned  map[string]bool   // ids of jobs that were accepted
	sent     map[string]string // signal that was accepted, by job
	failures []string
}

func newKillRun(t *testing.T) *killRun {
	k := &killRun{t: t, dir: t.TempDir(), enough: make(chan struct{}), added: map[string]int{}, perhaps: map[string]bool{}, refused: map[string]bool{},
		spawned: map[string]bool{}, sent: map[string]string{}}
	server := httptest.NewServer(k)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	address := server.Listener.Addr().String()
	k.allow = "--allow-net=" + address
	require.NoError(t, os.WriteFile(filepath.Join(k.dir, "kill.wf"), []byte(strings.ReplaceAll(killScript, "ADDRESS", address)), 0o600))
	return k
}

// ServeHTTP is the service: it notes who has asked for what.
func (k *killRun) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever asked was killed
	}
	var asked struct{ Tag string }
	if err := json.Unmarshal(b, &asked); err != nil {
		k.fail("the service was asked for %q: %v", b, err)
	}
	k.mu.Lock()
	k.calls = append(k.calls, asked.Tag+" "+r.Header.Get("Idempotency-Key"))
	k.mu.Unlock()
	_, _ = w.Write([]byte(`{"done": true}`)) // whoever asked may be dead
}

func (k *killRun) fail(format string, args ...any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failures = append(k.failures, fmt.Sprintf(format, args...))
}

// progress counts what has been done so far.
func (k *killRun) progress() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.answered + len(k.calls)
}

// A driver is a process that drives the store.
type driver struct {
	cmd  *exec.Cmd
	errs bytes.Buffer
	done chan struct{} // closed when it has ended
}

func (k *killRun) drive() *driver {
	d := &driver{cmd: exec.Command("wf", "run", "kill.wf", k.allow), done: make(chan struct{})}
	d.cmd.Dir, d.cmd.Env, d.cmd.Stderr = k.dir, k.environ(), &d.errs
	require.NoError(k.t, d.cmd.Start())
	go func() {
		_ = d.cmd.Wait() // the state says it
		close(d.done)
	}()
	return d
}

func (k *killRun) environ() []string { return append(os.Environ(), "GORACE=atexit_sleep_ms=0") }

func (d *driver) kill() {
	_ = d.cmd.Process.Kill() // it may have ended
	<-d.done
}

// compact compacts the store, unless a client has it open, and kills that after a
// while.
func (k *killRun) compact(after time.Duration) {
	cmd := exec.Command("wf", "store", "compact")
	cmd.Dir, cmd.Env = k.dir, k.environ()
	require.NoError(k.t, cmd.Start())
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()         // so it may end in any way
}

// await waits until so much has been done. A driver that finds the store in use by
// a client leaves: that is no progress of its own, and the clients go on.
func (k *killRun) await(d *driver, progress int) {
	for deadline := time.Now().Add(patience); k.progress() < progress; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.kill()
			k.t.Fatalf("nothing is done any more; the driver said:\n%s", d.errs.String())
		}
	}
}

// client makes requests, one after the other, until there are enough.
func (k *killRun) client(dice *rand.Rand) {
	var waiting []string // jobs of this client that have no signal yet
	for n := 0; ; n++ {
		select {
		case <-k.enough:
			return
		default:
		}
		tag := fmt.Sprintf("%d-%d", dice.IntN(1_000_000), n)
		switch {
		case n%4 == 1:
			k.spawn(dice, "job-"+tag)
			waiting = append(waiting, "job-"+tag)
		case n%4 == 3 && len(waiting) > 0:
			k.signal(dice, waiting[0], tag)
			waiting = waiting[1:]
		default:
			k.add(dice, tag, dice.IntN(3) > 0)
		}
	}
}

// request runs a command until its outcome is known, one without a key once. It
// gives its output and exit code; -1 if nobody knows.
func (k *killRun) request(dice *rand.Rand, key string, args ...string) (string, int) {
	if key != "" {
		args = append(args, "--key", key)
	}
	for deadline := time.Now().Add(patience); ; {
		cmd := exec.Command("wf", args...)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = k.dir, k.environ(), &out, &errs
		if err := cmd.Start(); err != nil {
			k.fail("start wf: %v", err)
			return "", -1
		}
		if dice.IntN(20) == 0 {
			time.Sleep(time.Duration(dice.IntN(40)) * time.Millisecond)
			_ = cmd.Process.Kill() // it may have ended
		}
		_ = cmd.Wait() // the state says it
		code := cmd.ProcessState.ExitCode()
		k.mu.Lock()
		if code == 0 || code == 4 {
			k.answered++
		} else {
			k.lost++
		}
		k.mu.Unlock()
		switch code {
		case 0, 4:
			return strings.TrimSpace(out.String()), code
		case 5, 6, -1: // the store is in use; nobody knows; killed
		default:
			k.fail("wf %v ended with %d: %s", args, code, &errs)
			return "", -1
		}
		if key == "" {
			if code == 5 {
				return "", code
			}
			return "", -1
		}
		if time.Now().After(deadline) {
			k.fail("wf %v never has an answer; the last was %d: %s", args, code, &errs)
			return "", -1
		}
	}
}

func (k *killRun) add(dice *rand.Rand, tag string, keyed bool) {
	key := ""
	if keyed {
		key = "key-" + tag
	}
	out, code := k.request(dice, key, "call", "Ledger/main", "add", "tag-"+tag)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch code {
	case 0:
		place, err := strconv.Atoi(out)
		if err != nil {
			k.failures = append(k.failures, "the reply is "+out)
		}
		k.added["tag-"+tag] = place
	case 4, 5:
		k.refused["tag-"+tag] = true
	default:
		k.perhaps["tag-"+tag] = true
	}
}

func (k *killRun) spawn(dice *rand.Rand, id string) {
	out, code := k.request(dice, "key-"+id, "spawn", "kill.wf", "Job", "{}", "--id", id)
	if code != 0 || out != id {
		k.fail("spawn %s: exit code %d, %s", id, code, out)
		return
	}
	k.mu.Lock()
	k.spawned[id] = true
	k.mu.Unlock()
}

func (k *killRun) signal(dice *rand.Rand, id, tag string) {
	if _, code := k.request(dice, "key-"+tag, "signal", id, "go", "go-"+tag); code != 0 {
		k.fail("signal %s: exit code %d", id, code)
		return
	}
	k.mu.Lock()
	k.sent[id] = "go-" + tag
	k.mu.Unlock()
}

// wf runs a command that must succeed, and gives its output.
func (k *killRun) wf(args ...string) string {
	cmd := exec.Command("wf", args...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = k.dir, k.environ(), &errs
	out, err := cmd.Output()
	require.NoError(k.t, err, "wf %v: %s", args, &errs)
	return string(out)
}

// finish lets everything end: nobody is killed any more.
func (k *killRun) finish() {
	calm := rand.New(rand.NewPCG(1, 1))
	for id := range k.spawned {
		if k.sent[id] == "" {
			k.signal(calm, id, "last-"+id)
		}
	}
	d := k.drive()
	defer func() { d.kill() }()
	for deadline := time.Now().Add(patience); k.owner() != d.cmd.Process.Pid; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.kill()
			k.t.Fatalf("nobody drives the store; the driver said:\n%s", d.errs.String())
		}
		if isClosed(d.done) { // it has found the store in use by who looks at it
			d = k.drive()
		}
	}
	// What the process died in three times was parked.
	for line := range strings.Lines(k.wf("list", "--all", "--stuck", "--json")) {
		var stuck struct{ ID string }
		require.NoError(k.t, json.Unmarshal([]byte(line), &stuck))
		k.wf("resume", stuck.ID)
	}
	k.wf("call", "load", "stop")
	select {
	case <-d.done:
		require.Zero(k.t, d.cmd.ProcessState.ExitCode(), "%s", &d.errs)
	case <-time.After(patience):
		list := k.wf("list", "--all")
		d.kill()
		k.t.Fatalf("not everything ends:\n%s%s", list, d.errs.String())
	}
}

// owner is the process that drives the store, 0 if there is none.
func (k *killRun) owner() int {
	var info struct{ Owner int }
	require.NoError(k.t, json.Unmarshal([]byte(k.wf("store", "info", "--json")), &info))
	return info.Owner
}

// check holds what there is against what the clients were told.
func (k *killRun) check() {
	t := k.t
	require.Empty(t, k.failures)
	var list []string
	require.NoError(t, json.Unmarshal([]byte(k.wf("query", "Ledger/main", "all", "--json")), &list))
	places := map[string]int{}
	for i, tag := range list {
		require.Zero(t, places[tag], "%s is in the ledger twice", tag)
		require.False(t, k.refused[tag], "%s was refused, and is in the ledger", tag)
		places[tag] = i + 1
	}
	for tag, place := range k.added {
		require.Equal(t, place, places[tag], "%s was accepted as number %d", tag, place)
	}
	for id := range k.spawned {
		require.NotZero(t, places[id], "%s was accepted, and has not done its work", id)
	}
	require.Equal(t, len(list), len(k.added)+len(k.spawned)+k.count(k.perhaps, places), "nobody else is in the ledger")
	k.checkEvents()
	k.checkCalls()
}

func (k *killRun) count(tags map[string]bool, in map[string]int) (n int) {
	for tag := range tags {
		if in[tag] != 0 {
			n++
		}
	}
	return n
}

// checkEvents: the log has no gaps, each job got its signal and ended once, and the
// load has counted without a gap.
func (k *killRun) checkEvents() {
	ticks, told, done := 0, map[string]string{}, map[string]bool{}
	number := 0
	for line := range strings.Lines(k.wf("events", "--json")) {
		var e struct {
			Number int
			Name   string
			Args   []any
		}
		require.NoError(k.t, json.Unmarshal([]byte(line), &e), "%s", line)
		number++
		require.Equal(k.t, number, e.Number)
		switch first := fmt.Sprint(e.Args[0]); e.Name {
		case "Tick":
			ticks++
			require.Equal(k.t, strconv.Itoa(ticks), first)
		case "Told":
			require.Empty(k.t, told[first], "%s was told twice", first)
			told[first] = fmt.Sprint(e.Args[1])
		case "Done":
			require.False(k.t, done[first], "%s has ended twice", first)
			done[first] = true
		}
	}
	require.Equal(k.t, k.sent, told)
	require.Len(k.t, done, len(k.spawned))
	require.Positive(k.t, ticks)
}

// checkCalls: whatever was asked of the service was asked under one key.
func (k *killRun) checkCalls() {
	keys := map[string][]string{}
	for _, call := range k.calls {
		tag, key, _ := strings.Cut(call, " ")
		if require.NotEmpty(k.t, key); !slices.Contains(keys[tag], key) {
			keys[tag] = append(keys[tag], key)
		}
	}
	for tag, all := range keys {
		require.Len(k.t, all, 1, "%s was asked for under several keys", tag)
	}
	for id := range k.spawned {
		require.Contains(k.t, keys, id)
	}
}

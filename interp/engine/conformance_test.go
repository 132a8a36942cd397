package engine_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wf-lang/wf/persist"
	"github.com/wf-lang/wf/persist/bolt"
)

// boltDisk is a folder with a bbolt store.
type boltDisk struct {
	t    testing.TB
	dir  string
	open *bolt.Store
}

func (d *boltDisk) Open() (persist.Store, error) {
	s, err := bolt.Open(d.dir, bolt.Options{NoSync: true})
	d.open = s
	return s, err
}

// Crash closes the file as the end of a process does: what was committed is in
// it, and nothing else is written.
func (d *boltDisk) Crash() { require.NoError(d.t, d.open.Close()) }

// Conformance: a script comes to the same on every store, and on bbolt with
// crashes at a few of its writes.
func TestConformanceOfStores(t *testing.T) {
	crash, err := filepath.Glob("testdata/crash/*.wf")
	require.NoError(t, err)
	golden, err := filepath.Glob("../../testdata/golden/*.wf")
	require.NoError(t, err)
	chance := rand.New(rand.NewPCG(1, 2))
	cases := 0
	for _, file := range append(crash, golden...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".wf"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			if strings.Contains(string(text), "perform once") {
				return // a crash changes what it comes to; see TestCrashAtEveryWrite
			}
			want := crashRun(t, string(text), nil)
			onBolt := func(plan persist.Plan) crashResult {
				return crashRunOn(t, &boltDisk{t: t, dir: t.TempDir()}, string(text), plan)
			}
			got := onBolt(nil)
			require.Equal(t, want.transcript, got.transcript)
			require.Equal(t, want.commits, got.commits)
			cases++
			for range 2 {
				at, fault := 1+chance.IntN(want.commits), persist.CrashBefore
				if chance.IntN(2) == 0 {
					fault = persist.CrashAfter
				}
				got := onBolt(persist.FaultAt(at, fault))
				require.Equal(t, want.transcript, got.transcript, "write %d: %v", at, fault)
				cases++
			}
		})
	}
	t.Logf("%d cases", cases)
}

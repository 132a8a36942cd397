package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wf-lang/wf/cmd/wf/internal/services"
)

func TestMain(m *testing.M) {
	tool := func() { os.Exit(services.Tool()) }
	testscript.Main(m, map[string]func(){"wf": main, "dumpdb": tool, "builder": tool})
}

// TestScripts runs testdata/scripts: the command as its users see it. Beside the
// commands of testscript the scripts have those of processes_test.go.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/scripts",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", samples)
			env.Setenv("TZ", "UTC")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each command takes a second more under -race
			p := &processes{env: env, running: map[string]*process{}}
			env.Values[processesKey{}] = p
			env.Defer(p.killAll)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "guarded" { // whether permissions hold for this user
				return os.Geteuid() > 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     cmdExits,
			"start":     cmdStart,
			"waitfor":   cmdWaitFor,
			"kill9":     cmdKill,
			"interrupt": cmdInterrupt,
			"finish":    cmdFinish,
			"freeze":    cmdFreeze,
			"thaw":      cmdThaw,
			"notimes":   cmdNoTimes,
			"same":      cmdSame,
			"damage":    cmdDamage,
			"once":      cmdOnce,
			"repeat":    cmdRepeat,
			"below":     cmdBelow,
			"service":   cmdService,
			"keys":      cmdKeys,
			"absent":    cmdAbsent,
		},
	})
}

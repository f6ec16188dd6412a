package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Every file in testdata/script is a story about the real program. Each has a
// project, a home and a state directory of its own, and must leave no process.
func TestStories(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               stage,
		Cmds:                commands,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(cond string) (bool, error) {
			if cond != "root" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return os.Getuid() == 0, nil
		},
	})
}

// stage is an empty project in English with nothing of the tester's own
// surroundings in it. The state directory's path is short: a socket lies in it.
func stage(e *testscript.Env) error {
	state, err := os.MkdirTemp("", "k")
	if err != nil {
		return err
	}
	home := filepath.Join(e.WorkDir, ".home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	e.Setenv("HOME", home)
	e.Setenv("LANG", "C.UTF-8")
	e.Setenv("KUROGO_STATE_DIR", state)
	e.Setenv("BIN", filepath.Dir(binary))
	e.Setenv("PATH", filepath.Dir(binary)+string(filepath.ListSeparator)+e.Getenv("PATH"))
	running := map[string]*background{}
	e.Values[backgrounds{}] = running
	e.Defer(func() {
		for _, b := range running {
			_ = b.cmd.Process.Kill()
			<-b.ended
		}
		stop := exec.Command(binary, "stop")
		stop.Dir, stop.Env = e.WorkDir, []string{"HOME=" + home, "KUROGO_STATE_DIR=" + state}
		out, err := stop.CombinedOutput()
		_ = os.RemoveAll(state)
		if err != nil {
			e.T().Log("stop: ", err, string(out))
		}
		left := traces(home)
		if !soon(func() bool { left = traces(home); return len(left) == 0 }) {
			e.T().Log("left behind: ", left)
			panic("a process was left behind")
		}
	})
	return nil
}

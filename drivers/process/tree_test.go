//go:build linux

package process_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// children lists whom this program is the parent of, dead or alive.
func children(t *testing.T) []string {
	t.Helper()
	var out []string
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		b, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		out = append(out, strings.Fields(string(b))...)
	}
	return out
}

func life(name string) string { return fmt.Sprintf("test%d:1:%s", os.Getpid(), name) }

// However a tree is built and however it ends, nobody of it is left, and none
// of its dead are left to us unburied.
func TestNothingOfATreeIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		as, unmarked string
		soft         process.Soft
		grace        time.Duration
	}{
		"that leaves when asked": {as: "tree", grace: time.Minute, unmarked: "1"},
		"that leaves at SIGTERM": {as: "tree", grace: time.Minute, unmarked: "1", soft: process.Terminate},
		"that is deaf":           {as: "deaf tree", grace: 20 * time.Millisecond, unmarked: "1"},
		"that is deaf to SIGINT": {as: "deaf tree", grace: 20 * time.Millisecond, unmarked: "1", soft: process.Interrupt},
		"that falls by itself":   {as: "falling tree", grace: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := command(c.as, "UNMARKED="+c.unmarked)
			cmd.Life, cmd.Soft, cmd.Grace = life("tree"), c.soft, c.grace
			p := begin(t, cmd)
			waitFor(t, p, "grown")
			if n := len(process.Find(cmd.Life)); n < 3 && c.as != "falling tree" {
				t.Errorf("only %d processes carry the marker: the story proves nothing", n)
			}
			if c.as == "falling tree" {
				<-p.Done()
			}
			exit := p.Stop(t.Context())
			if left := process.Find(cmd.Life); len(left) > 0 {
				t.Errorf("left alive after %+v: %v", exit, left)
			}
			if left := children(t); len(left) > 0 {
				t.Errorf("left to us: %v", left)
			}
			if c.as == "falling tree" && (exit.Code != 3 || exit.Class != messages.ClassCrash) {
				t.Errorf("exit %+v", exit)
			}
		})
	}
}

func TestALifeLeavesNoDescriptorBehind(t *testing.T) {
	lives := func() {
		p := begin(t, command("say", "SAY=x"))
		for range p.Lines() {
		}
		<-p.Done()
		begin(t, command("deaf")).Kill() // nobody reads it
	}
	lives() // what Go opens once, such as its poller
	before, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		lives()
	}
	after, err := os.ReadDir("/proc/self/fd")
	if err != nil || len(after) > len(before) {
		t.Errorf("%d descriptors became %d, %v", len(before), len(after), err)
	}
}

// Nobody waits for ever on a pipe that a stranger holds; what was said before is
// not lost for it.
func TestWhoEscapesDoesNotHoldTheEnd(t *testing.T) {
	p := begin(t, command("escape"))
	<-p.Done()
	var heard []string
	for line := range p.Lines() {
		heard = append(heard, string(line.Text))
	}
	if len(heard) < 2 || heard[1] != "last words" && heard[len(heard)-1] != "last words" {
		t.Fatalf("heard %q", heard)
	}
	for _, word := range heard {
		if pid, err := strconv.Atoi(word); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestTheNextDaemonSweepsWhatAKilledOneLeft(t *testing.T) {
	store := fmt.Sprintf("store%d", os.Getpid())
	orchestrate := func(life string) {
		p := begin(t, command("orchestrator", "LIFE="+life))
		waitFor(t, p, "grown")
		if err := syscall.Kill(p.Pid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-p.Done()
	}
	old, young, other := store+":8:grand_boss", store+":9:grand_boss", store+"x:8:grand_boss"
	for _, life := range []string{old, young, other} {
		orchestrate(life)
	}
	if n := len(process.Find(old)); n < 4 {
		t.Fatalf("only %d processes outlived their orchestrator: the story proves nothing", n)
	}
	stdout, stderr, code, err := process.Exec{}.Run(t.Context(), "", command("sweeper", "STORE="+store).Env, os.Args[0])
	if err != nil || code != 0 {
		t.Fatalf("sweep: %d, %v, %s", code, err, stderr)
	}
	if left := process.Find(old); len(left) > 0 {
		t.Errorf("left alive: %v", left)
	}
	if n := strings.Count(string(stdout), old); n < 4 {
		t.Errorf("%d of the killed are named: %s", n, stdout)
	}
	for _, spared := range []string{young, other} {
		if len(process.Find(spared)) < 4 {
			t.Errorf("somebody of %s was killed", spared)
		}
		if _, err := process.Sweep(spared, func(string) bool { return true }); err != nil {
			t.Error(err)
		}
	}
}

func TestSweepSparesItsAncestorsAndItself(t *testing.T) {
	store := "own" + strconv.Itoa(os.Getpid())
	_, stderr, code, err := process.Exec{}.Run(t.Context(), "",
		command("sweeper", "STORE="+store, process.Marker+"="+store+":1:me").Env, os.Args[0])
	if err != nil || code != 0 {
		t.Fatalf("the sweeper fell: %d, %v, %s", code, err, stderr)
	}
}

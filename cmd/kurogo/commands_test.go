package main_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to pretend that a newer kurogo wrote a journal
)

// commands are what the stories can do besides testscript's own.
//
//	exits CODE program args…        run it; it must end with this status
//	begin NAME program args…        run it beside the story, into NAME.out and NAME.err
//	connects NAME                   wait until it has: it hears signals then
//	signal NAME INT|TERM|KILL       send it a signal
//	ends NAME CODE                  wait for its end
//	until PATTERN program args…     run it anew until its stdout matches
//	sees PATTERN FILE               wait until the file matches
//	objects FILE                    every line is one JSON object, and there is one
//	name VARIABLE FILE [PATTERN]    remember the file's text, or the first group in it
//	fell PID                        SIGKILL a process by its number
//	dead PID                        wait until there is no such process
//	fill FILE BYTES                 write so many letters
//	newer FILE                      pretend that a newer kurogo wrote the journal
//	same FILE FILE                  two files have the same bytes
var commands = map[string]func(*testscript.TestScript, bool, []string){
	"exits":    exits,
	"begin":    begin,
	"connects": connects,
	"signal":   signal,
	"ends":     ends,
	"until":    until,
	"sees":     sees,
	"objects":  objects,
	"name":     name,
	"fell":     fell,
	"dead":     dead,
	"fill":     fill,
	"same":     same,
	"newer":    newer,
}

// backgrounds is where a story keeps its background programs.
type backgrounds struct{}

type background struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

func running(ts *testscript.TestScript) map[string]*background {
	return ts.Value(backgrounds{}).(map[string]*background)
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := status(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("%s ended with status %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func status(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

func begin(ts *testscript.TestScript, _ bool, args []string) {
	path := args[1]
	if path == "kurogo" {
		path = binary
	}
	c := exec.Command(path, args[2:]...)
	c.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "LANG", "TMPDIR", "KUROGO_STATE_DIR", "KUROGO_SOCKET"} {
		if v := ts.Getenv(name); v != "" {
			c.Env = append(c.Env, name+"="+v)
		}
	}
	out, err := os.Create(ts.MkAbs(args[0] + ".out"))
	ts.Check(err)
	defer func() { _ = out.Close() }()
	told, err := os.Create(ts.MkAbs(args[0] + ".err"))
	ts.Check(err)
	defer func() { _ = told.Close() }()
	c.Stdout, c.Stderr = out, told
	ts.Check(c.Start())
	b := &background{c, make(chan struct{})}
	go func() {
		_ = c.Wait()
		close(b.ended)
	}()
	running(ts)[args[0]] = b
}

func connects(ts *testscript.TestScript, _ bool, args []string) {
	fds := fmt.Sprintf("/proc/%d/fd", running(ts)[args[0]].cmd.Process.Pid)
	if _, err := os.Stat(fds); err != nil {
		return // elsewhere nobody can see it
	}
	if !soon(func() bool {
		list, _ := os.ReadDir(fds)
		return slices.ContainsFunc(list, func(fd os.DirEntry) bool {
			to, _ := os.Readlink(filepath.Join(fds, fd.Name()))
			return strings.HasPrefix(to, "socket:")
		})
	}) {
		ts.Fatalf("%s connects to nobody", args[0])
	}
}

func signal(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(running(ts)[args[0]].cmd.Process.Signal(map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}[args[1]]))
}

func ends(ts *testscript.TestScript, _ bool, args []string) {
	b := running(ts)[args[0]]
	if !soon(func() bool {
		select {
		case <-b.ended:
			return true
		default:
			return false
		}
	}) {
		ts.Fatalf("%s does not end", args[0])
	}
	delete(running(ts), args[0])
	if got := strconv.Itoa(b.cmd.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("%s ended with status %s, want %s; stderr:\n%s", args[0], got, args[1], ts.ReadFile(args[0]+".err"))
	}
}

func until(ts *testscript.TestScript, _ bool, args []string) {
	want := regexp.MustCompile(`(?m)` + args[0])
	if !soon(func() bool {
		_ = ts.Exec(args[1], args[2:]...)
		return want.MatchString(ts.ReadFile("stdout"))
	}) {
		ts.Fatalf("%s never says %q", strings.Join(args[1:], " "), args[0])
	}
}

func sees(ts *testscript.TestScript, _ bool, args []string) {
	want, file := regexp.MustCompile(`(?m)`+args[0]), ts.MkAbs(args[1])
	if !soon(func() bool {
		b, err := os.ReadFile(file)
		return err == nil && want.Match(b)
	}) {
		ts.Fatalf("%s never says %q", args[1], args[0])
	}
}

func objects(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	for _, line := range lines {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("no JSON object in %s: %v: %q", args[0], err, line)
		}
	}
}

func name(ts *testscript.TestScript, _ bool, args []string) {
	text := strings.TrimSpace(ts.ReadFile(args[1]))
	if len(args) > 2 {
		found := regexp.MustCompile(`(?m)` + args[2]).FindStringSubmatch(text)
		if found == nil {
			ts.Fatalf("%s does not say %q", args[1], args[2])
		}
		text = found[1]
	}
	ts.Setenv(args[0], text)
}

// fell kills a process by its number, as a power cut would.
func fell(ts *testscript.TestScript, neg bool, args []string) {
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	dead(ts, neg, args)
}

func dead(ts *testscript.TestScript, _ bool, args []string) {
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	if !soon(func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) }) {
		ts.Fatalf("%d does not die", pid)
	}
}

// zombie reports whether nobody has buried the dead process yet.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && bytes.Contains(b, []byte(") Z "))
}

func fill(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte("x"), n), 0o600))
}

func same(ts *testscript.TestScript, _ bool, args []string) {
	if ts.ReadFile(args[0]) != ts.ReadFile(args[1]) {
		ts.Fatalf("%s and %s differ", args[0], args[1])
	}
}

func newer(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec(`INSERT INTO goose_db_version(version_id, is_applied) VALUES(999, 1)`)
	ts.Check(err)
}

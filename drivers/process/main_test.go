package process_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kurogo/drivers/process"
)

// The test binary plays every process of these stories itself: the role is in
// its environment.
const role = "PROCESS_TEST_ROLE"

var roles = map[string]func(){
	"echo":         echo,
	"say":          func() { fmt.Print(os.Getenv("SAY")) },
	"complain":     func() { fmt.Fprint(os.Stderr, os.Getenv("SAY")); os.Exit(7) },
	"environ":      func() { fmt.Print(strings.Join(os.Environ(), "\n")) },
	"flood":        flood,
	"deaf":         deaf,
	"polite":       polite,
	"suicide":      func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"tree":         func() { tree(); readToEnd() },
	"deaf tree":    func() { tree(); deaf() },
	"falling tree": func() { tree(); os.Exit(3) },
	"escape":       escape,
	"middle":       middle,
	"orchestrator": orchestrator,
	"sweeper":      sweeper,
}

func TestMain(m *testing.M) {
	if play, ok := roles[os.Getenv(role)]; ok {
		play()
		os.Exit(0)
	}
	if err := process.Adopt(); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// echo says every line back until its input ends.
func echo() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println("echo " + in.Text())
	}
}

func flood() {
	for i := range 20_000 {
		fmt.Println("line", i)
	}
}

func readToEnd() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
	}
}

// deaf hears nothing but SIGKILL.
func deaf() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	fmt.Println("ready")
	for {
		time.Sleep(time.Hour) //nolint:forbidigo // a child that hangs, not a test that waits
	}
}

// polite leaves at SIGTERM or SIGINT, with a status of its own.
func polite() {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("ready")
	<-heard
	os.Exit(143)
}

// tree starts everybody who is hard to find: a deaf child in its own group, a
// deaf one in a session of its own, one there without the marker, and a daemon
// that was forked twice. All of them hold the root's stdout.
func tree() {
	start("deaf", &syscall.SysProcAttr{}, os.Environ())
	start("deaf", &syscall.SysProcAttr{Setsid: true}, os.Environ())
	if os.Getenv("UNMARKED") != "" {
		start("deaf", &syscall.SysProcAttr{Setsid: true}, []string{})
	}
	_ = start("middle", &syscall.SysProcAttr{Setsid: true}, os.Environ()).Wait()
	fmt.Println("grown")
}

// escape leaves somebody behind whom nobody can find, and who holds its pipes.
func escape() {
	cmd := exec.CommandContext(context.Background(), os.Args[0])
	cmd.Env, cmd.SysProcAttr = []string{role + "=deaf"}, &syscall.SysProcAttr{Setsid: true}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Printf("%d\nlast words\n", cmd.Process.Pid)
}

func middle() { start("deaf", &syscall.SysProcAttr{Setsid: true}, os.Environ()) }

func start(as string, attr *syscall.SysProcAttr, env []string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), os.Args[0])
	cmd.Env, cmd.SysProcAttr, cmd.Stdout = append(env, role+"="+as), attr, os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// orchestrator owns a tree and waits to be killed.
func orchestrator() {
	p, err := process.Start(context.Background(), process.Command{
		Path: os.Args[0],
		Env:  append(os.Environ(), role+"=deaf tree"),
		Life: os.Getenv("LIFE"),
	})
	if err != nil {
		panic(err)
	}
	for line := range p.Lines() {
		fmt.Println(string(line.Text))
	}
}

// sweeper is the next daemon at its start.
func sweeper() {
	found, err := process.Sweep(os.Getenv("STORE"), func(life string) bool { return !strings.Contains(life, ":9:") })
	for _, f := range found {
		fmt.Println(f.Pid, f.Life)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// command is a life of the test binary in a role.
func command(as string, env ...string) process.Command {
	return process.Command{
		Path:  os.Args[0],
		Env:   append(process.Environ(os.Environ(), map[string]string{role: as, "GORACE": "atexit_sleep_ms=0"}), env...),
		Grace: 10 * time.Second,
	}
}

func begin(t *testing.T, c process.Command) *process.Process {
	t.Helper()
	p, err := process.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill() })
	return p
}

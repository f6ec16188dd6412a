package logs_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"kurogo/stores/logs"
)

// verb makes the test binary a writer that is there to be killed.
const verb = "logs-test-writer"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == verb {
		fmt.Fprintln(os.Stderr, scribble(os.Args[2]))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// The segments of these stories are so small that most of the time is spent at
// their borders.
var small = logs.Options{Segment: 2048, Most: 1 << 40}

// part is the n bytes from offset of a text in which every place is known.
func part(offset int64, n int) []byte {
	var b []byte
	for line := offset / 10; len(b) < n+10; line++ {
		b = fmt.Appendf(b, "%09d\n", line)
	}
	return b[offset%10:][:n]
}

// scribble writes on for ever, and says after each Append how far it is.
func scribble(dir string) error {
	l, err := logs.Open(dir, small)
	if err != nil {
		return err
	}
	c, err := l.Read(agent, "stdout", 0, 1)
	if err != nil {
		return err
	}
	for at := c.Size; ; {
		n := 1 + rand.IntN(400)
		if err := l.Append(agent, "stdout", part(at, n)); err != nil {
			return err
		}
		at += int64(n)
		fmt.Println(at)
		if rand.IntN(20) == 0 {
			if err := l.Close(agent); err != nil {
				return err
			}
		}
	}
}

func TestWhatWasAppendedSurvivesAKill(t *testing.T) {
	dir := t.TempDir()
	for range 12 {
		said := killed(t, dir)
		l := open(t, dir, small)
		got, c := whole(t, l, "stdout", 1000)
		if c.Size < said {
			t.Fatalf("%d bytes are left of %d", c.Size, said)
		}
		if !bytes.Equal([]byte(got), part(0, len(got))) {
			t.Fatal("the text is another one")
		}
	}
	l := open(t, dir, small)
	closes(t, l)
	for _, name := range files(t, dir) {
		if name[len(name)-4:] != ".zst" {
			t.Errorf("%s is left", name)
		}
	}
	if _, c := whole(t, l, "stdout", 0); !c.Ended {
		t.Error("it has not ended")
	}
}

// killed lets a writer write and kills it in the middle. It gives how far the
// writer said that it was.
func killed(t *testing.T, dir string) (said int64) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], verb, dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for left := 20 + rand.IntN(200); lines.Scan(); left-- {
		if said, err = strconv.ParseInt(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			_ = cmd.Process.Kill() // and hear what is still on the way
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
		t.Fatalf("nobody killed it: %v", err)
	}
	return said
}

// Who reads along sees the text grow, and its end, and nothing else.
func TestAReaderFollowsAWriter(t *testing.T) {
	l := open(t, t.TempDir(), small)
	const size = 100_000
	grew := make(chan struct{}, 1)
	failed := make(chan error, 1)
	go func() {
		defer close(failed)
		for at := int64(0); at < size; {
			n := min(1+rand.IntN(300), int(size-at))
			if err := l.Append(agent, "stdout", part(at, n)); err != nil {
				failed <- err
				return
			}
			at += int64(n)
			select {
			case grew <- struct{}{}:
			default:
			}
		}
		failed <- l.Close(agent)
	}()
	var got []byte
	for ended := false; !ended; {
		c, err := l.Read(agent, "stdout", int64(len(got)), 777)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Data...)
		if ended = c.Ended; !ended && len(c.Data) == 0 {
			select {
			case <-grew:
			case err := <-failed:
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if !bytes.Equal(got, part(0, size)) {
		t.Errorf("%d bytes, of %d, are another text", len(got), size)
	}
}

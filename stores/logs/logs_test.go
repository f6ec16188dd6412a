package logs_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/stores/logs"
)

const agent messages.AgentID = "impl-code-1739487600-a3f2"

func open(t *testing.T, dir string, o logs.Options) *logs.Logs {
	t.Helper()
	l, err := logs.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Shut() })
	return l
}

func says(t *testing.T, l *logs.Logs, stream, text string) {
	t.Helper()
	if err := l.Append(agent, stream, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func closes(t *testing.T, l *logs.Logs) {
	t.Helper()
	if err := l.Close(agent); err != nil {
		t.Fatal(err)
	}
}

// whole reads a stream to its end in pieces.
func whole(t *testing.T, l *logs.Logs, stream string, limit int) (string, messages.StreamChunk) {
	t.Helper()
	var all bytes.Buffer
	for at := int64(0); ; {
		c, err := l.Read(agent, stream, at, limit)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(c.Data)
		if at = c.Next; at != int64(all.Len()) {
			t.Fatalf("%d bytes lead to %d", all.Len(), at)
		}
		if at == c.Size {
			return all.String(), c
		}
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, strings.TrimPrefix(p, dir+"/"+string(agent)+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestALogIsReadWhileItIsWrittenAndWhenItIsOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "logs")
	l := open(t, dir, logs.Options{Segment: 10})
	if got, c := whole(t, l, "", 0); got != "" || c.Ended {
		t.Errorf("who has said nothing has said %q, ended %t", got, c.Ended)
	}
	says(t, l, "stdout", "0123456789abcdef")
	says(t, l, "stderr", "oh")
	if got, c := whole(t, l, "", 3); got != "0123456789abcdef" || c.Ended {
		t.Errorf("got %q, ended %t", got, c.Ended)
	}
	if diff := cmp.Diff([]string{"stderr-000000000000.log", "stdout-000000000000.log.zst", "stdout-000000000010.log"}, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	closes(t, l)
	if diff := cmp.Diff([]string{"stderr-000000000000.log.zst", "stdout-000000000000.log.zst", "stdout-000000000010.log.zst"}, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	for _, limit := range []int{1, 7, 100} {
		if got, c := whole(t, l, "stdout", limit); got != "0123456789abcdef" || !c.Ended {
			t.Errorf("by %d: got %q, ended %t", limit, got, c.Ended)
		}
	}
	if c, err := l.Read(agent, "stdout", 0, 1); err != nil || c.Ended {
		t.Errorf("a log has not ended before its end: %+v, %v", c, err)
	}
	says(t, l, "stdout", "!")
	if got, c := whole(t, l, "stdout", 100); got != "0123456789abcdef!" || c.Ended {
		t.Errorf("who speaks again: %q, ended %t", got, c.Ended)
	}
}

func TestOnlyTheOwnerMayRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	l := open(t, dir, logs.Options{Segment: 4})
	says(t, l, "stdout", "12345")
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o", p, got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheHeadIsKeptAndTheRestIsCounted(t *testing.T) {
	dir := t.TempDir()
	o := logs.Options{Segment: 8, Most: 20}
	l := open(t, dir, o)
	says(t, l, "stderr", "12345")
	says(t, l, "stdout", strings.Repeat("x", 14))
	says(t, l, "stdout", "yz")
	want := func(n string) string {
		return strings.Repeat("x", 14) + "y\n[kurogo] the log is full: " + strings.Repeat(" ", 15-len(n)) + n + " bytes more were said and dropped\n"
	}
	if got, _ := whole(t, l, "stdout", 0); got != want("1") {
		t.Errorf("got %q", got)
	}
	says(t, l, "stdout", strings.Repeat("z", 999))
	if got, _ := whole(t, l, "stdout", 0); got != want("1000") {
		t.Errorf("got %q", got)
	}
	// A fall: nobody closes, somebody else goes on counting.
	l = open(t, dir, o)
	says(t, l, "stdout", "z")
	says(t, l, "stderr", "6")
	if got, _ := whole(t, l, "stdout", 0); got != want("1001") {
		t.Errorf("got %q", got)
	}
	if got, _ := whole(t, l, "stderr", 0); !strings.HasPrefix(got, "12345\n[kurogo]") || !strings.Contains(got, " 1 bytes") {
		t.Errorf("got %q", got)
	}
	closes(t, l)
	if got, c := whole(t, l, "stdout", 0); got != want("1001") || !c.Ended {
		t.Errorf("got %q, ended %t", got, c.Ended)
	}
}

func TestAnAgentThatSpeaksLikeAMarkIsNotTakenForFull(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, logs.Options{})
	const fake = "\n[kurogo] the log is full:               7 bytes more were said and dropped\n"
	says(t, l, "stdout", fake)
	l = open(t, dir, logs.Options{})
	says(t, l, "stdout", "on")
	if got, _ := whole(t, l, "stdout", 0); got != fake+"on" {
		t.Errorf("got %q", got)
	}
}

// What a fall can leave: a temporary file, and a segment both plain and packed.
func TestWhatAFallLeftIsPutRight(t *testing.T) {
	dir := t.TempDir()
	o := logs.Options{Segment: 5}
	l := open(t, dir, o)
	says(t, l, "stdout", "0123456789ab")
	for name, text := range map[string]string{
		"stdout-000000000010.log.zst.tmp": "half", "stdout-000000000005.log": "56789", "notes.txt": "not ours",
	} {
		if err := os.WriteFile(filepath.Join(dir, string(agent), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l = open(t, dir, o)
	if got, c := whole(t, l, "stdout", 0); got != "0123456789ab" || c.Ended {
		t.Errorf("got %q, ended %t", got, c.Ended)
	}
	says(t, l, "stdout", "c")
	closes(t, l)
	want := []string{"notes.txt", "stdout-000000000000.log.zst", "stdout-000000000005.log.zst", "stdout-000000000010.log.zst"}
	if diff := cmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	if got, _ := whole(t, l, "stdout", 0); got != "0123456789abc" {
		t.Errorf("got %q", got)
	}
}

func TestADamagedSegmentIsAnErrorAndNotAnotherText(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, logs.Options{})
	says(t, l, "stdout", strings.Repeat("all is well ", 100))
	closes(t, l)
	p := filepath.Join(dir, string(agent), "stdout-000000000000.log.zst")
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-6] ^= 0x40
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := l.Read(agent, "stdout", 0, 0); err == nil || !strings.HasPrefix(err.Error(), "read log: unpack ") {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestWhatIsNoNameIsNoFile(t *testing.T) {
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "logs"), logs.Options{})
	for _, id := range []messages.AgentID{"", ".", "..", "../x", "a/b", "/etc", "A", "-a", "a\x00", "a\n", messages.AgentID(strings.Repeat("a", 129))} {
		_, read := l.Read(id, "stdout", 0, 0)
		for verb, err := range map[string]error{
			"append": l.Append(id, "stdout", []byte("x")), "close": l.Close(id), "remove": l.Remove(id), "read": read,
		} {
			if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != "agentId" || e.Remedy == "" {
				t.Errorf("%s %q: %v", verb, id, err)
			}
		}
	}
	for _, stream := range []string{".", "../stdout", "std-out", "Stdout", "stdout.log", strings.Repeat("s", 17)} {
		_, err := l.Read(agent, stream, 0, 0)
		for _, err := range []error{err, l.Append(agent, stream, []byte("x"))} {
			if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != "stream" {
				t.Errorf("%q: %v", stream, err)
			}
		}
	}
	says(t, l, "stdout", "12")
	for _, at := range []int64{-1, 3} {
		if _, err := l.Read(agent, "stdout", at, 0); !messages.IsCode(err, messages.CodeInvalid) || messages.AsError(err).Field != "offset" {
			t.Errorf("%d: %v", at, err)
		}
	}
	if _, err := l.Read(agent, "stdout", 0, -1); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("limit -1: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("something was written beside the logs: %v, %v", entries, err)
	}
}

// A link in the place of an agent's directory leads nowhere.
func TestNobodyIsLedOutside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	l := open(t, dir, logs.Options{})
	if err := os.Symlink(outside, filepath.Join(dir, string(agent))); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(agent, "stdout", []byte("x")); err == nil {
		t.Error("it wrote through a link")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
}

func TestOneReadIsBounded(t *testing.T) {
	l := open(t, t.TempDir(), logs.Options{})
	says(t, l, "stdout", strings.Repeat("x", 3<<20))
	for limit, want := range map[int]int{0: 64 << 10, 1 << 30: 1 << 20} {
		for range 2 { // plain, then packed
			if c, err := l.Read(agent, "stdout", 0, limit); err != nil || len(c.Data) != want || c.Next != int64(want) || c.Size != 3<<20 {
				t.Errorf("limit %d: %d bytes of %d, next %d, %v", limit, len(c.Data), c.Size, c.Next, err)
			}
			closes(t, l)
		}
	}
}

func TestWhatIsRemovedIsGone(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, logs.Options{Segment: 4})
	says(t, l, "stdout", "0123456789")
	if got, _ := whole(t, l, "stdout", 0); got != "0123456789" {
		t.Fatalf("got %q", got)
	}
	for range 2 {
		if err := l.Remove(agent); err != nil {
			t.Fatal(err)
		}
	}
	if got := files(t, dir); got != nil {
		t.Errorf("left: %v", got)
	}
	says(t, l, "stdout", "abcdefgh")
	if got, _ := whole(t, l, "stdout", 0); got != "abcdefgh" {
		t.Errorf("the old text came back: %q", got)
	}
}

// Only a disk that lost power can have a hole: it is passed over, and nobody who
// reads stands before it for ever.
func TestAHoleIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, string(agent)), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"stdout-000000000000.log": "abc", "stdout-000000000010.log": "x"} {
		if err := os.WriteFile(filepath.Join(dir, string(agent), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := open(t, dir, logs.Options{})
	for at, want := range map[int64]messages.StreamChunk{
		0: {Data: []byte("abc"), Next: 3, Size: 11},
		3: {Data: []byte("x"), Next: 11, Size: 11},
		7: {Data: []byte("x"), Next: 11, Size: 11},
	} {
		got, err := l.Read(agent, "stdout", at, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("from %d: %s", at, diff)
		}
	}
}

// Many agents and many hands: what each stream was told is there, in its order.
func TestManyHandsWriteManyLogs(t *testing.T) {
	l := open(t, t.TempDir(), logs.Options{Segment: 200})
	const agents, hands, times = 3, 4, 50
	var all sync.WaitGroup
	for a := range agents {
		id := messages.AgentID(fmt.Sprintf("role-1-000%d", a))
		for h := range hands {
			stream := string(rune('a' + h))
			all.Go(func() {
				for i := range times {
					err := l.Append(id, stream, fmt.Appendf(nil, "%04d\n", i))
					if i%25 == 24 {
						err = errors.Join(err, l.Close(id))
					}
					if _, bad := l.Read(id, stream, int64(5*i), 5); err != nil || bad != nil {
						t.Errorf("%s %s: %v, %v", id, stream, err, bad)
						return
					}
				}
			})
		}
	}
	all.Wait()
	for a := range agents {
		for h := range hands {
			var got []byte
			for len(got) < 5*times {
				c, err := l.Read(messages.AgentID(fmt.Sprintf("role-1-000%d", a)), string(rune('a'+h)), int64(len(got)), 0)
				if err != nil || len(c.Data) == 0 {
					t.Fatalf("after %d bytes: %+v, %v", len(got), c, err)
				}
				got = append(got, c.Data...)
			}
			for i := range times {
				if line := string(got[5*i : 5*i+5]); line != fmt.Sprintf("%04d\n", i) {
					t.Fatalf("line %d is %q", i, line)
				}
			}
		}
	}
}

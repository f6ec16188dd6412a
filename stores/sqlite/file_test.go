package sqlite_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/stores/sqlite"
)

func openFile(t *testing.T, path string, opt sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func enlist(t *testing.T, s *sqlite.Store, names ...messages.Address) {
	t.Helper()
	var crew []messages.Enlisted
	for _, n := range names {
		crew = append(crew, messages.Enlisted{Name: n, ReportsTo: messages.User})
	}
	if _, err := s.Commit(t.Context(), messages.Enlist{Crew: crew}); err != nil {
		t.Fatal(err)
	}
}

func request(id, to string) messages.Accept {
	return messages.Accept{Now: time.UnixMilli(1), Message: messages.CCMessage{
		ID: messages.MessageID(id), From: messages.User, To: messages.Address(to), Type: messages.TaskRequest, Content: "work",
	}}
}

// TestDurable: whoever is answered finds it in the file, from another
// connection, and every connection that writes syncs each commit.
func TestDurable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.db")
	s := openFile(t, path, sqlite.Options{})
	enlist(t, s, "boss")
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			out, err := s.Commit(context.Background(), request(fmt.Sprint("m", i), "boss"))
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Task(context.Background(), out.Accepted.Task); err != nil { // a reader sees only what is committed
				t.Errorf("the sender was answered before it was durable: %v", err)
			}
		})
	}
	wg.Wait()
	for pragma, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1"} {
		if got := s.Pragma(pragma); got != want {
			t.Errorf("%s = %s, want %s", pragma, got, want)
		}
	}
	if s.Commits() >= s.Changes() {
		t.Logf("no commit was shared: %d for %d changes", s.Commits(), s.Changes())
	}
}

// TestReopen: a journal that is closed and opened is the same journal.
func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kurogo's journal #1.db")
	first, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	enlist(t, first, "boss")
	out, err := first.Commit(t.Context(), request("m1", "boss"))
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
		t.Errorf("a copy of the file alone is no backup: %v", left)
	}
	if _, err := first.Commit(t.Context(), request("m2", "boss")); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Fatalf("a closed journal accepts: %v", err)
	}
	second := openFile(t, path, sqlite.Options{})
	if first.ID() != second.ID() {
		t.Errorf("the journal was %s and is %s", first.ID(), second.ID())
	}
	if second.Last() != first.Last() {
		t.Errorf("the cursor was %d and is %d", first.Last(), second.Last())
	}
	if _, err := second.Task(t.Context(), out.Accepted.Task); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestRefusesWhatIsNoJournal: a damaged, foreign or newer file is refused with a
// way out, and not one byte of it is touched.
func TestRefusesWhatIsNoJournal(t *testing.T) {
	t.Parallel()
	newer := filepath.Join(t.TempDir(), "newer.db")
	s := openFile(t, newer, sqlite.Options{})
	if err := s.Exec(`INSERT INTO goose_db_version(version_id, is_applied) VALUES(999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(newer)
	if err != nil {
		t.Fatal(err)
	}
	torn := bytes.Clone(whole)
	for i := 100; i < len(torn); i += 7 {
		torn[i] ^= 0x5a
	}
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"a text":       {[]byte(strings.Repeat("this is no database\n", 500)), "damaged"},
		"a torn file":  {torn, "damaged"},
		"a newer file": {whole, "schema 999"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "k.db")
			if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "Remedy:") {
				t.Errorf("got %v, want unavailable with %q and a remedy", err, c.want)
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(after, c.bytes) {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}

// TestTail: a watcher that is far behind the ring reads the table, one that is
// slow finds everything in order, and a closed journal ends both.
func TestTail(t *testing.T) {
	t.Parallel()
	s := openFile(t, "", sqlite.Options{})
	enlist(t, s, "boss")
	const n = 10_000 // more than the ring holds
	for i := range n / 100 {
		var o messages.Observe
		for k := range 100 {
			o.Events = append(o.Events, messages.Event{At: time.UnixMilli(1), Kind: messages.PersonaSaid, ID: fmt.Sprint(i*100 + k), Data: []byte(`{}`)})
		}
		if _, err := s.Commit(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Commit(t.Context(), request("m1", "boss")); err != nil { // durable, so all before it is
		t.Fatal(err)
	}
	next := 0
	for e, err := range s.Watch(t.Context(), messages.Topic{Kinds: []messages.EventKind{messages.PersonaSaid}}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID != fmt.Sprint(next) {
			t.Fatalf("a watcher misses nothing: got event %s, want %d", e.ID, next)
		}
		if next++; next == n {
			break
		}
	}
	ended := make(chan error)
	go func() {
		for _, err := range s.Watch(context.Background(), messages.Topic{}, s.Last()) {
			ended <- err
			return
		}
	}()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("the watcher of a closed journal heard %v", err)
	}
}

// TestFullDisk: nothing of a change that found no room is there, its sender
// hears so, and the journal goes on when there is room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.db")
	s := openFile(t, path, sqlite.Options{})
	enlist(t, s, "boss")
	if err := s.Exec(`PRAGMA max_page_count = 60`); err != nil {
		t.Fatal(err)
	}
	big := request("big", "boss")
	big.Message.Content = strings.Repeat("x", 900_000)
	if _, err := s.Commit(t.Context(), big); !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "disk is full") {
		t.Fatalf("got %v, want unavailable: the disk is full", err)
	}
	if m, err := s.Messages(t.Context(), messages.ListMessages{}); err != nil || len(m.Messages) != 0 {
		t.Fatalf("half written: %v, %v", m, err)
	}
	if err := s.Exec(`PRAGMA max_page_count = 100000`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Commit(t.Context(), big); err != nil {
		t.Fatal(err)
	}
	report, err := s.Check(t.Context())
	if err != nil || len(report.Violations) > 0 {
		t.Errorf("%v, %v", report.Violations, err)
	}
}

// TestAnswersFitIntoAFrame: whatever was written, a tree, a list and a page of
// messages stay far below the 8 MiB of one answer, and nothing is left out.
func TestAnswersFitIntoAFrame(t *testing.T) {
	t.Parallel()
	s := openFile(t, "", sqlite.Options{})
	enlist(t, s, "boss", "left")
	long := strings.Repeat("x", 1<<20)
	root := request("root", "boss")
	root.Message.Content = long
	accepted, err := s.Commit(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	risen, err := s.Commit(t.Context(), messages.Reclaim{Persona: "boss"})
	if err != nil {
		t.Fatal(err)
	}
	fence := messages.Fence{Persona: "boss", Epoch: risen.Epoch}
	leased, err := s.Commit(t.Context(), messages.Lease{Fence: fence, Now: time.UnixMilli(1)})
	if err != nil {
		t.Fatal(err)
	}
	end := messages.EndTurn{Fence: fence, Rows: leased.Turn.Rows, Now: time.UnixMilli(1)}
	for i := range 20 {
		end.Sends = append(end.Sends, messages.CCMessage{ID: messages.MessageID(fmt.Sprint("part", i)), To: "left", Type: messages.TaskRequest, Content: long})
	}
	if _, err := s.Commit(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	tree, err := s.Task(t.Context(), accepted.Accepted.Task)
	if err != nil || len(tree.Below) != 20 || tree.Task.Content != long {
		t.Fatalf("%d below, %v; the task itself has %d bytes", len(tree.Below), err, len(tree.Task.Content))
	}
	for _, below := range tree.Below {
		if len(below.Content) > 2<<10 {
			t.Fatalf("a task below brings %d bytes along", len(below.Content))
		}
	}
	seen, pages, q := 0, 0, messages.ListMessages{}
	for {
		page, err := s.Messages(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Messages) == 0 {
			break
		}
		if pages++; len(page.Messages) > 2 {
			t.Fatalf("a page of %d MiB", len(page.Messages))
		}
		seen, q.Since = seen+len(page.Messages), page.Next
	}
	if seen != 21 || pages < 11 {
		t.Errorf("%d messages on %d pages, want 21 on 11", seen, pages)
	}
}

package index_test

import (
	"bytes"
	"os"
	"testing"
)

// What was stored is there again, and a database that is none is made anew.
func TestReopen(t *testing.T) {
	s := newDirectory(t)
	s.write("a.go", greeting)
	s.write("b.md", "# Doors\n\nHow to close a door.\n")
	s.sync()
	before, status := s.told(), s.x.Status()
	s.reopen()
	after := s.x.Status()
	if got := s.told(); got != before {
		t.Errorf("after reopening it holds\n%s\nbefore\n%s", got, before)
	}
	if after.Root != status.Root || after.Files != 2 || after.Chunks != status.Chunks || after.Terms != status.Terms || !after.SyncedAt.Equal(status.SyncedAt) {
		t.Errorf("after reopening %+v, before %+v", after, status)
	}
	if stats := s.sync(); stats.Parsed != 0 || stats.Unchanged != 2 {
		t.Errorf("a sync after reopening: %+v", stats)
	}
	s.x.Close()
	if err := os.WriteFile(s.db, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(s.db + suffix)
	}
	s.open()
	if stats := s.sync(); stats.Added != 2 {
		t.Errorf("a sync after a damage: %+v", stats)
	}
	s.wantFresh("door")
}

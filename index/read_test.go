package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"kurogo/index"
)

// What is no text is counted and left out; what was read and was none then is
// taken in when it is.
func TestSkipped(t *testing.T) {
	s := newStage(t, index.Options{MaxFileBytes: 1 << 20})
	s.write("good.go", goFile(1))
	s.write("latin.txt", "caf\xe9 au lait")
	s.write("nul.bin", "a\x00b")
	s.write("lines.js", strings.Repeat("var a=1;", 4000))
	s.write("package-lock.json", "{}")
	big, err := os.Create(filepath.Join(s.root, "big.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := big.Truncate(50 << 20); err != nil {
		t.Fatal(err)
	}
	big.Close()
	if err := syscall.Mkfifo(filepath.Join(s.root, "pipe.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	stats := s.sync()
	want := map[string]int{"not_utf8": 1, "binary": 1, "generated": 2, "too_large": 1, "not_a_file": 1}
	status := s.x.Status()
	for why, n := range want {
		if stats.Skipped[why] != n || status.Skipped[why] != n {
			t.Errorf("%s: %d skipped, status %d, want %d", why, stats.Skipped[why], status.Skipped[why], n)
		}
	}
	if stats.Added != 1 || status.Files != 1 {
		t.Errorf("%+v, %+v", stats, status)
	}
	s.write("latin.txt", "café au lait")
	if stats := s.sync(); stats.Added != 1 {
		t.Errorf("after it became text: %+v", stats)
	}
	s.write("good.go", "\x00")
	if stats := s.sync(); stats.Deleted != 1 {
		t.Errorf("after it became none: %+v", stats)
	}
	s.wantPlaces("café", "latin.txt#L1-L1")
	s.wantPlaces("Number1")
}

// A file that changes while it is read is read again; one that does not stop is
// left as it was and said to be stale, until it stops.
func TestChangesWhileRead(t *testing.T) {
	var times, most atomic.Int64
	s := &stage{}
	opt := index.Options{}.OnOpened(func(name string) {
		if name == "a.go" && times.Add(1) <= most.Load() {
			f, err := os.OpenFile(filepath.Join(s.root, name), os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				f.WriteString("// grows\n")
				f.Close()
			}
		}
	})
	*s = *newStage(t, opt)
	s.write("a.go", goFile(1))
	most.Store(2)
	if stats := s.sync(); stats.Added != 1 || len(stats.Stale) != 0 || times.Load() != 3 {
		t.Errorf("%+v after %d readings", stats, times.Load())
	}
	s.evidence("Number1", "grows")
	s.write("a.go", goFile(2))
	times.Store(0)
	most.Store(1000)
	if stats := s.sync(); len(stats.Stale) != 1 || stats.Modified != 0 {
		t.Errorf("%+v", stats)
	}
	if got := s.search("counted"); len(got.StaleFiles) != 1 || got.StaleFiles[0] != "a.go" {
		t.Errorf("%+v", got)
	}
	most.Store(0)
	if stats := s.sync(); stats.Modified != 1 {
		t.Errorf("%+v", stats)
	}
	s.evidence("Number2", "grows")
}

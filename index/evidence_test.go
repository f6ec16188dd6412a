package index_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/index"
)

// F3 of the document: add, change, delete, rename; every answer names the lines
// it is drawn from, and they are there.
func TestF3(t *testing.T) {
	for name, make := range map[string]func(*testing.T) *stage{
		"git":       newRepo,
		"directory": newDirectory,
	} {
		t.Run(name, func(t *testing.T) {
			s := make(t)
			step := func(want index.Stats) {
				t.Helper()
				if name == "git" {
					s.commit()
				}
				got := s.sync()
				if got.Added != want.Added || got.Modified != want.Modified || got.Deleted != want.Deleted || got.Renamed != want.Renamed || got.Parsed != want.Parsed {
					t.Errorf("sync did %+v, want %+v", got, want)
				}
				s.evidence("Greet", "says hello", "closes the door", "farewell")
				s.wantFresh("Greet", "says hello", "closes the door")
			}
			s.write("app/main.go", greeting)
			step(index.Stats{Added: 1, Parsed: 1})
			s.wantPlaces("says hello", "app/main.go#L3-L6")

			s.write("app/main.go", strings.Replace(greeting, "hello, ", "farewell, ", 1)+"\nvar x = 1\n")
			step(index.Stats{Modified: 1, Parsed: 1})
			s.wantPlaces("farewell", "app/main.go#L3-L6")

			if err := os.Rename(filepath.Join(s.root, "app"), filepath.Join(s.root, "core")); err != nil {
				t.Fatal(err)
			}
			step(index.Stats{Renamed: 1})
			s.wantPlaces("farewell", "core/main.go#L3-L6")

			s.write("core/other.go", greeting)
			step(index.Stats{Added: 1}) // that content was here before
			s.remove("core/main.go")
			step(index.Stats{Deleted: 1})
			s.wantPlaces("farewell")
		})
	}
}

// evidence checks that every passage of an answer stands where it is said to.
func (s *stage) evidence(queries ...string) {
	s.Helper()
	for _, q := range queries {
		found := s.search(q)
		if len(found.StaleFiles) > 0 {
			s.Errorf("%q: %q are stale just after a sync", q, found.StaleFiles)
		}
		for _, c := range found.Chunks {
			text, err := os.ReadFile(filepath.Join(s.root, c.Path))
			if err != nil {
				s.Errorf("%q: %v", q, err)
				continue
			}
			var first, last int
			fmt.Sscanf(c.Span, "L%d-L%d", &first, &last)
			lines := strings.Split(string(text), "\n")
			if last > len(lines) || strings.Join(lines[first-1:last], "\n") != c.Text {
				s.Errorf("%q: %s#%s is not %q", q, c.Path, c.Span, c.Text)
			}
		}
	}
}

// An answer says what it cannot know: files that changed since.
func TestStaleFilesAreNamed(t *testing.T) {
	s := newDirectory(t)
	s.write("a.go", greeting)
	s.sync()
	if got := s.search("hello").StaleFiles; len(got) != 0 {
		t.Errorf("%q are stale", got)
	}
	s.write("a.go", greeting+"\n// more\n")
	if got := s.search("hello").StaleFiles; !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("stale are %q, want a.go", got)
	}
	s.remove("a.go")
	if got := s.search("hello").StaleFiles; !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("stale are %q, want a.go, which is gone", got)
	}
}

// The same text in two files is one answer that names both.
func TestCopiesAreNamed(t *testing.T) {
	s := newDirectory(t)
	s.write("a/x.go", greeting)
	s.write("b/x.go", "\n\n"+greeting)
	stats := s.sync()
	if stats.Parsed != 2 {
		t.Errorf("%+v", stats)
	}
	found := s.search("says hello")
	if len(found.Chunks) != 1 || found.Chunks[0].Path != "a/x.go" || !slices.Equal(found.Chunks[0].Also, []string{"b/x.go#L5-L8"}) {
		t.Errorf("found %+v", found.Chunks)
	}
	s.remove("a/x.go")
	s.sync()
	s.wantPlaces("says hello", "b/x.go#L5-L8")
}

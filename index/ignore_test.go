package index_test

import (
	"os"
	"testing"

	"kurogo/index"
)

func TestIgnores(t *testing.T) {
	for _, c := range []struct {
		rules, name string
		want        bool
	}{
		{"*.log", "a/b.log", true},
		{"*.log\n!keep.log", "a/keep.log", false},
		{"/top", "top", true},
		{"/top", "a/top", false},
		{"build/", "a/build/x.go", true},
		{"build/", "build", false},
		{"a/**/z", "a/z", true},
		{"a/**/z", "a/b/c/z", true},
		{"**/x", "q/x", true},
		{"a/**", "a/b/c", true},
		{"a/**", "a", false},
		{"doc/*.txt", "doc/a.txt", true},
		{"doc/*.txt", "doc/b/a.txt", false},
		{"x?[ab]", "xya", true},
		{"x[!ab]", "xa", false},
		{"# no rule\n\n", "# no rule", false},
		{`\#yes`, "#yes", true},
		{`\#yes`, `\#yes`, false},
		{`\!yes`, "!yes", true},
		{`\*.go`, "a.go", false},
		{`\*.go`, "*.go", true},
		{`\[id\].ts`, "app/[id].ts", true},
		{`\[id\].ts`, "app/i.ts", false},
		{"dir/\n!dir/keep", "dir/keep", true},
		{"a.b", "axb", false},
		{"[", "[", true},
	} {
		if got := index.Ignores(c.rules, c.name); got != c.want {
			t.Errorf("%q ignores %q: %v", c.rules, c.name, got)
		}
	}
}

// Outside git, directories may ignore for themselves, and what nobody wrote is
// passed over.
func TestWalkIgnores(t *testing.T) {
	s := newDirectory(t)
	for _, name := range []string{"a.go", "sub/b.go", "sub/gen/c.go", "node_modules/x/d.go", "out/e.go"} {
		s.write(name, goFile(len(name)))
	}
	s.write("sub/.gitignore", "gen/\n")
	s.write(".kurogoignore", "/out\n")
	s.sync()
	if got := s.x.Status().Files; got != 4 { // two sources, and what says so
		t.Errorf("%d files:\n%s", got, s.told())
	}
	s.remove(".kurogoignore")
	if stats := s.sync(); stats.Added != 1 || stats.Deleted != 1 {
		t.Errorf("%+v", stats)
	}
}

// Where extensions are named, files with others are left out; when the list
// changes, everything is looked at again.
func TestExtensions(t *testing.T) {
	s := newDirectory(t)
	for _, name := range []string{"a.go", "B.PY", "c.md", "Makefile"} {
		s.write(name, "swing "+name+"\n")
	}
	for _, c := range []struct {
		only []string
		want int
	}{{nil, 4}, {[]string{".py", ".md"}, 2}, {[]string{".go"}, 1}, {nil, 4}} {
		s.opt.Extensions = c.only
		s.reopen()
		s.sync()
		status := s.x.Status()
		if status.Files != c.want || status.Skipped["extension"] != 4-c.want || len(s.places("swing")) != c.want {
			t.Errorf("only %q: %+v, found at %q", c.only, status, s.places("swing"))
		}
	}
}

// Why the index could not be brought in step is told until it is again.
func TestFault(t *testing.T) {
	s := newDirectory(t)
	s.write("a.go", "swing\n")
	s.sync()
	if err := os.RemoveAll(s.root); err != nil {
		t.Fatal(err)
	}
	if _, err := s.x.Sync(t.Context(), s.root); err == nil || s.x.Status().Fault != err.Error() {
		t.Errorf("%v, fault %q", err, s.x.Status().Fault)
	}
	s.write("a.go", "swing\n")
	s.sync()
	if fault := s.x.Status().Fault; fault != "" {
		t.Errorf("in step again, with fault %q", fault)
	}
}

package config_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kurogo/config"
)

var update = flag.Bool("update", false, "rewrite what the stories in testdata want")

// A story is a few files, and what must come of them.
type story struct {
	*txtar.Archive
	path  string
	files map[string]string
	want  string // the file of that name
}

// stories are those in a folder of testdata.
func stories(tb testing.TB, folder string) (list []story) {
	tb.Helper()
	paths, err := filepath.Glob("testdata/" + folder + "/*.txtar")
	if err != nil || len(paths) == 0 {
		tb.Fatal("no stories", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		s := story{Archive: archive, path: path, files: map[string]string{}}
		for _, f := range archive.Files {
			s.files[f.Name] = string(f.Data)
		}
		s.want = s.take("want")
		list = append(list, s)
	}
	return list
}

// tell plays every story of a folder, each as a test of its own.
func tell(t *testing.T, folder string, play func(t *testing.T, s story)) {
	t.Helper()
	for _, s := range stories(t, folder) {
		t.Run(strings.TrimSuffix(filepath.Base(s.path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			play(t, s)
		})
	}
}

// take takes out a file that does not lie in the directory of which the story
// tells.
func (s story) take(name string) string {
	text := s.files[name]
	delete(s.files, name)
	return text
}

// ends compares what came of a story with what it wants, or with -update writes it
// down there.
func (s story) ends(t *testing.T, got string) {
	t.Helper()
	if !*update {
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		return
	}
	for i, f := range s.Files {
		if f.Name == "want" {
			s.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(s.path, txtar.Format(s.Archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// write puts files below a new directory, which is its own repository so that
// no search leaves it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files[".git/HEAD"] = ""
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads a kurogo.toml that must be well.
func load(t *testing.T, file string, environ ...string) config.Config {
	t.Helper()
	c, err := config.Load(config.Source{Dir: write(t, map[string]string{"kurogo.toml": file}), Environ: environ})
	if err != nil {
		t.Fatalf("load:\n%v", err)
	}
	return c
}

// refused loads what must not be well and gives the problems.
func refused(t *testing.T, src config.Source) config.Problems {
	t.Helper()
	_, err := config.Load(src)
	var ps config.Problems
	if !errors.As(err, &ps) {
		t.Fatalf("got error %v, want Problems", err)
	}
	return ps
}

package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"kurogo/config"
)

var update = flag.Bool("update", false, "rewrite what testdata/bad expects")

// Each story in testdata/bad is a directory with a broken kurogo.toml, an
// environment and flags if it has those files, and every problem it must have.
func TestEveryProblemIsToldAtOnceWithItsLine(t *testing.T) {
	t.Parallel()
	stories, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(stories) == 0 {
		t.Fatal("no stories", err)
	}
	for _, name := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			tell(t, name)
		})
	}
}

func tell(t *testing.T, name string) {
	t.Helper()
	story, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range story.Files {
		files[f.Name] = string(f.Data)
	}
	want := files["want"]
	dir := write(t, files)
	src := config.Source{Dir: dir, Environ: strings.Fields(files["environ"]), Overrides: map[string]string{}}
	for _, pair := range strings.Fields(files["flags"]) {
		key, value, _ := strings.Cut(pair, "=")
		src.Overrides[key] = value
	}
	if p := strings.TrimSpace(files["path"]); p != "" {
		src.Path = p
	}
	got := strings.ReplaceAll(refused(t, src).Error(), dir+string(filepath.Separator), "") + "\n"
	if *update {
		rewrite(t, name, story, got)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func rewrite(t *testing.T, name string, story *txtar.Archive, want string) {
	t.Helper()
	for i, f := range story.Files {
		if f.Name == "want" {
			story.Files[i].Data = []byte(want)
		}
	}
	if err := os.WriteFile(name, txtar.Format(story), 0o644); err != nil {
		t.Fatal(err)
	}
}

package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kurogo/config"
)

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

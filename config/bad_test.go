package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"kurogo/config"
)

// Each story in testdata/bad is a directory with a broken kurogo.toml, an
// environment and flags if it has those files, and every problem it must have.
func TestEveryProblemIsToldAtOnceWithItsLine(t *testing.T) {
	t.Parallel()
	tell(t, "bad", func(t *testing.T, s story) {
		t.Helper()
		src := config.Source{
			Path: strings.TrimSpace(s.take("path")), Environ: strings.Fields(s.take("environ")), Overrides: map[string]string{},
		}
		for _, pair := range strings.Fields(s.take("flags")) {
			key, value, _ := strings.Cut(pair, "=")
			src.Overrides[key] = value
		}
		src.Dir = write(t, s.files)
		s.ends(t, strings.ReplaceAll(refused(t, src).Error(), src.Dir+string(filepath.Separator), "")+"\n")
	})
}

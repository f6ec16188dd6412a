package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/config"
	"kurogo/messages"
)

func TestAnAgentWorksInTheProjectOrBelowARoot(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(base, "project")
	for _, dir := range []string{"project/src", "project-2", "beside/deep", "far"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"project/in": "src", "project/out": base + "/far", "door": base + "/beside"} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w := config.Workspace{Roots: []string{"../nowhere", base + "/door"}}
	for dir, want := range map[string]string{
		"":                      "project",
		".":                     "project",
		"src":                   "project/src",
		"in":                    "project/src",
		project:                 "project",
		project + "/src/../src": "project/src",
		base + "/beside":        "beside",
		base + "/door/deep":     "beside/deep",
		"../beside/deep":        "beside/deep",
		"..":                    "outside",
		"/":                     "outside",
		"out":                   "outside",
		base + "/project-2":     "outside",
		base + "/far":           "outside",
		"src/../..":             "outside",
		"nowhere":               "no such file",
		"file":                  "no directory",
		"a\x00b":                "invalid",
	} {
		got, err := w.Place(project, dir)
		if err == nil && got == filepath.Join(base, want) {
			continue
		}
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != "workingDirectory" || e.Remedy == "" || !strings.Contains(e.Message, want) {
			t.Errorf("%q: got %q, %v, want %s", dir, got, err, want)
		}
	}
}

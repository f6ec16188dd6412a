package config_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

// Each story in testdata/edits is an edit of the files that it has, and the diff
// that it makes or the reason why not.
func TestAnEditChangesWhatItSaysAndNothingElse(t *testing.T) {
	t.Parallel()
	tell(t, "edits", playEdit)
}

func playEdit(t *testing.T, s story) {
	t.Helper()
	var e messages.RoleEdit
	if err := json.Unmarshal([]byte(s.take("edit")), &e); err != nil {
		t.Fatal(err)
	}
	files := s.files
	dir := write(t, files)
	path := filepath.Join(dir, "kurogo.toml")
	planned, err := config.PlanRoleEdit(path, e)
	if after := readAll(t, dir); cmp.Diff(files, after) != "" {
		t.Fatalf("a plan has changed files:\n%s", cmp.Diff(files, after))
	}
	got := planned.Diff
	if err != nil {
		got = strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "") + "\n"
	}
	s.ends(t, got)
	applied, applyErr := config.ApplyRoleEdit(path, planned.Before, e)
	if err != nil && planned.Before == "" && files["kurogo.toml"] != "" {
		if applyErr == nil {
			t.Error("what cannot be planned was applied")
		}
		return
	}
	if diff := cmp.Diff(planned, applied); diff != "" || (err == nil) != (applyErr == nil) {
		t.Errorf("what was applied is not what was planned, %v:\n%s", applyErr, diff)
	}
	if planned.Diff != "" {
		files["kurogo.toml"] = planned.Text
	}
	if planned.PromptPath != "" {
		files["prompts/p.md"] = planned.PromptText
	}
	if diff := cmp.Diff(files, readAll(t, dir)); diff != "" {
		t.Errorf("on the disk (-want +got)\n%s", diff)
	}
}

// readAll is what stands below a directory.
func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

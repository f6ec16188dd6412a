package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kurogo/files"
	"kurogo/messages"
)

// A task changes files in every way; undo brings all back, once.
func TestUndo(t *testing.T) {
	s := newStage(t, files.Options{Delete: true})
	s.has("a.md", "a")
	s.has("b.md", "b\n")
	s.has("gone.md", "g")
	s.must(os.Chmod(s.in+"/a.md", 0o600))
	work := func(task string) {
		provenance := messages.Provenance{Task: task}
		for _, m := range []messages.WriteFile{{Path: "a.md", Content: "1", Mode: overwrite}, {Path: "a.md", Content: "2", Mode: adds}, {Path: "n/new.md", Content: "n", Mode: create}} {
			m.Provenance = provenance
			_, err := s.Write(t.Context(), m)
			s.must(err)
		}
		_, err := s.Delete(t.Context(), messages.DeleteFile{Path: "gone.md", Provenance: provenance})
		s.must(err)
		_, err = s.patch(task, "--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-b\n+B\n")
		s.must(err)
	}
	work("t")
	s.wants("a.md", "12")
	out, err := s.undo("t", false)
	s.must(err)
	var did []string
	for _, o := range out {
		did = append(did, o.Path+" "+string(o.Action))
	}
	if want := []string{"a.md modified", "b.md modified", "gone.md created", "n/new.md deleted"}; !slices.Equal(did, want) {
		t.Errorf("undo did %q, want %q", did, want)
	}
	for path, content := range map[string]string{"a.md": "a", "b.md": "b\n", "gone.md": "g", "n/new.md": "-"} {
		s.wants(path, content)
	}
	if info, err := os.Stat(s.in + "/a.md"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	_, err = s.undo("t", false)
	refused(t, err, 404, "t")
	_, err = s.undo("", false)
	refused(t, err, 404)
	s.unharmed()
}

// What somebody else has changed since is not restored behind his back, and then
// nothing is; with force all is.
func TestUndoRefusesWhatWasChangedSince(t *testing.T) {
	s := newStage(t, files.Options{})
	s.has("a.md", "a")
	s.has("b.md", "b")
	for _, path := range []string{"a.md", "b.md", "c.md"} {
		_, err := s.Write(t.Context(), messages.WriteFile{Path: path, Content: "new", Mode: overwrite, Provenance: messages.Provenance{Task: "t"}})
		s.must(err)
	}
	s.has("b.md", "mine")
	s.must(os.Remove(s.in + "/c.md"))
	_, err := s.undo("t", false)
	if !messages.IsCode(err, messages.CodeConflict) {
		t.Fatalf("undo says %v", err)
	}
	if text := err.Error(); !strings.Contains(text, "b.md") || strings.Contains(text, "a.md") || strings.Contains(text, "c.md") {
		t.Errorf("it names the wrong files: %s", text)
	}
	s.wants("a.md", "new")
	_, err = s.undo("t", true)
	s.must(err)
	s.wants("a.md", "a")
	s.wants("b.md", "b")
	s.wants("c.md", "-")
}

// Two tasks that change one file are undone in the other order.
func TestUndoOfTwoTasks(t *testing.T) {
	s := newStage(t, files.Options{})
	s.has("a.md", "0")
	for _, task := range []string{"1", "2"} {
		_, err := s.Write(t.Context(), messages.WriteFile{Path: "a.md", Content: task, Mode: overwrite, Provenance: messages.Provenance{Task: task}})
		s.must(err)
	}
	_, err := s.undo("1", false)
	refused(t, err, 409)
	for _, task := range []string{"2", "1"} {
		_, err := s.undo(task, false)
		s.must(err)
	}
	s.wants("a.md", "0")
}

// What is kept is checked before it is believed, and what a crash has lost makes
// undo ask.
func TestTheAttic(t *testing.T) {
	a, err := files.OpenAttic(t.TempDir() + "/attic")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	must(a.Keep(ctx, "t", "a.md", []byte("first\nline"), true, 0o640))
	must(a.Keep(ctx, "t", "a.md", []byte("second"), true, 0o600))
	must(a.Keep(ctx, "t", "b.md", nil, false, 0o644))
	must(a.Left(ctx, "t", "a.md", "abc"))
	kept, err := a.Kept(ctx, "t")
	must(err)
	if len(kept) != 2 || string(kept[0].Before) != "first\nline" || kept[0].Mode != 0o640 || kept[0].Left != "abc" || kept[1].Existed || kept[1].Left == "" {
		t.Errorf("it keeps %+v", kept)
	}
	if tasks, err := a.Tasks(ctx); err != nil || !slices.Equal(tasks, []string{"t"}) {
		t.Errorf("tasks %q, %v", tasks, err)
	}
	found, err := filepath.Glob(dir + "/*/attic/*/*.kept")
	must(err)
	if len(found) != 2 {
		t.Fatalf("there are %q", found)
	}
	for _, f := range found {
		b, err := os.ReadFile(f)
		must(err)
		must(os.WriteFile(f, append(b, '!'), 0o600))
	}
	if _, err := a.Kept(ctx, "t"); err == nil {
		t.Error("a damaged keepsake was believed")
	}
	must(a.Forget(ctx, "t"))
	must(a.Forget(ctx, "t"))
	if kept, err := a.Kept(ctx, "t"); err != nil || len(kept) != 0 {
		t.Errorf("after forgetting it keeps %v, %v", kept, err)
	}
}

package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/messages"
	"kurogo/stores/sqlite"
)

// A patch that a run has applied before it fell is in already: it is not applied
// again, although it would fit. One that only looks alike is not taken for it.
func TestAPatchIsAppliedOnce(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "k.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	root, clock := t.TempDir(), actors.SystemClock{}
	cfg, err := config.Load(config.Source{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{site: site{project: root, state: t.TempDir()}, cfg: cfg, log: slog.New(slog.DiscardHandler), store: store}
	w := h.openWorkshop(clock)
	defer func() {
		if err := w.close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	open := func() messages.JobID {
		id := messages.JobID(messages.NewID())
		_, err := store.Commit(t.Context(), messages.OpenJob{Job: messages.Job{
			ID: id, Kind: messages.JobRun, State: "accepted", Input: actors.Encode(messages.RunInput{Root: root, Approve: messages.ConsentAsk}), CreatedBy: messages.User,
		}, Now: clock.Now()})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	holds := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v, want %q", name, got, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "log.md"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const more = "diff --git a/log.md b/log.md\n--- a/log.md\n+++ b/log.md\n@@ -1 +1,2 @@\n one\n+two\n" +
		"diff --git a/new.md b/new.md\nnew file mode 100644\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1 @@\n+no end\n\\ No newline at end of file\n"
	first := open()
	for range 2 {
		if err := w.apply(t.Context(), root, first, more); err != nil {
			t.Fatal(err)
		}
		holds("log.md", "one\ntwo\n")
		holds("new.md", "no end")
	}
	diff, files, err := w.difference(t.Context(), root, first)
	if err != nil || len(files) != 2 || diff == "" {
		t.Errorf("%q, %v:\n%s", files, err, diff)
	}
	// Another run has not touched these files: what stands there is not its doing.
	if err := w.apply(t.Context(), root, open(), more); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("another run: %v", err)
	}
	holds("log.md", "one\ntwo\n")
	// What has been changed since is not in any more.
	if err := os.WriteFile(filepath.Join(root, "new.md"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.apply(t.Context(), root, first, more); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("changed since: %v", err)
	}
	// Deleting is nobody's to decide here.
	const less = "diff --git a/log.md b/log.md\ndeleted file mode 100644\n--- a/log.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
	if err := w.apply(t.Context(), root, first, less); !messages.IsCode(err, messages.CodeDenied) {
		t.Errorf("deleting: %v", err)
	}
	for range 2 {
		if changed, err := w.undo(t.Context(), root, first, true); err != nil {
			if !messages.IsCode(err, messages.CodeNotFound) {
				t.Error(err)
			}
		} else if len(changed.Files) != 2 {
			t.Errorf("undone: %+v", changed)
		}
	}
	holds("log.md", "one\n")
}

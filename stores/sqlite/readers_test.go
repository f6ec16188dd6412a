package sqlite_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
	"kurogo/stores/sqlite"
)

// A list of every length is a query of its own: all are answered, from many sides
// at once, and only so many are kept.
func TestReadersKeepSomeStatements(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), "journal.db"), sqlite.Options{})
	job := messages.Job{ID: "0", Kind: messages.JobRun, Title: "t", State: "s", CreatedBy: messages.User}
	if _, err := s.Commit(t.Context(), messages.OpenJob{Job: job, Now: time.UnixMilli(1)}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for voice := range 8 {
		all.Go(func() {
			for n := range sqlite.PreparedMost + 50 {
				if d, err := s.Job(t.Context(), messages.GetJob{Job: "0"}); err != nil || d.Title != "t" {
					t.Errorf("%v, %+v", err, d)
				}
				ids := make([]messages.AgentID, n+1)
				for i := range ids {
					ids[i] = messages.AgentID(fmt.Sprintf("coder-%d-%04d", voice, i))
				}
				if _, err := s.Agents(t.Context(), messages.ListAgents{Agents: ids}); !messages.IsCode(err, messages.CodeNotFound) {
					t.Errorf("%d agents that do not exist: %v", len(ids), err)
				}
			}
		})
	}
	all.Wait()
	if n := s.Prepared(); n < sqlite.PreparedMost || n > sqlite.PreparedMost+8 {
		t.Errorf("%d statements are kept, want about %d", n, sqlite.PreparedMost)
	}
}

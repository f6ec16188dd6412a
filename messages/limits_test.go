package messages_test

import (
	"strings"
	"testing"

	"kurogo/messages"
)

// At each limit the next sub-task is refused by the limit's name; just below it
// is not. Only the limit that ends by itself is busy.
func TestRefuse(t *testing.T) {
	l := messages.Limits{Depth: 8, OpenSubtasks: 32, MessagesPerRoot: 500}
	for name, story := range map[string]struct {
		depth, open, spent int
		code               messages.Code
		says               string
	}{
		"all just below":    {8, 31, 499, "", ""},
		"too deep":          {9, 0, 0, messages.CodeDenied, "depth = 8"},
		"too many open":     {1, 32, 0, messages.CodeBusy, "open_subtasks = 32"},
		"too many messages": {1, 0, 500, messages.CodeDenied, "messages_per_root = 500"},
	} {
		e := l.Refuse(story.depth, story.open, story.spent)
		if story.code == "" {
			if e != nil {
				t.Errorf("%s: %v", name, e)
			}
			continue
		}
		if e == nil || e.Code != story.code || e.Remedy == "" || !strings.Contains(e.Message, story.says) {
			t.Errorf("%s: %v, want %s that says %q", name, e, story.code, story.says)
		}
	}
}

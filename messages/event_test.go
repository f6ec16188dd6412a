package messages_test

import (
	"testing"

	"kurogo/messages"
)

// A topic names a tree by its root, a task by itself, or kinds, or both.
func TestTopicWants(t *testing.T) {
	e := messages.Event{Kind: messages.TaskUpdated, Task: "child", Root: "root"}
	other := messages.EventKind("message:acked")
	for name, story := range map[string]struct {
		topic messages.Topic
		want  bool
	}{
		"everything":                {messages.Topic{}, true},
		"the tree":                  {messages.Topic{Task: "root"}, true},
		"the task":                  {messages.Topic{Task: "child"}, true},
		"another tree":              {messages.Topic{Task: "elsewhere"}, false},
		"the kind":                  {messages.Topic{Kinds: []messages.EventKind{other, e.Kind}}, true},
		"another kind":              {messages.Topic{Kinds: []messages.EventKind{other}}, false},
		"the kind, another tree":    {messages.Topic{Task: "elsewhere", Kinds: []messages.EventKind{e.Kind}}, false},
		"another kind, in the tree": {messages.Topic{Task: "root", Kinds: []messages.EventKind{other}}, false},
	} {
		if got := story.topic.Wants(e); got != story.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

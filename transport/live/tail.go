package live

import (
	"slices"
	"strings"

	"kurogo/messages"
)

// A tail is one log that a page follows. It is read again when its agent has done
// something, a piece at a time.
type tail struct {
	topic  string
	agent  messages.AgentID
	stream string
	next   int64
	due    bool // there may be more
	ended  bool // and the page knows it
}

// tails are what a page follows. They belong to the writer.
type tails []*tail

// topicOf reads "agent:ID:log" and "agent:ID:stderr".
func topicOf(topic string) (agent messages.AgentID, stream string, err error) {
	rest, ok := strings.CutPrefix(topic, "agent:")
	i := strings.LastIndexByte(rest, ':')
	if ok && i > 0 {
		switch rest[i+1:] {
		case "log":
			return messages.AgentID(rest[:i]), "stdout", nil
		case "stderr":
			return messages.AgentID(rest[:i]), "stderr", nil
		}
	}
	return "", "", messages.Invalid("topics", "%q is no topic", messages.Cut(topic, 128)).Try(`send "agent:ID:log" or "agent:ID:stderr"`)
}

// add follows x, and no longer what had its topic.
func (t *tails) add(x *tail) {
	t.remove(x.topic)
	*t = append(*t, x)
}

func (t *tails) remove(topic string) {
	*t = slices.DeleteFunc(*t, func(x *tail) bool { return x.topic == topic })
}

// heard marks the logs of agents that have done something.
func (t tails) heard(list []entry) {
	if len(t) == 0 {
		return
	}
	busy := map[messages.AgentID]bool{}
	for _, e := range list {
		busy[e.agent] = true
	}
	for _, x := range t {
		x.due = x.due || busy[x.agent]
	}
}

// all marks every log.
func (t tails) all() {
	for _, x := range t {
		x.due = true
	}
}

package modeltest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// A Request is what a model was asked, whatever the service's words for it.
type Request struct {
	Header   http.Header
	Model    string
	System   string // all of it
	Messages []Message
	Tools    []string        // their names
	Body     []byte          // as it came
	Whole    bool            // it wants no stream: some clients try so when a stream breaks
	Schema   json.RawMessage // that the answer must fit, if it must

	namespaces map[string][2]string // OpenAI: of the tools that have one, and their names there
}

// A Message is one of the conversation.
type Message struct {
	Role    string
	Texts   []string // one for each block of text
	Calls   []string // the tools it uses
	Results []string // what tools answered
}

// Turn is what the user said last, not counting the answers of tools. Clients
// put what they themselves have to say, and turns that were torn, before it.
func (r Request) Turn() string {
	if i := r.turn(); i >= 0 {
		texts := r.Messages[i].Texts
		return texts[len(texts)-1]
	}
	return ""
}

func (r Request) turn() int {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if m := r.Messages[i]; m.Role == "user" && len(m.Results) == 0 && len(m.Texts) > 0 {
			return i
		}
	}
	return -1
}

// Step counts the model's own messages since the user spoke: 0 is the first
// request of a turn.
func (r Request) Step() int {
	n := 0
	for _, m := range r.Messages[r.turn()+1:] {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

// Loop begins what our own loop tells a model in a user's place: what its tools
// answered, or that its words could not be read. It begins no turn.
const Loop = "[kurogo: "

// reminders begin what a client adds to a user's words.
var reminders = []string{"<system-reminder>", "<environment_context>", "<turn_aborted>"}

func reminds(text string) bool {
	return slices.ContainsFunc(reminders, func(head string) bool { return strings.HasPrefix(text, head) })
}

// Told is the conversation as it is remembered, without what the client adds:
// "user: …", "assistant: …".
func (r Request) Told() []string {
	var out []string
	for _, m := range r.Messages {
		for _, text := range m.Texts {
			if m.Role != "system" && !reminds(text) {
				out = append(out, m.Role+": "+text)
			}
		}
	}
	return out
}

// Says reports whether the system prompt or the turn has the words.
func (r Request) Says(words string) bool {
	return strings.Contains(r.System, words) || strings.Contains(r.Turn(), words)
}

package hermes

import (
	"encoding/json"
	"strings"

	"kurogo/messages"
)

// An answer is what a model has said so far.
type answer struct {
	text     strings.Builder
	thinking strings.Builder
	calls    []use
	places   map[int]int // of the calls, by the service's own numbers
	size     int

	usage  messages.Usage
	ended  bool // it said that this was all
	done   bool // and nothing more comes
	cut    bool // it ran into its limit of tokens
	censor bool // the service would not let it speak
}

// A use is a call of a tool by the service's own means. OpenAI's input comes in
// pieces of a text that becomes JSON.
type use struct {
	id    string
	name  string
	input []byte
}

// A piece is what one line of a stream adds.
type piece struct {
	text    string
	warning string
}

func (a *answer) say(text string) {
	a.text.WriteString(text)
	a.size += len(text)
}

func (a *answer) think(text string) {
	a.thinking.WriteString(text)
	a.size += len(text)
}

// callCost is what a call counts beside its words: 10,000 without any are too
// many as well.
const callCost = 64

// call adds a piece of a call. Without a number it is a new one if it has a name.
func (a *answer) call(number *int, id, name, input string) {
	at := len(a.calls) - 1
	switch {
	case number != nil:
		place, ok := a.places[*number]
		if !ok {
			if a.places == nil {
				a.places = map[int]int{}
			}
			place = len(a.calls)
			a.places[*number] = place
			a.calls = append(a.calls, use{})
			a.size += callCost
		}
		at = place
	case name != "" || at < 0:
		at = len(a.calls)
		a.calls = append(a.calls, use{})
		a.size += callCost
	}
	c := &a.calls[at]
	if id != "" {
		c.id = id
	}
	if c.name == "" {
		c.name = name
	}
	c.input = append(c.input, input...)
	a.size += len(id) + len(name) + len(input)
}

// A dialect is how a service is spoken to.
type dialect interface {
	// path is where chats are asked for, below the service's base.
	path() string

	// encode writes a request.
	encode(r request) ([]byte, error)

	// hear reads one line of a stream. An error ends the answer.
	hear(line []byte, a *answer) (piece, error)
}

func dialectOf(p place) dialect {
	if p.api == OpenAI {
		return completions{}
	}
	return chat{}
}

// arguments of a tool are an object; nothing stands for an empty one.
func arguments(raw []byte) (json.RawMessage, bool) {
	text := strings.TrimSpace(string(raw))
	if text == "" || text == "null" {
		return json.RawMessage("{}"), true
	}
	return json.RawMessage(text), text[0] == '{' && json.Valid([]byte(text))
}

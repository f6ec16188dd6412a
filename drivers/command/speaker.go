package command

import (
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// longestPassage bounds what is gathered of what nothing ends.
const longestPassage = 1 << 20

// A speaker is what every program has: a prompt to hear, and complaints.
type speaker struct {
	name    string
	prompt  string // the system prompt, if the arguments do not hold it
	grumble string // the last plain line: there some complain
}

// Turn gives the prompt on stdin.
func (s *speaker) Turn(t messages.Turn) (args []string, input []byte, err error) {
	text := t.Text
	if system := strings.TrimSpace(s.prompt); system != "" {
		text = system + "\n\n" + text
	}
	return nil, []byte(strings.ToValidUTF8(text, "\uFFFD")), nil
}

// Judge looks into what it complained of.
func (s *speaker) Judge(e messages.Exit) messages.Exit { return ndjson.Blame(s.name, e, s.grumble) }

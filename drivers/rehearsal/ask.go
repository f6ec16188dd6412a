package rehearsal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kurogo/messages"
)

// The tools of the house that a player knows.
const (
	sendTool   = "send_message"
	reportTool = "report_result"
)

// reply answers whoever asked first.
func (a *act) reply(content string) error {
	if len(a.cue.Messages) == 0 {
		return failf("there is nobody to answer: the turn came without a message")
	}
	a.answer = content
	return a.send(messages.Cue{To: a.cue.Messages[0].From, Type: messages.TaskComplete, Content: content})
}

// send uses the tool as a model would, and looks whether it was answered as the
// script expects.
func (a *act) send(c messages.Cue) error {
	type metadata struct {
		Priority messages.Priority `json:"priority,omitempty"`
		TTL      int               `json:"ttl,omitempty"`
	}
	answer, err := a.ask(sendTool, struct {
		To       messages.Address `json:"to"`
		Type     messages.Type    `json:"type"`
		Content  string           `json:"content"`
		Thinking string           `json:"thinking,omitempty"`
		Metadata metadata         `json:"metadata,omitzero"`
	}{c.To, c.Type, a.expand(c.Content), c.Thinking, metadata{c.Priority, c.TTL}})
	if err != nil {
		return err
	}
	return expected(c.Expect, answer, "the message to "+string(c.To))
}

// report tells the house what came of the work, if it wants to hear that. A
// player that names no files means those that it has written.
func (a *act) report(r messages.Account) error {
	if !slices.Contains(a.tools, reportTool) {
		return nil
	}
	if len(r.Edited)+len(r.Created) == 0 {
		r.Edited, r.Created = a.edited, a.created
	}
	answer, err := a.ask(reportTool, messages.Report{
		Status: r.Status, Summary: a.expand(r.Summary), Response: a.expand(r.Response),
		Edited: r.Edited, Created: r.Created, Error: a.expand(r.Error),
	})
	if err != nil {
		return err
	}
	return expected(r.Expect, answer, "the report")
}

// expected says what is wrong with the answer to a tool call.
func expected(refusal messages.Code, answer cue, what string) error {
	switch {
	case refusal == "" && answer.IsError:
		return failf("%s was refused: %s", what, answer.Text)
	case refusal != "" && (!answer.IsError || !strings.HasPrefix(answer.Text, string(refusal))):
		return failf("%s should have been refused as %s, but the answer was: %s", what, refusal, answer.Text)
	}
	return nil
}

// ask uses a tool of the house and waits for its answer.
func (a *act) ask(tool string, arguments any) (cue, error) {
	if a.cues == nil {
		return cue{}, failf("nobody answers %s: this life has one turn and no tools", tool)
	}
	input, err := json.Marshal(arguments)
	if err != nil {
		return cue{}, fmt.Errorf("encode %s: %w", tool, err)
	}
	id := a.next()
	if err := a.tell(word{Type: toolCall, ID: id, Name: tool, Input: input}); err != nil {
		return cue{}, err
	}
	for {
		c, ok := <-a.cues
		if err := a.heed(c, ok); err != nil {
			return cue{}, err
		}
		if c.Type == toolResult && c.ID == id {
			a.heard += len(c.Text)
			return c, nil
		}
	}
}

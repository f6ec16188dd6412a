package rehearsal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"kurogo/messages"
)

var errInterrupted = errors.New("interrupted")

// A failure ends the turn for good.
type failure string

func (f failure) Error() string { return string(f) }

func failf(format string, args ...any) error { return failure(fmt.Sprintf(format, args...)) }

// An act is one turn on the stage.
type act struct {
	*player
	cue     cue
	content string
	said    string // the last text
	answer  string
	calls   int
}

func newAct(p *player, c cue) *act { return &act{player: p, cue: c, content: content(c)} }

func (a *act) play() error {
	for _, line := range a.stage.lines(a.agent, a.cue) {
		if err := a.wait(line.Wait); err != nil {
			return err
		}
		if err := a.line(line); err != nil {
			return err
		}
	}
	return nil
}

// final is the turn's final text: what was said last or, from one who only
// answered, the answer.
func (a *act) final() string {
	if a.said != "" {
		return a.said
	}
	return a.answer
}

func (a *act) line(l messages.Line) error {
	switch {
	case l.Think != "":
		return a.say(word{Type: thinking, Turn: a.cue.ID, Text: l.Think})
	case l.Say != "":
		a.said = a.expand(l.Say)
		return a.say(word{Type: text, Turn: a.cue.ID, Text: a.said})
	case l.Send != nil:
		return a.send(*l.Send)
	case l.Write != nil:
		return a.prop(*l.Write)
	case l.Answer != "":
		return a.reply(a.expand(l.Answer))
	case l.Fail != "":
		return failure(a.expand(l.Fail))
	case l.Crash != 0:
		a.effects.Exit(l.Crash)
		return errLeft
	case l.Hang:
		a.effects.Hang()
		return errLeft
	case l.Babble != "":
		return a.write([]byte(l.Babble))
	}
	return nil
}

func (a *act) expand(s string) string { return strings.ReplaceAll(s, "{{content}}", a.content) }

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
	input, err := json.Marshal(struct {
		To       messages.Address `json:"to"`
		Type     messages.Type    `json:"type"`
		Content  string           `json:"content"`
		Thinking string           `json:"thinking,omitempty"`
		Metadata metadata         `json:"metadata,omitzero"`
	}{c.To, c.Type, a.expand(c.Content), c.Thinking, metadata{c.Priority, c.TTL}})
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	a.calls++
	id := fmt.Sprintf("%s/%d", a.cue.ID, a.calls)
	if err := a.say(word{Type: toolCall, Turn: a.cue.ID, ID: id, Name: "send_message", Input: input}); err != nil {
		return err
	}
	result, err := a.result(id)
	switch {
	case err != nil:
		return err
	case c.Expect == "" && result.IsError:
		return failf("the message to %s was refused: %s", c.To, result.Text)
	case c.Expect != "" && (!result.IsError || !strings.HasPrefix(result.Text, string(c.Expect))):
		return failf("the message to %s should have been refused as %s, but the answer was: %s", c.To, c.Expect, result.Text)
	}
	return nil
}

// result waits for the answer to a tool call.
func (a *act) result(id string) (cue, error) {
	for {
		c, ok := <-a.cues
		if err := a.heed(c, ok); err != nil {
			return cue{}, err
		}
		if c.Type == toolResult && c.ID == id {
			return c, nil
		}
	}
}

// wait lets time pass, or only looks whether the turn was interrupted.
func (a *act) wait(d time.Duration) error {
	if d <= 0 {
		select {
		case c, ok := <-a.cues:
			return a.heed(c, ok)
		default:
			return nil
		}
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case c, ok := <-a.cues:
			if err := a.heed(c, ok); err != nil {
				return err
			}
		case <-timer.C:
			return nil
		}
	}
}

func (a *act) heed(c cue, ok bool) error {
	switch {
	case !ok:
		return errLeft
	case c.Type == interrupt && c.ID == a.cue.ID:
		return errInterrupted
	}
	return nil
}

// prop writes a file, never outside the working directory.
func (a *act) prop(p messages.Prop) error {
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return failf("write %s: %v", p.Path, err)
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(path.Dir(p.Path), 0o755); err != nil {
		return failf("write %s: %v", p.Path, err)
	}
	if err := root.WriteFile(p.Path, []byte(p.Content), 0o644); err != nil {
		return failf("write %s: %v", p.Path, err)
	}
	return nil
}

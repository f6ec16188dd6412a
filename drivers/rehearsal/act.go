package rehearsal

import (
	"errors"
	"fmt"
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

	edited, created []string // files
	heard, spoken   int      // bytes of what it was told, and of what it made of it
}

func newAct(p *player, c cue) *act {
	return &act{player: p, cue: c, content: content(c), heard: len(c.Text)}
}

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
		return a.tell(word{Type: thinking, Text: l.Think})
	case l.Say != "":
		a.said = a.expand(l.Say)
		return a.tell(word{Type: text, Text: a.said})
	case l.Send != nil:
		return a.send(*l.Send)
	case l.Write != nil:
		return a.prop(*l.Write)
	case l.Use != nil:
		return a.gesture(*l.Use)
	case l.Report != nil:
		return a.report(*l.Report)
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

// tell says a word of this turn.
func (a *act) tell(w word) error {
	w.Turn = a.cue.ID
	a.spoken += len(w.Text) + len(w.Input)
	return a.say(w)
}

// next is the id of the next use of a tool.
func (a *act) next() string {
	a.calls++
	return fmt.Sprintf("%s/%d", a.cue.ID, a.calls)
}

// usage estimates what a model would have used, so that the figures of a
// rehearsal have the shape of real ones. It costs nothing.
func (a *act) usage() word {
	const token = 4 // bytes, more or less
	tokens := func(bytes int) int64 { return int64((bytes + token - 1) / token) }
	return word{Type: used, Turn: a.cue.ID, InputTokens: tokens(a.heard), OutputTokens: tokens(a.spoken)}
}

func (a *act) expand(s string) string { return strings.ReplaceAll(s, "{{content}}", a.content) }

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

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A clerk puts the questions of a run to whoever sits at the terminal, one after
// the other. He waits for the answer beside everything else: somebody else may be
// faster, and Ctrl-C is heard.
type clerk struct {
	open  []messages.Approval // the first one has been put
	lines <-chan lineRead     // what is typed; nil: nothing was asked yet
}

func (c *clerk) busy() bool { return c != nil && len(c.open) > 0 }

// said is what is typed while a question is open.
func (c *clerk) said() <-chan lineRead {
	if !c.busy() {
		return nil
	}
	return c.lines
}

// asked puts a question of the run to a person, or says how it can be answered.
func (s *runShow) asked(ctx context.Context, e messages.Event) error {
	a, err := read[messages.Approval](e)
	if err != nil || a.Job != s.job.ID {
		return err
	}
	if s.clerk == nil {
		s.line("%s", s.question(a))
		s.line(s.sayRun("ask hint"), a.ID)
		return nil
	}
	if s.clerk.lines == nil {
		s.clerk.lines = readLines(ctx, os.Stdin, s.cfg.Limits.MessageBytes)
	}
	s.clear()
	if s.clerk.open = append(s.clerk.open, a); len(s.clerk.open) == 1 {
		s.put()
	}
	return nil
}

func (s *runShow) question(a messages.Approval) string {
	word := "asks run"
	if a.Kind == messages.ParkedDelete {
		word = "asks delete"
	}
	return fmt.Sprintf(s.sayRun(word), clean(a.Content))
}

func (s *runShow) put() { fmt.Fprintf(s.to, s.sayRun("yes or no"), s.question(s.clerk.open[0])) }

// typed takes a line as the answer to the question that was put.
func (s *runShow) typed(ctx context.Context, h local.House, l lineRead, ok bool) error {
	if !ok || l.err != nil { // nobody types any more: the others can still answer
		for _, a := range s.clerk.open {
			s.line("\n"+s.sayRun("ask hint"), a.ID)
		}
		s.clerk = nil
		return nil
	}
	word := strings.ToLower(strings.TrimSpace(l.text))
	id := s.clerk.open[0].ID
	_, err := askOn[messages.Done](ctx, h, messages.AnswerApproval{ID: id, Allow: word == "y" || word == "yes"})
	if messages.IsCode(err, messages.CodeConflict) { // somebody was faster
		err = nil
	}
	s.settled(id)
	return err
}

// settled goes on to the next question when one has its answer.
func (s *runShow) settled(id string) {
	if !s.clerk.busy() {
		return
	}
	first := s.clerk.open[0].ID
	s.clerk.open = slices.DeleteFunc(s.clerk.open, func(a messages.Approval) bool { return a.ID == id })
	switch {
	case first != id:
	case s.clerk.busy():
		fmt.Fprintln(s.to)
		s.put()
	default:
		s.draw()
	}
}

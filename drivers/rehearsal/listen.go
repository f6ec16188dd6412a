package rehearsal

import (
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// listen turns the player's lines into events until there are no more, and says
// how the life ended.
func (s *session) listen() {
	defer close(s.events)
	for line := range s.process.Lines() {
		if !s.hear(line) {
			break
		}
	}
	s.late.Stop()
	select {
	case <-s.process.Done(): // its own end must not look like our doing
	case <-time.After(lingering):
	}
	s.exit = s.verdict(s.process.Kill())
	close(s.gone)
	s.tellLast(messages.DriverEvent{Kind: messages.DriverExited, Exit: s.exit})
}

// verdict is the end of the process, seen with what was open when it came.
func (s *session) verdict(e messages.Exit) messages.Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fault != nil:
		e.Class, e.Reason = s.fault.Class, s.fault.Reason
	case e.Class != messages.ClassNone: // the process has its own reason
	case s.turn == "" && (s.ready || s.isStopping()):
	case s.turn == "":
		e.Class, e.Reason = messages.ClassCrash, "it left before it was ready"
	case s.isStopping():
		e.Class, e.Reason = messages.ClassKilled, "it was stopped within turn "+s.turn
	default:
		e.Class, e.Reason = messages.ClassCrash, "it left within turn "+s.turn+" without ending it"
	}
	return e
}

// hear reports whether the life goes on. What it does not understand is a
// warning; a word that it knows but cannot read is the end.
func (s *session) hear(line process.Line) bool {
	w, warning, err := decode(line)
	switch {
	case err != nil:
		s.end(messages.ClassProtocol, err.Error())
	case warning != "":
		s.tell(messages.DriverEvent{Kind: messages.DriverWarned, Turn: s.open(), Text: warning})
	case w.Type != "":
		s.play(w)
	}
	return err == nil
}

func (s *session) play(w word) {
	e := messages.DriverEvent{Turn: w.Turn, Text: w.Text}
	switch w.Type {
	case ready:
		s.late.Stop()
		s.mu.Lock()
		s.ready = true
		s.mu.Unlock()
		e.Kind = messages.DriverReady
	case thinking:
		e.Kind = messages.DriverThought
	case text:
		e.Kind = messages.DriverSaid
	case toolCall:
		e.Kind, e.Tool = messages.DriverToolAsked, messages.ToolCall{ID: w.ID, Name: w.Name, Input: w.Input}
	case turnEnd:
		s.endTurn(w)
		return
	}
	s.tell(e)
}

// endTurn closes the turn before anybody hears of it, so that who hears of it
// can send the next. A turn of whose end nobody heard has not ended.
func (s *session) endTurn(w word) {
	if !s.closeTurn(w.Turn) {
		s.tell(messages.DriverEvent{Kind: messages.DriverWarned, Turn: w.Turn, Text: "the end of a turn that is not on"})
		return
	}
	end := messages.TurnEnd{Text: w.Text, Class: w.Class, Session: w.Session, Border: w.Border}
	if !s.tell(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: w.Turn, End: end}) {
		s.mu.Lock()
		s.turn = w.Turn
		s.mu.Unlock()
	}
}

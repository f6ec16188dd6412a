package ndjson

import (
	"cmp"
	"context"
	"strings"
	"time"

	"kurogo/messages"
)

// leaving is how long an agent of one turn may live on after its result, where
// its command names no grace.
const leaving = 5 * time.Second

// longestComplaint is how much of what an agent complained of is told.
const longestComplaint = 300

// endOnce remembers the result: nobody acts on it before the agent is gone. From
// here on it has a grace to go.
func (s *Session) endOnce(e messages.DriverEvent) {
	s.mu.Lock()
	late, again := s.torn != "", s.once.result != nil
	if !late && !again {
		s.once.result = &e.End
		s.once.leave = time.AfterFunc(cmp.Or(max(0, s.once.command.Grace), leaving), s.overstay)
	}
	s.mu.Unlock()
	switch {
	case late:
		s.tell(messages.DriverEvent{Kind: messages.DriverWarned, Turn: e.Turn, Text: "a result that came too late"})
	case again:
		s.tell(messages.DriverEvent{Kind: messages.DriverWarned, Turn: e.Turn, Text: "a second result"})
	}
}

// overstay ends who has said its last word and does not go.
func (s *Session) overstay() {
	defer close(s.once.left)
	s.mu.Lock()
	s.once.stayed = true
	s.mu.Unlock()
	s.process.Stop(context.Background())
}

// listenOnce follows an agent of one turn from the end of its output to its own.
func (s *Session) listenOnce() {
	s.mu.Lock()
	heard, turn := s.once.Close(), s.turn
	s.mu.Unlock()
	for _, e := range heard.Events {
		e.Turn = turn
		s.happen(e)
	}
	if s.once.leave == nil {
		s.await()
	} else {
		select {
		case <-s.process.Done():
		case <-s.once.left:
		}
		if !s.once.leave.Stop() {
			<-s.once.left
		}
	}
	e := messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: turn}
	s.exit, e.End = s.verdictOnce(s.process.Kill())
	close(s.gone)
	s.tell(e)
	s.tellLast(messages.DriverEvent{Kind: messages.DriverExited, Exit: s.exit})
}

// verdictOnce is the end of the process and the result of the turn, each seen
// with the other.
func (s *Session) verdictOnce(e messages.Exit) (messages.Exit, messages.TurnEnd) {
	s.mu.Lock()
	defer s.mu.Unlock()
	result := s.once.result
	said := result != nil
	switch {
	case s.torn != "":
		e.Class, e.Reason = messages.ClassKilled, "it was stopped within turn "+s.torn
		if said {
			return e, *result
		}
	case s.fault != nil:
		e.Class, e.Reason = s.fault.Class, s.fault.Reason
	case said && result.Class != messages.ClassNone:
		e.Class, e.Reason = result.Class, result.Text
		return e, *result
	case said && s.once.stayed:
		e.Class, e.Reason = messages.ClassNone, "it lived on after its result and was ended"
		return e, *result
	case e.Class != messages.ClassNone:
		e = s.blame(e)
	case !said:
		e.Class, e.Reason = messages.ClassProtocol, "it ended without a result"
		e = s.blame(e)
	default:
		return e, *result
	}
	return e, messages.TurnEnd{Class: e.Class, Text: e.Reason}
}

// blame asks the protocol why there was no good end, and where it does not know
// lets the agent say it itself.
func (s *Session) blame(e messages.Exit) messages.Exit {
	judged := s.protocol.Judge(e)
	if judged.Reason == e.Reason {
		if last := complaint(e.Stderr); last != "" {
			judged.Reason += ": " + last
		}
	}
	return judged
}

// complaint is the last line of what an agent wrote to its stderr. Some repeat
// their events there, which are no complaints.
func complaint(stderr string) string {
	last := ""
	for line := range strings.Lines(stderr) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '{' {
			last = line
		}
	}
	return messages.Cut(last, longestComplaint)
}

package ndjson

import "kurogo/messages"

// verdict is the end of the process, seen with what was open when it came.
func (s *Session) verdict(e messages.Exit) messages.Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.torn != "":
		e.Class, e.Reason = messages.ClassKilled, "it was stopped within turn "+s.torn
	case s.fault != nil:
		e.Class, e.Reason = s.fault.Class, s.fault.Reason
	case s.isStopping(): // the process says how
	case e.Class != messages.ClassNone:
		e = s.protocol.Judge(e)
	case s.turn != "":
		e.Class, e.Reason = messages.ClassCrash, "it left within turn "+s.turn+" without ending it"
	case !s.ready:
		e.Class, e.Reason = messages.ClassCrash, "it left before it was ready"
	}
	return e
}

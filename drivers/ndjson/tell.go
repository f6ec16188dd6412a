package ndjson

import "kurogo/messages"

// tell waits for the reader, who holds the agent back by that, unless the life
// is being stopped: then what does not fit is lost. It reports whether it fitted.
func (s *Session) tell(e messages.DriverEvent) bool {
	e = s.signed(e)
	select {
	case s.events <- e:
		return true
	default:
	}
	select {
	case s.events <- e:
		return true
	case <-s.stopping:
		return false
	}
}

// tellLast loses an older event rather than the last when nobody reads.
func (s *Session) tellLast(e messages.DriverEvent) {
	e = s.signed(e)
	for {
		select {
		case s.events <- e:
			return
		default:
		}
		select {
		case s.events <- e:
			return
		case <-s.stopping:
			select {
			case <-s.events:
			default:
			}
		}
	}
}

// signed adds what the process was called with to the first event behind its start.
func (s *Session) signed(e messages.DriverEvent) messages.DriverEvent {
	if argv := s.argv.Swap(nil); argv != nil {
		e.Argv = *argv
	}
	return e
}

func (s *Session) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

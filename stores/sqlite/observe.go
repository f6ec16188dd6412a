package sqlite

import "kurogo/messages"

func (s *step) observe(c messages.Observe) (messages.Outcome, error) {
	for _, r := range c.Log {
		s.logRows = append(s.logRows, ms(r.Timestamp), r.From, r.To, r.Type, r.Size, r.DurationMS, r.Success, r.Error, r.Level)
	}
	s.events = append(s.events, c.Events...)
	return messages.Outcome{}, nil
}

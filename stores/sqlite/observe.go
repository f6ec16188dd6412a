package sqlite

import "kurogo/messages"

func (s *step) observe(c messages.Observe) (messages.Outcome, error) {
	for _, r := range c.Log {
		if err := s.exec(`INSERT INTO comm_log(at, from_agent, to_agent, message_type, message_size, duration_ms, success, error, level) VALUES(?,?,?,?,?,?,?,?,?)`,
			ms(r.Timestamp), r.From, r.To, r.Type, r.Size, r.DurationMS, r.Success, r.Error, r.Level); err != nil {
			return messages.Outcome{}, err
		}
	}
	for _, e := range c.Events {
		if err := s.append(e); err != nil {
			return messages.Outcome{}, err
		}
	}
	return messages.Outcome{}, nil
}

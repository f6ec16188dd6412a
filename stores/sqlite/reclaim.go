package sqlite

import "kurogo/messages"

// reclaim begins an incarnation. Whatever an earlier one held comes back.
func (s *step) reclaim(c messages.Reclaim) (out messages.Outcome, err error) {
	now, gather := ms(c.Now), c.Gather
	if gather == "" {
		gather = messages.All
	}
	if _, err = s.one(`INSERT INTO personas(name, reports_to, gather, epoch, risen_at) VALUES(?1, ?2, ?3, 1, ?4)
		ON CONFLICT(name) DO UPDATE SET reports_to = ?2, gather = ?3, epoch = epoch + 1, risen_at = ?4
		RETURNING epoch, session, border, stopped`,
		[]any{c.Persona, c.ReportsTo, gather, now}, &out.Epoch, &out.Session, &out.Border, &out.Stopped); err != nil {
		return out, err
	}
	torn, err := s.parcels(`WHERE d.to_agent = ? AND d.state = 'inflight' ORDER BY d.seq`, c.Persona)
	if err != nil {
		return out, err
	}
	for _, p := range torn {
		if err := s.release(p, now, now, "its turn was torn", messages.CodeInternal); err != nil {
			return out, err
		}
	}
	return out, nil
}

// release makes a row that was in flight pending again from at on; or cancelled,
// if its task is over; or dead, after its last attempt.
func (s *step) release(p parcel, at, now int64, reason string, code messages.Code) error {
	t, ok, err := s.task(p.task)
	switch {
	case err != nil:
		return err
	case ok && t.Status.Final():
		return s.exec(`UPDATE deliveries SET state = 'cancelled', ended_at = ?, error = ? WHERE seq = ?`, now, reason, p.seq)
	case p.attempts >= s.limits.Attempts:
		return s.bury(p, "dead", verdict{status: messages.Failed, code: code, text: reason, at: now})
	}
	if at <= now {
		at = 0
		s.wake(p.message.To)
	}
	if err := s.exec(`UPDATE deliveries SET state = 'pending', next_at = ?, error = ? WHERE seq = ?`, at, reason, p.seq); err != nil {
		return err
	}
	s.dueAt(at)
	s.dueAt(p.due) // its ttl counts again, and may have passed in the meantime
	if err := s.log(now, p.message, float64(now-p.leased), messages.Warn, reason); err != nil {
		return err
	}
	return s.delivered(messages.MessageRetried, p, now, reason)
}

func (s *step) setStopped(c messages.SetStopped) (messages.Outcome, error) {
	n, err := s.changed(`UPDATE personas SET stopped = ? WHERE name = ?`, c.Stopped, c.Persona)
	if err == nil && n == 0 {
		err = messages.Errorf(messages.CodeNotFound, "nobody is called %s", c.Persona).Try("see kurogo crew")
	}
	if !c.Stopped {
		s.wake(c.Persona)
	}
	return messages.Outcome{Stopped: c.Stopped}, err
}

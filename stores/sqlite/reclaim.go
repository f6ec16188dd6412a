package sqlite

import "kurogo/messages"

// reclaim begins an incarnation. Whatever an earlier one held comes back.
func (s *step) reclaim(c messages.Reclaim) (out messages.Outcome, err error) {
	now := ms(c.Now)
	ok, err := s.one(`UPDATE personas SET epoch = epoch + 1, risen_at = ? WHERE name = ? RETURNING epoch, session, border, stopped, billed`,
		[]any{now, c.Persona}, &out.Epoch, &out.Session, &out.Border, &out.Stopped, &out.Billed)
	if err == nil && !ok {
		err = stranger(c.Persona)
	}
	if err != nil {
		return out, err
	}
	torn, err := s.parcels(`WHERE d.to_agent = ? AND d.state = 'inflight' ORDER BY d.seq`, c.Persona)
	if err != nil {
		return out, err
	}
	if err := s.settle(torn, messages.Bill{}, now); err != nil {
		return out, err
	}
	if _, agent := c.Persona.Agent(); agent && len(torn) > 0 { // what it did stays done: doing it twice is not ours to choose
		if err := s.finish(torn[0].task, verdict{status: messages.Failed, code: messages.CodeInternal, text: "kurogo fell while the agent ran; run it again if its work is not done", lost: true, at: now}); err != nil {
			return out, err
		}
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
	case p.attempts-p.rests >= s.limits.Attempts:
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
	s.log(now, p.message, float64(now-p.leased), messages.Warn, reason)
	return s.delivered(messages.MessageRetried, p, now, reason)
}

func (s *step) setStopped(c messages.SetStopped) (messages.Outcome, error) {
	n, err := s.changed(`UPDATE personas SET stopped = ? WHERE name = ?`, c.Stopped, c.Persona)
	if err == nil && n == 0 {
		err = stranger(c.Persona)
	}
	if !c.Stopped {
		s.wake(c.Persona)
	}
	return messages.Outcome{Stopped: c.Stopped}, err
}

package sqlite

import "kurogo/messages"

func (s *step) failTurn(c messages.FailTurn) (out messages.Outcome, err error) {
	rows, ok, err := s.held(c.Fence, c.Rows)
	if err != nil || !ok {
		return messages.Outcome{Stale: true}, err
	}
	now, code := ms(c.Now), c.Code
	if code == "" {
		code = messages.CodeInternal
	}
	if err := s.settle(rows, c.Bill, now); err != nil {
		return out, err
	}
	for _, p := range rows {
		switch {
		case c.Retry && c.Park:
			err = s.rest(p, ms(c.RetryAt), now, c.Reason)
		case c.Retry:
			err = s.release(p, ms(c.RetryAt), now, c.Reason, code)
		default:
			err = s.ack(p, now, c.Reason)
		}
		if err != nil {
			return out, err
		}
	}
	if !c.Retry && rows[0].task != "" {
		if err := s.finish(rows[0].task, verdict{status: messages.Failed, code: code, text: c.Reason, at: now}); err != nil {
			return out, err
		}
	}
	if c.Next {
		out.Turn, err = s.next(c.Fence, c.Reserve, now)
	}
	return out, err
}

// rest parks a row until the model's service wants to hear of it again. The wait
// is nobody's fault: it costs no attempt.
func (s *step) rest(p parcel, at, now int64, reason string) error {
	t, ok, err := s.task(p.task)
	if err != nil || ok && t.Status.Final() {
		if err == nil {
			err = s.release(p, at, now, reason, messages.CodeRateLimited)
		}
		return err
	}
	at = max(at, now+1)
	if err := s.exec(`UPDATE deliveries SET state = 'parked', parked = 'rate', rests = rests + 1, next_at = ?, error = ? WHERE seq = ?`, at, reason, p.seq); err != nil {
		return err
	}
	s.dueAt(at)
	s.log(now, p.message, float64(now-p.leased), messages.Warn, reason)
	if err := s.pauses(p.message.To, p.task, now); err != nil {
		return err
	}
	return s.delivered(messages.MessageParked, p, now, reason)
}

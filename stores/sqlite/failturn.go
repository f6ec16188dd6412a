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
	for _, p := range rows {
		if c.Retry {
			err = s.release(p, ms(c.RetryAt), now, c.Reason, code)
		} else {
			err = s.ack(p, now, c.Reason)
		}
		if err != nil {
			return out, err
		}
	}
	if !c.Retry && rows[0].binds() {
		if err := s.finish(rows[0].task, verdict{status: messages.Failed, code: code, text: c.Reason, at: now}); err != nil {
			return out, err
		}
	}
	if c.Next {
		out.Turn, err = s.next(c.Fence, now)
	}
	return out, err
}

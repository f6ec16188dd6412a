package sqlite

import (
	"kurogo/messages"
)

func (s *step) lease(c messages.Lease) (messages.Outcome, error) {
	if current, err := s.current(c.Fence); err != nil || !current {
		return messages.Outcome{Stale: true}, err
	}
	work, err := s.next(c.Fence, c.Reserve, ms(c.Now))
	return messages.Outcome{Turn: work}, err
}

// current reports whether the fence names the present life of its persona.
func (s *step) current(f messages.Fence) (ok bool, err error) {
	var one int
	return s.one(`SELECT 1 FROM personas WHERE name = ? AND epoch = ?`, []any{f.Persona, f.Epoch}, &one)
}

// next takes the row that has waited longest, all priorities considered; with an
// answer come the other answers to the same task. nil: nothing is ready, or the
// persona is stopped or has a turn already. Rows for which there is no money are
// parked on the way.
func (s *step) next(f messages.Fence, reserve, now int64) (*messages.Work, error) {
	for {
		rows, err := s.ready(f, now)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		reserved, why, err := s.reserve(rows[0].root, reserve, now)
		if err != nil {
			return nil, err
		}
		if why == "" {
			return s.hand(f, rows, reserved, now)
		}
		for _, p := range rows {
			if err := s.park(p, why, now); err != nil {
				return nil, err
			}
		}
	}
}

// ready finds the rows of the next turn.
func (s *step) ready(f messages.Fence, now int64) ([]parcel, error) {
	const ready = `d.to_agent = ?1 AND d.state = 'pending' AND d.held = 0 AND d.next_at <= ?2 AND (d.due_at = 0 OR d.due_at > ?2)`
	const idle = ` AND EXISTS(SELECT 1 FROM personas WHERE name = ?1 AND stopped = 0)
		AND NOT EXISTS(SELECT 1 FROM deliveries WHERE to_agent = ?1 AND state = 'inflight')`
	rows, err := s.parcels(`WHERE `+ready+idle+` ORDER BY d.rank, d.seq LIMIT 1`, f.Persona, now)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if first := rows[0]; first.kind == reply {
		others, err := s.parcels(`JOIN personas p ON p.name = d.to_agent WHERE `+ready+`
			AND d.kind = 'reply' AND d.task_id = ?3 AND d.seq <> ?4 AND p.gather = 'all' ORDER BY d.seq`, f.Persona, now, first.task, first.seq)
		if err != nil {
			return nil, err
		}
		rows = append(rows, others...)
	}
	return rows, nil
}

// hand gives the rows to the present life of their reader.
func (s *step) hand(f messages.Fence, rows []parcel, reserved, now int64) (*messages.Work, error) {
	work := &messages.Work{Reserved: reserved}
	for i, p := range rows {
		p.attempts++
		aside := int64(0)
		if i == 0 { // one turn, one reservation
			aside = reserved
		}
		if err := s.exec(`UPDATE deliveries SET state = 'inflight', attempts = ?, epoch = ?, leased_at = ?, next_at = 0, reserved = ? WHERE seq = ?`,
			p.attempts, f.Epoch, now, aside, p.seq); err != nil {
			return nil, err
		}
		if err := s.delivered(messages.MessageDelivered, p, now, ""); err != nil {
			return nil, err
		}
		p.message.Metadata.RetryCount = p.attempts - 1
		work.Rows = append(work.Rows, messages.Row{Seq: p.seq, Attempt: p.attempts})
		work.Messages = append(work.Messages, p.message)
	}
	var err error
	if work.Spent, err = s.spent(rows[0].root); err != nil {
		return nil, err
	}
	bound := rows[0].task
	if bound == "" {
		return work, nil
	}
	if work.Task, err = s.setStatus(bound, messages.Running, now); err != nil {
		return work, err
	}
	return work, s.begins(work, now)
}

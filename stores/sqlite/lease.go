package sqlite

import (
	"kurogo/messages"
)

func (s *step) lease(c messages.Lease) (messages.Outcome, error) {
	if current, err := s.current(c.Fence); err != nil || !current {
		return messages.Outcome{Stale: true}, err
	}
	work, err := s.next(c.Fence, ms(c.Now))
	return messages.Outcome{Turn: work}, err
}

// current reports whether the fence names the present life of its persona.
func (s *step) current(f messages.Fence) (ok bool, err error) {
	var one int
	return s.one(`SELECT 1 FROM personas WHERE name = ? AND epoch = ?`, []any{f.Persona, f.Epoch}, &one)
}

// next takes the row that has waited longest, all priorities considered; with an
// answer come the other answers to the same task. nil: nothing is ready, or the
// persona is stopped or has a turn already.
func (s *step) next(f messages.Fence, now int64) (*messages.Work, error) {
	var one int
	idle, err := s.one(`SELECT 1 FROM personas p WHERE name = ? AND stopped = 0
		AND NOT EXISTS(SELECT 1 FROM deliveries d WHERE d.to_agent = p.name AND d.state = 'inflight')`, []any{f.Persona}, &one)
	if err != nil || !idle {
		return nil, err
	}
	const ready = `d.to_agent = ?1 AND d.state = 'pending' AND d.held = 0 AND d.next_at <= ?2 AND (d.due_at = 0 OR d.due_at > ?2)`
	rows, err := s.parcels(`WHERE `+ready+` ORDER BY d.rank, d.seq LIMIT 1`, f.Persona, now)
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
	work := &messages.Work{}
	for _, p := range rows {
		p.attempts++
		if err := s.exec(`UPDATE deliveries SET state = 'inflight', attempts = ?, epoch = ?, leased_at = ?, next_at = 0 WHERE seq = ?`,
			p.attempts, f.Epoch, now, p.seq); err != nil {
			return nil, err
		}
		if err := s.delivered(messages.MessageDelivered, p, now, ""); err != nil {
			return nil, err
		}
		p.message.Metadata.RetryCount = p.attempts - 1
		work.Rows = append(work.Rows, messages.Row{Seq: p.seq, Attempt: p.attempts})
		work.Messages = append(work.Messages, p.message)
	}
	bound := rows[0].task
	if bound == "" {
		return work, nil
	}
	if err := s.setStatus(bound, messages.Running, now); err != nil {
		return nil, err
	}
	if work.Task, _, err = s.task(bound); err != nil {
		return nil, err
	}
	_, err = s.one(`SELECT messages FROM tasks WHERE id = ?`, []any{work.Task.Root}, &work.Spent)
	return work, err
}

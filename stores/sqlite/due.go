package sqlite

import (
	"fmt"

	"kurogo/messages"
)

// dueNow does what the clock demands, whether or not an owner lives, and says
// when to come again.
func (s *step) dueNow(c messages.Due) (out messages.Outcome, err error) {
	now := ms(c.Now)
	expired, err := s.parcels(`WHERE d.state = 'pending' AND d.due_at > 0 AND d.due_at <= ? ORDER BY d.due_at, d.seq`, now)
	if err != nil {
		return out, err
	}
	for _, p := range expired {
		why := fmt.Sprintf("the message expired unread after its ttl of %d s", p.message.Metadata.TTL)
		if err := s.bury(p, "expired", verdict{status: messages.Failed, code: messages.CodeDeadline, text: why, at: now}); err != nil {
			return out, err
		}
	}
	late, err := s.strings(`SELECT id FROM tasks WHERE deadline_at > 0 AND deadline_at <= ? AND status IN('queued','running','waiting') ORDER BY deadline_at, num`, now)
	if err != nil {
		return out, err
	}
	for _, id := range late {
		if err := s.finish(messages.TaskID(id), verdict{status: messages.TimedOut, code: messages.CodeDeadline, text: "the deadline of the task has passed", at: now}); err != nil {
			return out, err
		}
	}
	rested, err := s.strings(`UPDATE deliveries SET state = 'pending', parked = '', next_at = 0 WHERE state IN('pending','parked') AND next_at > 0 AND next_at <= ? RETURNING to_agent`, now)
	if err != nil {
		return out, err
	}
	for _, who := range rested {
		s.wake(messages.Address(who))
	}
	var next int64
	_, err = s.one(`SELECT ifnull(min(at), 0) FROM (
		SELECT min(due_at) AS at FROM deliveries WHERE state = 'pending' AND due_at > 0
		UNION ALL SELECT min(next_at) FROM deliveries WHERE state IN('pending','parked') AND next_at > 0
		UNION ALL SELECT min(deadline_at) FROM tasks WHERE deadline_at > 0 AND status IN('queued','running','waiting'))`, nil, &next)
	out.Next = fromMS(next)
	return out, err
}

package sqlite

import (
	"slices"

	"kurogo/messages"
)

// answerSlack is how much earlier than its parent a sub-task must be done, so
// that the parent can still answer.
const answerSlack = 5_000

func (s *step) endTurn(c messages.EndTurn) (out messages.Outcome, err error) {
	rows, ok, err := s.held(c.Fence, c.Rows)
	if err != nil || !ok {
		return messages.Outcome{Stale: true}, err
	}
	now := ms(c.Now)
	for _, p := range rows {
		if err := s.ack(p, now, ""); err != nil {
			return out, err
		}
	}
	if err := s.exec(`UPDATE personas SET session = ?, border = ?, billed = ? WHERE name = ?`, c.Session, c.Border, c.Bill.Billed, c.Persona); err != nil {
		return out, err
	}
	if err := s.settle(rows, c.Bill, now); err != nil {
		return out, err
	}
	t, bound, err := s.task(rows[0].task)
	if err != nil {
		return out, err
	}
	end := verdict{status: messages.Completed, text: c.Text, thinking: c.Thinking, at: now}
	explicit := false
	for _, m := range c.Sends {
		m.From = c.Persona
		if bound && m.Type.Answers() && m.To == t.Requester {
			explicit = true
			end.text, end.thinking = m.Content, m.Thinking
			if m.Type == messages.TaskFailed {
				end.status, end.code = messages.Failed, messages.CodeInternal
			}
			continue
		}
		if err := s.send(m, t, rows[0], now); err != nil {
			return out, err
		}
	}
	if bound && !t.Status.Final() {
		open, err := s.open(t.ID)
		end.alone = open == 0
		switch {
		case err != nil:
		case explicit || end.alone:
			err = s.finish(t.ID, end)
		default:
			_, err = s.setStatus(t.ID, messages.Waiting, now)
		}
		if err != nil {
			return out, err
		}
	}
	if c.Next {
		out.Turn, err = s.next(c.Fence, c.Reserve, now)
	}
	return out, err
}

// held reads the rows of a turn; ok is false unless all of them are in flight
// under exactly this epoch and these attempts. (Nothing is in flight under an
// old epoch, so the present one need not be looked up.)
func (s *step) held(f messages.Fence, rows []messages.Row) (out []parcel, ok bool, err error) {
	for _, r := range rows {
		one, err := s.parcels(`WHERE d.seq = ? AND d.to_agent = ? AND d.state = 'inflight' AND d.epoch = ? AND d.attempts = ?`, r.Seq, f.Persona, f.Epoch, r.Attempt)
		if err != nil || len(one) == 0 {
			return nil, false, err
		}
		out = append(out, one[0])
	}
	return out, len(out) > 0, nil
}

// ack ends a row that was read. An answer counts as consumed only now.
func (s *step) ack(p parcel, now int64, fault string) error {
	if err := s.exec(`UPDATE deliveries SET state = 'acked', ended_at = ?, error = ? WHERE seq = ?`, now, fault, p.seq); err != nil {
		return err
	}
	if p.kind == reply {
		if err := s.exec(`UPDATE tasks SET consumed = 1 WHERE id = ?`, p.answers); err != nil {
			return err
		}
	}
	s.log(now, p.message, float64(now-p.leased), messages.LogInfo, fault)
	return s.delivered(messages.MessageAcked, p, now, fault)
}

// send releases one staged message of a turn on t, which cause began.
// What has become impossible since it was staged comes back to its sender; it
// never fails the turn.
func (s *step) send(m messages.CCMessage, t messages.Task, cause parcel, now int64) error {
	if t.ID == "" || t.Status.Final() {
		return s.sendLoose(m, t, cause, now)
	}
	m.Metadata.TaskID = t.ID
	if m.Type != messages.TaskRequest {
		l := letter{CCMessage: m, kind: note, root: cause.root}
		if m.Type == messages.TaskResponse && m.To == t.Requester {
			l.bound, l.ReplyTo = string(t.Parent), t.Request
		}
		return s.sendNote(l, cause, now)
	}
	child := task{parent: t.ID, root: t.Root, requester: m.From, owner: m.To, request: m.ID, depth: t.Depth + 1}
	if !t.Deadline.IsZero() {
		child.deadline = ms(t.Deadline) - answerSlack
	}
	why, err := s.impossible(m, t, child, now)
	if err != nil {
		return err
	}
	id, err := s.newTask(child, now)
	if err != nil {
		return err
	}
	if err := s.holdAnswers(t); err != nil {
		return err
	}
	m.Metadata.TaskID = id
	l := letter{CCMessage: m, kind: request, bound: string(id), root: string(t.Root)}
	if why != nil {
		l.born = "acked"
	}
	if err := s.post(l, now); err != nil {
		return err
	}
	if why != nil {
		return s.finish(id, verdict{status: messages.Failed, code: why.Code, text: why.Error(), at: now})
	}
	return s.told(id, now)
}

// holdAnswers keeps answers that are ready but unread for the sub-task that was
// just asked for, so that they are handed over together. (A turn on a
// task_response can ask for more while they wait.)
func (s *step) holdAnswers(t messages.Task) error {
	return s.exec(`UPDATE deliveries SET held = 1 WHERE task_id = ? AND state = 'pending' AND kind = 'reply'
		AND (SELECT gather FROM personas WHERE name = to_agent) = 'all'`, t.ID)
}

// impossible checks a request against everything that may have changed since it
// was staged.
func (s *step) impossible(m messages.CCMessage, t messages.Task, child task, now int64) (*messages.Error, error) {
	open, err := s.open(t.ID)
	if err != nil {
		return nil, err
	}
	spent, err := s.spent(string(t.Root))
	if err != nil {
		return nil, err
	}
	if e := s.limits.Refuse(child.depth, open, spent); e != nil {
		return e, nil
	}
	if child.deadline > 0 && child.deadline <= now {
		return messages.Errorf(messages.CodeDeadline, "the deadline of the task leaves no time for a sub-task"), nil
	}
	return refusal(s.room(m.To))
}

// refusal separates a refusal, which is an answer, from a fault of the store.
func refusal(err error) (*messages.Error, error) {
	if err == nil {
		return nil, nil
	}
	if e := messages.AsError(err); slices.Contains([]messages.Code{messages.CodeBusy, messages.CodeNotFound}, e.Code) {
		return e, nil
	}
	return nil, err
}

// sendNote posts a message that asks for nothing. If that has become impossible,
// the sender gets an error in its place; but not if it was at such an error that
// it sent, or the two would go on for ever.
func (s *step) sendNote(l letter, cause parcel, now int64) error {
	why, err := refusal(s.room(l.To))
	if err != nil {
		return err
	}
	spent, err := s.spent(l.root)
	if err != nil {
		return err
	}
	if e := s.limits.Refuse(0, 0, spent); e != nil {
		why = e
	}
	if why == nil {
		return s.post(l, now)
	}
	s.log(now, l.CCMessage, 0, messages.LogErr, why.Error())
	if cause.message.From == messages.System {
		return nil
	}
	return s.post(letter{CCMessage: messages.CCMessage{
		ID: messages.MessageID(s.newID()), From: messages.System, To: l.From, Type: messages.TypeError, ReplyTo: l.ID,
		Content: "your " + string(l.Type) + " to " + string(l.To) + " could not be delivered: " + why.Error(),
	}, kind: note, root: l.root}, now)
}

// sendLoose handles the sends of a turn without a living task: after a cancel
// they are recorded and wake nobody; a turn on a note may send notes only.
func (s *step) sendLoose(m messages.CCMessage, t messages.Task, cause parcel, now int64) error {
	l := letter{CCMessage: m, kind: note, root: cause.root}
	if t.ID != "" {
		l.born = "acked"
		l.Metadata.TaskID = t.ID
		return s.post(l, now)
	}
	return s.sendNote(l, cause, now)
}

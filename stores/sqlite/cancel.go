package sqlite

import "kurogo/messages"

func (s *step) cancel(c messages.Cancel) (messages.Outcome, error) {
	t, ok, err := s.task(c.Task)
	if err != nil {
		return messages.Outcome{}, err
	}
	if !ok {
		return messages.Outcome{}, noTask(c.Task)
	}
	reason := "cancelled"
	if c.Reason != "" {
		reason += ": " + c.Reason
	}
	return messages.Outcome{}, s.finish(t.ID, verdict{status: messages.Cancelled, code: messages.CodeCancelled, text: reason, at: ms(c.Now)})
}

func noTask(id messages.TaskID) error {
	return messages.Errorf(messages.CodeNotFound, "there is no task %s", id).Try("see kurogo tasks")
}

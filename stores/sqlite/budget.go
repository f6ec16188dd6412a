package sqlite

import (
	"database/sql"
	"time"

	"kurogo/messages"
)

// A purse is how much one budget still holds.
type purse struct{ limit, spent, reserved int64 }

// left is what a turn may still reserve; why says what to do if it is nothing.
func (b purse) left(spent messages.Parking) (int64, messages.Parking) {
	switch {
	case b.limit == 0:
		return 1 << 62, ""
	case b.spent >= b.limit:
		return 0, spent
	case b.spent+b.reserved >= b.limit:
		return 0, messages.ParkedReserved
	}
	return b.limit - b.spent - b.reserved, ""
}

// reserve sets money aside for a turn that may cost at most ask; no money, no
// turn. It returns what it set aside, or why the row must be parked. A turn that
// costs nothing (ask 0) needs none.
func (s *step) reserve(root string, ask, now int64) (int64, messages.Parking, error) {
	if ask == 0 || s.limits.TaskMicros == 0 && s.limits.DayMicros == 0 {
		return 0, "", nil
	}
	day, err := s.dayPurse(now)
	if err != nil {
		return 0, "", err
	}
	task, err := s.taskPurse(root)
	if err != nil {
		return 0, "", err
	}
	left, why := task.left(messages.ParkedTask)
	if why != "" {
		return 0, why, nil
	}
	today, why := day.left(messages.ParkedDay)
	return min(ask, left, today), why, nil
}

func (s *step) taskPurse(root string) (b purse, err error) {
	if root == "" || s.limits.TaskMicros == 0 {
		return b, nil
	}
	_, err = s.one(`SELECT granted + ?2, (SELECT ifnull(sum(micros), 0) FROM spending WHERE root_id = ?1),
		(SELECT ifnull(sum(d.reserved), 0) FROM deliveries d JOIN tasks t ON t.id = d.task_id WHERE d.state = 'inflight' AND t.root_id = ?1)
		FROM tasks WHERE id = ?1`, []any{root, s.limits.TaskMicros}, &b.limit, &b.spent, &b.reserved)
	return b, err
}

func (s *step) dayPurse(now int64) (b purse, err error) {
	if s.limits.DayMicros == 0 {
		return b, nil
	}
	_, err = s.one(`SELECT ?2 + ifnull((SELECT micros FROM grants WHERE day = ?1), 0), (SELECT ifnull(sum(micros), 0) FROM spending WHERE day = ?1),
		(SELECT ifnull(sum(reserved), 0) FROM deliveries WHERE state = 'inflight')`, []any{day(now), s.limits.DayMicros}, &b.limit, &b.spent, &b.reserved)
	return b, err
}

// park puts a row aside. A day's budget comes back by itself.
func (s *step) park(p parcel, why messages.Parking, now int64) error {
	at := int64(0)
	if err := s.asks(p, why, now); err != nil {
		return err
	}
	if why == messages.ParkedDay {
		at = tomorrow(now)
		s.dueAt(at)
	}
	if err := s.exec(`UPDATE deliveries SET state = 'parked', parked = ?, next_at = ? WHERE seq = ?`, why, at, p.seq); err != nil {
		return err
	}
	return s.delivered(messages.MessageParked, p, now, "no money: "+string(why))
}

// asks tells that a person's word is wanted, with the first row that waits for it.
func (s *step) asks(p parcel, why messages.Parking, now int64) error {
	a := messages.Approval{Kind: why, Waiting: 1, Since: fromMS(now)}
	id := string(why)
	var before int
	var held purse
	var err error
	switch why { //nolint:exhaustive // the others wait for themselves, or for an answer of their own
	case messages.ParkedDay:
		if _, err = s.one(`SELECT count(*) FROM deliveries WHERE state = 'parked' AND parked = 'day'`, nil, &before); err == nil {
			held, err = s.dayPurse(now)
		}
	case messages.ParkedTask:
		a.Task, id = messages.TaskID(p.root), p.root
		t, _, wrong := s.task(a.Task)
		if wrong != nil {
			return wrong
		}
		a.Content = brief(t).Content
		if _, err = s.one(`SELECT count(*) FROM deliveries d JOIN tasks t ON t.id = d.task_id WHERE d.state = 'parked' AND d.parked = 'task' AND t.root_id = ?`, []any{p.root}, &before); err == nil {
			held, err = s.taskPurse(p.root)
		}
	case messages.ParkedReserved, messages.ParkedRate: // they wait for themselves
		return nil
	}
	if err != nil || before > 0 {
		return err
	}
	a.Spent, a.Limit = held.spent, held.limit
	return s.emit(now, messages.ApprovalAsked, id, a.Task, a.Task, a)
}

// settle writes down what a turn cost, gives back what it had reserved, and lets
// those try again who waited for that.
func (s *step) settle(rows []parcel, b messages.Bill, now int64) error {
	if s.limits.TaskMicros > 0 || s.limits.DayMicros > 0 {
		for _, p := range rows {
			if err := s.exec(`UPDATE deliveries SET reserved = 0 WHERE seq = ? AND reserved > 0`, p.seq); err != nil {
				return err
			}
		}
		if _, err := s.unpark(`parked = 'reserved'`); err != nil {
			return err
		}
	}
	if b.Empty() || len(rows) == 0 {
		return nil
	}
	t, _, err := s.task(rows[0].task)
	if err != nil {
		return err
	}
	return s.exec(`INSERT INTO spending(at, day, persona, driver, model, task_id, root_id, micros, input_tokens, output_tokens, cached_tokens) VALUES(?,?,?,?,?,?,?,?,?,?,?)`,
		now, day(now), rows[0].message.To, b.Driver, b.Model, null(string(t.ID)), null(string(t.Root)), b.Micros, b.InputTokens, b.OutputTokens, b.CachedTokens)
}

// unpark releases rows and wakes their readers.
func (s *step) unpark(where string, args ...any) (int, error) {
	n := 0
	err := s.each(`UPDATE deliveries SET state = 'pending', parked = '', next_at = 0 WHERE state = 'parked' AND `+where+` RETURNING to_agent, due_at`, args, func(r *sql.Rows) error {
		var who messages.Address
		var due int64
		err := r.Scan(&who, &due)
		s.wake(who)
		s.dueAt(due) // its ttl counts again
		n++
		return err
	})
	return n, err
}

func (s *step) resume(c messages.Resume) (out messages.Outcome, err error) {
	if c.Task == "" {
		out.Resumed.Granted = c.Micros
		if c.Micros == 0 {
			out.Resumed.Granted = s.limits.DayMicros
		}
		if err = s.exec(`INSERT INTO grants(day, micros) VALUES(?1, ?2) ON CONFLICT(day) DO UPDATE SET micros = micros + ?2`, day(ms(c.Now)), out.Resumed.Granted); err != nil {
			return out, err
		}
		if out.Resumed.Released, err = s.unpark(`parked = 'day'`); err != nil {
			return out, err
		}
		return out, s.emit(ms(c.Now), messages.ApprovalAnswered, string(messages.ParkedDay), "", "", out.Resumed)
	}
	t, ok, err := s.task(c.Task)
	if err != nil {
		return out, err
	}
	if !ok {
		return out, noTask(c.Task)
	}
	out.Resumed.Granted = c.Micros
	if c.Micros == 0 {
		out.Resumed.Granted = s.limits.TaskMicros
	}
	if err := s.exec(`UPDATE tasks SET granted = granted + ? WHERE id = ?`, out.Resumed.Granted, t.Root); err != nil {
		return out, err
	}
	if out.Resumed.Released, err = s.unpark(`parked = 'task' AND task_id IN(SELECT id FROM tasks WHERE root_id = ?)`, t.Root); err != nil {
		return out, err
	}
	return out, s.emit(ms(c.Now), messages.ApprovalAnswered, string(t.Root), t.Root, t.Root, out.Resumed)
}

// day names the local day of a time in unix milliseconds: budgets follow the
// calendar on the wall.
func day(at int64) string { return time.UnixMilli(at).Format(time.DateOnly) }

// tomorrow is the first millisecond of the day after.
func tomorrow(at int64) int64 {
	t := time.UnixMilli(at)
	return time.Date(t.Year(), t.Month(), t.Day()+1, 0, 0, 0, 0, t.Location()).UnixMilli()
}

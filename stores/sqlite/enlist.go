package sqlite

import (
	"slices"

	"kurogo/messages"
)

// enlist makes the crew what the configuration says. Epochs and sessions of
// whoever stays are kept.
func (s *step) enlist(c messages.Enlist) (out messages.Outcome, err error) {
	var stay []string
	for _, p := range c.Crew {
		gather := p.Gather
		if gather == "" {
			gather = messages.All
		}
		if err := s.exec(`INSERT INTO personas(name, reports_to, gather) VALUES(?1, ?2, ?3)
			ON CONFLICT(name) DO UPDATE SET reports_to = ?2, gather = ?3`, p.Name, p.ReportsTo, gather); err != nil {
			return out, err
		}
		stay = append(stay, string(p.Name))
	}
	known, err := s.strings(`SELECT name FROM personas WHERE name NOT LIKE 'agent:%' ORDER BY name`)
	if err != nil {
		return out, err
	}
	for _, name := range known {
		if !slices.Contains(stay, name) {
			if err := s.dismiss(name, ms(c.Now)); err != nil {
				return out, err
			}
		}
	}
	return out, s.putAway(ms(c.Now))
}

// putAway ends the turns of agents that had ended when their owner fell before
// it could: nobody will come for them, and they hold money.
func (s *step) putAway(now int64) error {
	rows, err := s.parcels(`WHERE d.state = 'inflight' AND NOT EXISTS(SELECT 1 FROM personas p WHERE p.name = d.to_agent)`)
	if err != nil {
		return err
	}
	for _, p := range rows {
		if err := s.settle([]parcel{p}, messages.Bill{}, now); err != nil {
			return err
		}
		if err := s.exec(`UPDATE deliveries SET state = 'cancelled', ended_at = ? WHERE seq = ?`, now, p.seq); err != nil {
			return err
		}
	}
	return nil
}

// dismiss fails what somebody owed who is no longer there, from the top down, so
// that a task below has nobody left to answer.
func (s *step) dismiss(name string, now int64) error {
	owed, err := s.strings(`SELECT id FROM tasks WHERE owner = ? AND status NOT IN('completed','failed','cancelled','timed_out') ORDER BY depth, num`, name)
	if err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM personas WHERE name = ?`, name); err != nil {
		return err
	}
	for _, id := range owed {
		if err := s.finish(messages.TaskID(id), verdict{status: messages.Failed, code: messages.CodeNotFound, text: name + " is no longer in the crew", at: now}); err != nil {
			return err
		}
	}
	return s.exec(`UPDATE deliveries SET state = 'cancelled', ended_at = ?, error = 'no longer in the crew' WHERE to_agent = ? AND state IN('pending','inflight','parked')`, now, name)
}

func stranger(name messages.Address) error {
	return messages.Errorf(messages.CodeNotFound, "nobody is called %s", name).Try("see kurogo crew")
}

package sqlite

import (
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
)

func (s *step) openGroup(c messages.OpenGroup) (out messages.Outcome, err error) {
	if c.Key != "" {
		var id messages.GroupID
		ok, err := s.one(`SELECT id FROM groups WHERE created_by = ? AND idem_key = ?`, []any{c.By, c.Key}, &id)
		if err != nil {
			return out, err
		}
		if ok {
			if out.Group, _, err = s.group(id); err == nil && out.Group.Description != c.Description {
				err = otherwise(string(id))
			}
			return out, err
		}
	}
	id, err := s.handle("grp", c.Now, func(id string) (bool, error) {
		n, err := s.changed(`INSERT INTO groups(id, description, created_by, idem_key, created_at) VALUES(?,?,?,?,?) ON CONFLICT(id) DO NOTHING`,
			id, c.Description, c.By, null(c.Key), ms(c.Now))
		return n == 1, err
	})
	if err != nil {
		return out, err
	}
	if out.Group, _, err = s.group(messages.GroupID(id)); err != nil {
		return out, err
	}
	return out, s.emit(ms(c.Now), messages.GroupCreated, id, "", "", out.Group)
}

// otherwise refuses a key that has been used for something else.
func otherwise(id string) error {
	return messages.Errorf(messages.CodeConflict, "this idempotency_key made %s from another request", id).Try("use a new idempotency_key")
}

// handle draws an id in the documents' form, prefix-unix-hex, until take has it:
// sixteen bits alone clash, so after eight draws it has thirty-two.
func (s *step) handle(prefix string, now time.Time, take func(id string) (bool, error)) (string, error) {
	stem := prefix + "-" + strconv.FormatInt(now.Unix(), 10) + "-"
	for draw := 0; ; draw++ {
		digits := 4
		if draw >= 8 {
			digits = 8
		}
		id := stem + s.hex(digits)
		if ok, err := take(id); ok || err != nil {
			return id, err
		}
	}
}

func (s *step) closeGroup(c messages.CloseGroup) (out messages.Outcome, err error) {
	if err := s.active(c.Group); err != nil {
		return out, err
	}
	open, err := s.strings(`SELECT id FROM agents WHERE group_id = ? AND status IN('queued','running') ORDER BY num LIMIT 101`, c.Group)
	if err != nil {
		return out, err
	}
	if len(open) > 0 {
		list := strings.Join(open[:min(len(open), 100)], ", ")
		return out, messages.Errorf(messages.CodeConflict, "agents of %s have not ended: %s", c.Group, list).Try("wait for them with wait_agent, or cancel them with cancel_agent")
	}
	if err := s.exec(`UPDATE groups SET status = 'deleted', deleted_at = ? WHERE id = ?`, ms(c.Now), c.Group); err != nil {
		return out, err
	}
	if out.Group, _, err = s.group(c.Group); err != nil {
		return out, err
	}
	return out, s.emit(ms(c.Now), messages.GroupRemoved, string(c.Group), "", "", out.Group)
}

// active refuses a group that takes no agents any more.
func (s *step) active(id messages.GroupID) error {
	g, ok, err := s.group(id)
	switch {
	case err != nil:
		return err
	case !ok:
		return noGroup(id)
	case g.Status == messages.GroupDeleted:
		return messages.Errorf(messages.CodeConflict, "group %s is deleted", id).Try("create another with create_group")
	}
	return nil
}

func noGroup(id messages.GroupID) error {
	e := messages.Errorf(messages.CodeNotFound, "there is no group %q", id).Try("create one with create_group, or see kurogo group list")
	e.Field = "groupId"
	return e
}

const groupColumns = `g.id, g.description, g.status, g.created_by, g.created_at, g.deleted_at`

func scanGroup(scan func(...any) error) (g messages.Group, err error) {
	var created, deleted int64
	err = scan(&g.ID, &g.Description, &g.Status, &g.CreatedBy, &created, &deleted)
	g.CreatedAt, g.DeletedAt = fromMS(created), fromMS(deleted)
	return g, err
}

func (s *step) group(id messages.GroupID) (g messages.Group, ok bool, err error) {
	var created, deleted int64
	ok, err = s.one(`SELECT `+groupColumns+` FROM groups g WHERE g.id = ?`, []any{id}, &g.ID, &g.Description, &g.Status, &g.CreatedBy, &created, &deleted)
	g.CreatedAt, g.DeletedAt = fromMS(created), fromMS(deleted)
	return g, ok, err
}

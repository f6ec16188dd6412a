package actors

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// replaceRoles gives the checkup other roles.
type replaceRoles struct{ roles map[string]messages.Role }

// role is what an agent of this role begins with now.
func (c Company) role(id string) (messages.Role, bool) {
	r, ok := c.book()[id]
	return r, ok
}

// book holds the roles as they are now: those that somebody put in place of the
// first ones, or these.
func (c Company) book() map[string]messages.Role {
	if c.Listed != nil {
		if now := c.Listed.book.Load(); now != nil {
			return *now
		}
	}
	return c.Roles
}

// ReplaceRoles puts other roles in the place of all that there are. Agents that
// have begun go on as what they are; whoever begins later is the new one. What has
// changed is checked anew, and config:updated tells of it.
func (d *AgentDesk) ReplaceRoles(ctx context.Context, roles []messages.Role) error {
	word := replaceRoles{map[string]messages.Role{}}
	for id, r := range d.book() {
		if r.Hidden { // it works for jobs, and nobody has edited it
			word.roles[id] = r
		}
	}
	for _, r := range roles {
		word.roles[r.ID] = r
	}
	future := d.Root.RequestFuture(d.Checkup, word, patience)
	done := make(chan error, 1)
	go func() {
		_, err := future.Result()
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return messages.Errorf(messages.CodeUnavailable, "the roles could not be replaced: %v", err).Try("they take effect when kurogo starts again")
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// replace takes other roles over, and checks those that are new or different.
func (k *Checkup) replace(c actor.Context, m replaceRoles) {
	k.Listed.book.Store(&m.roles)
	var changed []string
	for _, id := range slices.Sorted(maps.Keys(k.states)) {
		if _, stays := m.roles[id]; !stays {
			k.dismiss(c, id)
			delete(k.states, id)
			k.release(c, id)
			k.told(id, nil)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.roles)) {
		s, known := k.states[id]
		if known && reflect.DeepEqual(s.Role, m.roles[id]) {
			continue
		}
		k.dismiss(c, id)
		k.states[id] = &messages.RoleState{Role: m.roles[id]}
		k.forget(id)
		k.told(id, k.states[id])
		changed = append(changed, id)
	}
	k.Roles = m.roles
	c.Respond(messages.Done{})
	k.begin(c, changed)
}

// told tells of a role that has changed; nil is one that has gone.
func (k *Checkup) told(id string, s *messages.RoleState) {
	var data any = json.RawMessage("null")
	if s != nil {
		data = *s
	}
	k.observe(messages.ConfigUpdated, id, data)
}

// dismiss ends a check of what a role was before.
func (k *Checkup) dismiss(c actor.Context, id string) {
	k.queue = slices.DeleteFunc(k.queue, func(waiting string) bool { return waiting == id })
	for _, p := range k.patient {
		if p.role == id && !p.done {
			p.done = true
			p.watch.off()
			c.Stop(p.life)
		}
	}
}

// asked says whether a role's prompt is on, or will be.
func (k *Checkup) asked(id string) bool {
	for _, p := range k.patient {
		if p.role == id && !p.done {
			return true
		}
	}
	return slices.Contains(k.queue, id)
}

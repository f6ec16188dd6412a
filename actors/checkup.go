package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Checkup finds out in the background which roles can be run: whether their
// driver is there, whether it has their model, and whether the model answers.
// Agents of a role of which it is not yet known wait here.
type Checkup struct {
	Company
	states  map[string]*messages.RoleState
	caps    map[string]messages.Caps // by driver
	asleep  map[string][]*actor.PID  // who waits for a role
	queue   []string                 // roles whose prompt is to be asked
	patient map[int]*patient         // by the number of its life
	n       int                      // counts lives
}

// The words around a checkup.
type (
	awaitRole struct{ role string }
	roleKnown struct {
		available bool
		reason    string
	}
	probed struct {
		driver string
		caps   messages.Caps
		err    error
	}
	tooLong struct {
		life int
		gen  int
	}
)

const (
	checkupsMost   = 2 // at a time: starting a CLI is work for a machine
	probeTimeout   = 30 * time.Second
	checkupTimeout = 60 * time.Second // to the answer
)

// NewCheckup returns the checkup of a company's roles.
func NewCheckup(c Company) *Checkup {
	k := &Checkup{
		Company: c, states: map[string]*messages.RoleState{}, caps: map[string]messages.Caps{},
		asleep: map[string][]*actor.PID{}, patient: map[int]*patient{},
	}
	k.Roles = c.book()
	for id, role := range k.Roles {
		k.states[id] = &messages.RoleState{Role: role}
		k.forget(id)
	}
	return k
}

func (k *Checkup) forget(role string) {
	s := k.states[role]
	s.Available = true
	s.Health = messages.HealthCheck{Status: messages.HealthChecking}
	s.Validity = messages.ModelValidation{Status: messages.ModelUnknown}
}

// Receive implements [actor.Actor].
func (k *Checkup) Receive(c actor.Context) {
	if _, asks := c.Message().(messages.ListRoles); !asks {
		k.Listed.Store(nil) // it may change something
	}
	switch m := c.Message().(type) {
	case *actor.Started:
		k.begin(c, slices.Sorted(maps.Keys(k.states)))
	case awaitRole:
		k.await(c, m)
	case messages.ListRoles:
		all := k.roles(m.Prompts)
		if !m.Prompts {
			k.Listed.Store(&all)
		}
		c.Respond(all)
	case messages.CheckRoles:
		k.ordered(c, m)
	case replaceRoles:
		k.replace(c, m)
	case probed:
		k.probed(c, m)
	case born:
	case happened:
		k.happened(c, m)
	case tooLong:
		if p, ok := k.patient[m.life]; ok && p.watch.gen == m.gen {
			k.found(c, p, fmt.Sprintf("no answer within %s", checkupTimeout))
		}
	case *actor.Terminated:
		k.buried(c, m.Who)
	case *actor.Stopping:
		for _, p := range k.patient {
			p.watch.off()
		}
	}
}

func (k *Checkup) await(c actor.Context, m awaitRole) {
	s, ok := k.states[m.role]
	if ok && s.Health.Status == messages.HealthChecking {
		k.asleep[m.role] = append(k.asleep[m.role], c.Sender())
		return
	}
	c.Respond(k.known(m.role))
}

func (k *Checkup) known(role string) roleKnown {
	s, ok := k.states[role]
	if !ok {
		return roleKnown{reason: fmt.Sprintf("there is no role %q", role)}
	}
	return roleKnown{available: s.Available, reason: Unavailable(*s)}
}

// Unavailable says why a role cannot be run, "" if it can.
func Unavailable(s messages.RoleState) string {
	switch {
	case s.Available:
		return ""
	case s.Validity.Status == messages.ModelInvalid:
		why := s.Validity.Message
		if models := s.Validity.AvailableModels; len(models) > 0 {
			why += "; it has " + strings.Join(models[:min(len(models), 20)], ", ")
		}
		return why
	}
	return s.Health.Reason
}

func (k *Checkup) roles(prompts bool) messages.Roles {
	out := messages.Roles{Roles: make([]messages.RoleState, 0, len(k.states))}
	for _, id := range slices.Sorted(maps.Keys(k.states)) {
		s := *k.states[id]
		if s.Hidden {
			continue
		}
		if !prompts {
			s.SystemPrompt, s.HealthPrompt = "", ""
		}
		out.Roles = append(out.Roles, s)
		if k.states[id].Health.Status == messages.HealthChecking {
			out.Checking++
		}
	}
	return out
}

// ordered checks a role anew.
func (k *Checkup) ordered(c actor.Context, m messages.CheckRoles) {
	roles := slices.Sorted(maps.Keys(k.states))
	if m.Role != "" {
		if _, ok := k.states[m.Role]; !ok {
			c.Respond(*noRole(m.Role, k.Roles))
			return
		}
		roles = []string{m.Role}
	}
	c.Respond(messages.Done{})
	roles = slices.DeleteFunc(roles, func(id string) bool { return k.states[id].Health.Status == messages.HealthChecking })
	for _, id := range roles {
		k.forget(id)
	}
	k.begin(c, roles)
}

// begin asks the drivers of these roles what they can do.
func (k *Checkup) begin(c actor.Context, roles []string) {
	asked := map[string]bool{}
	for _, id := range roles {
		driver := k.states[id].Driver
		if asked[driver] {
			continue
		}
		asked[driver] = true
		probe := k.Crafts[driver].Probe
		if probe == nil {
			c.Send(c.Self(), probed{driver: driver, err: messages.Errorf(messages.CodeUnavailable, "there is no driver %q", driver).Try("name another in roles." + id + ".driver")})
			continue
		}
		root, self := c.ActorSystem().Root, c.Self()
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
			defer cancel()
			caps, err := probe(ctx)
			root.Send(self, probed{driver, caps, err})
		}()
	}
}

// probed validates the models of a driver's roles, and lines up those whose
// prompt must be asked.
func (k *Checkup) probed(c actor.Context, m probed) {
	k.caps[m.driver] = m.caps
	now := k.Clock.Now()
	for _, id := range slices.Sorted(maps.Keys(k.states)) {
		s := k.states[id]
		if s.Driver != m.driver || s.Health.Status != messages.HealthChecking {
			continue
		}
		if k.asked(id) { // of two answers of one driver the second says nothing new
			continue
		}
		s.Validity = validate(s.Model, m.caps, now)
		switch {
		case m.err != nil:
			s.Validity.Status, s.Validity.Message = messages.ModelUnknown, "the driver is not available"
			k.decide(c, id, messages.HealthCheck{Status: messages.HealthSkipped, Reason: messages.AsError(m.err).Error(), CheckedAt: now}, false)
		case s.Validity.Status == messages.ModelInvalid:
			k.decide(c, id, messages.HealthCheck{Status: messages.HealthSkipped, Reason: "its model is not valid", CheckedAt: now}, false)
		case k.Health == HealthOff || s.HealthPrompt == "":
			k.decide(c, id, messages.HealthCheck{Status: messages.HealthSkipped, Reason: "health_check is off", CheckedAt: now}, true)
		default:
			k.observe(messages.ModelValidated, id, *s)
			if known := k.remembered(id); known.Status == messages.HealthPassed {
				k.decide(c, id, known, true)
			} else {
				k.queue = append(k.queue, id)
			}
		}
	}
	k.next(c)
}

func validate(model string, caps messages.Caps, now time.Time) messages.ModelValidation {
	v := messages.ModelValidation{Status: messages.ModelUnknown, CheckedAt: now, AvailableModels: caps.Models}
	switch {
	case model == "":
		v.Status, v.Message = messages.ModelValid, "the driver's own"
	case len(caps.Models) == 0:
		v.Message = "the driver cannot tell which models it has"
	case slices.Contains(caps.Models, model):
		v.Status = messages.ModelValid
	default:
		v.Status, v.Message = messages.ModelInvalid, fmt.Sprintf("the model %q is not available", model)
	}
	return v
}

// key says what a check's answer depends on.
func (k *Checkup) key(id string) string {
	s := k.states[id]
	return strings.Join([]string{s.Driver, k.caps[s.Driver].Version, s.Model, s.HealthPrompt}, "\n")
}

func (k *Checkup) remembered(id string) messages.HealthCheck {
	if k.Health != HealthCached {
		return messages.HealthCheck{}
	}
	known, err := k.Archive.Health(context.Background(), k.key(id))
	if err != nil {
		k.Log.Warn("read health", "role", id, "err", err)
	}
	return known
}

// decide tells everybody who waits what is now known of a role.
func (k *Checkup) decide(c actor.Context, id string, h messages.HealthCheck, available bool) {
	s := k.states[id]
	s.Health, s.Available = h, available
	if !available {
		k.Log.Warn("role cannot be run", "role", id, "reason", Unavailable(*s))
	}
	if !s.Hidden {
		k.observe(messages.RoleChecked, id, *s)
	}
	k.release(c, id)
	if all := k.roles(false); all.Checking == 0 {
		k.observe(messages.HealthChecked, string(messages.System), all)
	}
}

// release tells those who wait for a role what is known of it.
func (k *Checkup) release(c actor.Context, id string) {
	for _, pid := range k.asleep[id] {
		c.Send(pid, k.known(id))
	}
	delete(k.asleep, id)
}

func (k *Checkup) observe(kind messages.EventKind, id string, data any) {
	b, err := json.Marshal(data)
	if err == nil {
		_, err = k.Journal.Commit(context.Background(), messages.Observe{Events: []messages.Event{{At: k.Clock.Now(), Kind: kind, ID: id, Data: b}}})
	}
	if err != nil {
		k.Log.Warn("write event", "kind", kind, "err", err)
	}
}

func noRole(id string, roles map[string]messages.Role) *messages.Error {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(roles)), func(name string) bool { return roles[name].Hidden })
	e := messages.Errorf(messages.CodeNotFound, "there is no role %q", id).Try("use one of " + strings.Join(names, ", "))
	e.Field = "role"
	return e
}

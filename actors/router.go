package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Router knows who lives where. It never commits: it carries wakes, interrupts
// and the messages that are not journalled to the actor of that name.
type Router struct {
	homes  map[messages.Address]*actor.PID
	groups *actor.PID
	jobs   *actor.PID
}

// NewRouter returns a router that knows nobody but who is in homes; what is for
// a group or an agent goes to the parent of all groups, what is for a job to the
// parent of all jobs; nil if there are none.
func NewRouter(homes map[messages.Address]*actor.PID, groups, jobs *actor.PID) *Router {
	return &Router{homes: homes, groups: groups, jobs: jobs}
}

// Receive implements [actor.Actor].
func (r *Router) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case messages.Wake:
		r.carry(c, m.To, m)
	case messages.Interrupt:
		r.carry(c, m.To, m)
	case messages.CCMessage:
		r.carry(c, m.To, m)
	}
}

// carry drops what is for nobody: the user reads the log, and a wake for a name
// that no longer exists has no reader.
func (r *Router) carry(c actor.Context, to messages.Address, m messages.Message) {
	_, agent := to.Agent()
	_, group := to.Group()
	_, _, job := to.Job()
	if home, ok := r.homes[to]; ok {
		c.Send(home, m)
	} else if (agent || group) && r.groups != nil {
		c.Send(r.groups, m)
	} else if job && r.jobs != nil {
		c.Send(r.jobs, m)
	}
}

package actors

import (
	"sync"

	"kurogo/messages"
)

// Keys are the keys that callers lent to the agents and jobs they ordered. They are in
// memory only: an agent that outlives its kurogo uses those of the configuration.
type Keys struct {
	mu   sync.Mutex
	lent map[messages.Address]map[string]string
}

// NewKeys returns no keys.
func NewKeys() *Keys { return &Keys{lent: map[messages.Address]map[string]string{}} }

func (k *Keys) lend(who messages.Address, env map[string]string) {
	if len(env) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lent[who] = env
}

// of picks the keys that an agent's driver may have.
func (k *Keys) of(who messages.Address, allowed []string) map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := map[string]string{}
	for _, name := range allowed {
		if value, ok := k.lent[who][name]; ok {
			out[name] = value
		}
	}
	return out
}

func (k *Keys) forget(who messages.Address) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.lent, who)
}

// share lends an agent what its job was lent.
func (k *Keys) share(job, agent messages.Address) {
	k.mu.Lock()
	env := k.lent[job]
	k.mu.Unlock()
	k.lend(agent, env)
}

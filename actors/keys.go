package actors

import (
	"sync"

	"kurogo/messages"
)

// Keys are the keys that callers lent to the agents they ordered. They are in
// memory only: an agent that outlives its kurogo uses those of the configuration.
type Keys struct {
	mu   sync.Mutex
	lent map[messages.AgentID]map[string]string
}

// NewKeys returns no keys.
func NewKeys() *Keys { return &Keys{lent: map[messages.AgentID]map[string]string{}} }

func (k *Keys) lend(id messages.AgentID, env map[string]string) {
	if len(env) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lent[id] = env
}

// of picks the keys that an agent's driver may have.
func (k *Keys) of(id messages.AgentID, allowed []string) map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := map[string]string{}
	for _, name := range allowed {
		if value, ok := k.lent[id][name]; ok {
			out[name] = value
		}
	}
	return out
}

func (k *Keys) forget(id messages.AgentID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.lent, id)
}

package live_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"sync"
	"time"

	"kurogo/messages"
)

// A theatre is a house whose journal and state the tests write.
type theatre struct {
	mu     sync.Mutex
	store  string
	events []messages.Event
	wake   chan struct{}
	broken error // that ends every watch

	groups []messages.Group
	agents []messages.Agent
	crew   []messages.Member
	tasks  []messages.Task
	logs   map[string]string // by agent and stream
	size   int64             // of a segment of a log; 0 = one holds all
	asked  []messages.Message

	waiting chan struct{} // hears of every wait that began
	left    chan error    // hears how every wait ended
}

func newTheatre() *theatre {
	return &theatre{
		store: "store-1", wake: make(chan struct{}), logs: map[string]string{},
		waiting: make(chan struct{}, 100), left: make(chan error, 100),
	}
}

// tell writes an event after what it tells has become true.
func (h *theatre) tell(kind messages.EventKind, id string, data any, change func()) (seq int64) {
	b, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if change != nil {
		change()
	}
	seq = h.last() + 1
	if seq%7 == 0 {
		seq += 3 // numbers have gaps
	}
	h.events = append(h.events, messages.Event{Seq: seq, At: time.Now(), Kind: kind, ID: id, Data: b})
	close(h.wake)
	h.wake = make(chan struct{})
	return seq
}

func (h *theatre) last() int64 {
	if len(h.events) == 0 {
		return 0
	}
	return h.events[len(h.events)-1].Seq
}

// agent tells how an agent stands.
func (h *theatre) agent(kind messages.EventKind, id messages.AgentID, status messages.AgentStatus, tools int) int64 {
	a := messages.Agent{ID: id, Group: "g", Role: "impl-code", Status: status, Run: messages.Run{ToolCalls: tools}}
	return h.tell(kind, string(id), a, func() { h.agents = put(h.agents, a, func(a messages.Agent) string { return string(a.ID) }) })
}

func (h *theatre) persona(name messages.Address, restarts int) int64 {
	m := messages.Member{Name: name, Restarts: restarts}
	return h.tell(messages.PersonaUpdated, string(name), m, func() { h.crew = put(h.crew, m, func(m messages.Member) string { return string(m.Name) }) })
}

// put replaces what has the same key, or adds.
func put[T any](list []T, x T, key func(T) string) []T {
	list = slices.Clone(list)
	if i := slices.IndexFunc(list, func(y T) bool { return key(x) == key(y) }); i >= 0 {
		list[i] = x
		return list
	}
	return append(list, x)
}

// says lets an agent's process say something, of which the journal hears.
func (h *theatre) says(id messages.AgentID, stream, text string) {
	h.mu.Lock()
	h.logs[string(id)+" "+stream] += text
	h.mu.Unlock()
	h.agent(messages.AgentUpdated, id, messages.AgentRunning, 0)
}

func (h *theatre) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.broken = err
	close(h.wake)
	h.wake = make(chan struct{})
}

func (h *theatre) questions(kind string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.asked {
		if messages.KindOf(m) == kind {
			n++
		}
	}
	return n
}

func (h *theatre) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, m)
	switch m := m.(type) {
	case messages.GetStatus:
		return messages.Status{Store: h.store, Version: "v1", LastEvent: h.last(), Rehearsal: true}, nil
	case messages.ListGroups:
		return messages.Groups{Groups: h.groups}, nil
	case messages.ListAgents:
		return h.list(m), nil
	case messages.ListRoles:
		return messages.Roles{}, nil
	case messages.GetCrew:
		return messages.Crew{Members: h.crew}, nil
	case messages.ListTasks:
		return messages.Tasks{Tasks: h.tasks}, nil
	case messages.ListApprovals:
		return messages.Approvals{}, nil
	case messages.ReadStream:
		return h.read(m)
	case messages.ChangeRole:
		if m.Base == "old" {
			return nil, messages.Errorf(messages.CodeConflict, "the file is another by now").Try("read it again")
		}
		return messages.RoleChanged{Path: "kurogo.toml", Base: "b2", Diff: "+model = " + *m.Edit.Model, Applied: !m.DryRun}, nil
	case messages.CheckRoles:
		if m.Role == "nobody" {
			return nil, messages.Errorf(messages.CodeNotFound, "there is no role %q", m.Role).Try("see list_roles")
		}
		return messages.Done{}, nil
	}
	return nil, messages.Invalid("kind", "%T is nothing that can be asked", m)
}

func (h *theatre) list(m messages.ListAgents) messages.Agents {
	found := slices.DeleteFunc(slices.Clone(h.agents), func(a messages.Agent) bool { return m.Status != "all" && string(a.Status) != m.Status })
	return messages.Agents{Agents: found[max(0, len(found)-m.Limit):], Total: len(found)}
}

func (h *theatre) read(m messages.ReadStream) (messages.Message, error) {
	i := slices.IndexFunc(h.agents, func(a messages.Agent) bool { return a.ID == m.Agent })
	if i < 0 {
		return nil, messages.Errorf(messages.CodeNotFound, "there is no agent %q", m.Agent).Try("see list_agents")
	}
	log := h.logs[string(m.Agent)+" "+m.Stream]
	if m.Offset > int64(len(log)) {
		return nil, messages.Invalid("offset", "%d is beyond the end", m.Offset)
	}
	end := min(m.Offset+int64(m.Limit), int64(len(log)))
	if h.size > 0 {
		end = min(end, (m.Offset/h.size+1)*h.size)
	}
	return messages.StreamChunk{
		Data: []byte(log[m.Offset:end]), Next: end, Size: int64(len(log)), Ended: h.agents[i].Status.Final() && end == int64(len(log)),
	}, nil
}

func (h *theatre) Watch(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return func(yield func(messages.Event, error) bool) {
		for {
			h.mu.Lock()
			events, wake, broken := h.events, h.wake, h.broken
			h.mu.Unlock()
			i, _ := slices.BinarySearchFunc(events, since+1, func(e messages.Event, seq int64) int { return int(e.Seq - seq) })
			for _, e := range events[i:] {
				if since = e.Seq; topic.Wants(e) && !yield(e, nil) {
					return
				}
			}
			if broken != nil {
				yield(messages.Event{}, broken)
				return
			}
			select {
			case <-wake:
			case <-ctx.Done():
				yield(messages.Event{}, ctx.Err())
				return
			}
		}
	}
}

// Call knows four tools.
func (h *theatre) Call(ctx context.Context, who messages.Caller, call messages.ToolCall, _ func(string)) (json.RawMessage, error) {
	switch call.Name {
	case "cancel_agent":
		var in struct {
			Agent messages.AgentID `json:"agentId"`
		}
		if err := json.Unmarshal(call.Input, &in); err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"cancelled": true, "agentId": in.Agent, "client": who.Client})
	case "wait_agent":
		h.waiting <- struct{}{}
		<-ctx.Done()
		h.left <- ctx.Err()
		return nil, ctx.Err()
	case "mumble":
		return json.RawMessage("no JSON"), nil
	}
	e := messages.Errorf(messages.CodeNotFound, "there is no tool %q", call.Name).Try("use cancel_agent")
	e.Field = "name"
	return nil, e
}

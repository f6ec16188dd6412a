package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// A company is a house with agents that end when the story says so.
type company struct {
	*house
	agents map[messages.AgentID]messages.Agent
}

// employs starts agents that run since now, and events that nobody asked about.
func employs(ids ...messages.AgentID) *company {
	c := &company{agents: map[messages.AgentID]messages.Agent{}}
	for _, id := range ids {
		c.agents[id] = messages.Agent{ID: id, Status: messages.AgentRunning, StartedAt: time.Now()}
	}
	c.house = newHouse(func(m messages.Message) (messages.Message, error) {
		switch m := m.(type) {
		case messages.GetStatus:
			c.mu.Lock()
			defer c.mu.Unlock()
			return messages.Status{LastEvent: int64(len(c.tape))}, nil
		case messages.ListAgents:
			c.mu.Lock()
			defer c.mu.Unlock()
			var out messages.Agents
			for _, id := range m.Agents {
				if a, ok := c.agents[id]; ok {
					out.Agents = append(out.Agents, a)
				}
			}
			return out, nil
		case messages.LendSlot:
			return messages.Done{}, nil
		}
		return nil, errors.New("unexpected question")
	})
	c.tells(messages.AgentEnded, "older", messages.Agent{ID: "older", Status: messages.AgentCompleted})
	return c
}

// end lets an agent end: in the state, and in the events.
func (c *company) end(id messages.AgentID, status messages.AgentStatus) {
	c.mu.Lock()
	a := c.agents[id]
	a.Status, a.Outcome, a.EndedAt = status, status, time.Now()
	c.agents[id] = a
	c.mu.Unlock()
	c.tells(messages.AgentEnded, string(id), a)
}

type waited struct {
	Completed []struct {
		ID       messages.AgentID     `json:"agentId"`
		Status   messages.AgentStatus `json:"status"`
		Duration int64                `json:"duration_ms"`
	} `json:"completed"`
	Pending  []messages.AgentID `json:"pending"`
	TimedOut bool               `json:"timedOut"`
	Hint     string             `json:"hint"`
}

// A waiter is a call of wait_agent in the background.
type waiter struct {
	begun time.Time
	took  time.Duration
	notes []string
	raw   string
	err   error
	gone  chan struct{}
}

func wait(ctx context.Context, h *house, who messages.Caller, args string) *waiter {
	w := &waiter{begun: time.Now(), gone: make(chan struct{})}
	go func() {
		defer close(w.gone)
		raw, err := tools.New(h, tools.Options{}).Call(ctx, who, messages.ToolCall{Name: "wait_agent", Input: json.RawMessage(args)},
			func(note string) { w.notes = append(w.notes, note) })
		w.raw, w.err, w.took = string(raw), err, time.Since(w.begun)
	}()
	return w
}

func (w *waiter) answer(t *testing.T) (out waited) {
	t.Helper()
	<-w.gone
	if w.err != nil {
		t.Fatal(w.err)
	}
	if err := json.Unmarshal([]byte(w.raw), &out); err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.New(nil, tools.Options{}).Tools(messages.Caller{}) {
		if tool.Name == "wait_agent" {
			conforms(t, tool.Answer, w.raw)
		}
	}
	return out
}

// The last of them ends the wait; whatever way they end, they have ended.
func TestWaitForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := employs("a", "b", "c")
		c.end("c", messages.AgentLost)
		w := wait(t.Context(), c.house, owner, `{"agentIds":["a","b","a","c"]}`)
		<-time.After(7 * time.Second)
		c.end("b", messages.AgentFailed)
		<-time.After(2 * time.Second)
		c.end("a", messages.AgentCancelled)
		got := w.answer(t)
		want := `{"completed":[{"agentId":"a","status":"cancelled","duration_ms":9000},{"agentId":"b","status":"failed","duration_ms":7000},` +
			`{"agentId":"c","status":"lost","duration_ms":0}],"pending":[],"timedOut":false,"hint":"All have ended: read the results with get_agent_status."}`
		if w.raw != want || w.took != 9*time.Second {
			t.Errorf("after %s it said %s", w.took, w.raw)
		}
		if got.TimedOut {
			t.Error("it timed out")
		}
		notes := []string{
			"1 of 3 have ended; waiting for a (running), b (running)", // at once
			"1 of 3 have ended; waiting for a (running), b (running)", // after 5 s
			"2 of 3 have ended; waiting for a (running)",              // when b ended
		}
		if !slices.Equal(w.notes, notes) {
			t.Errorf("it noted %q", w.notes)
		}
		topic := messages.Topic{Kinds: []messages.EventKind{messages.AgentEnded}, IDs: []string{"a", "b", "c"}}
		if !slices.Equal(c.topic.Kinds, topic.Kinds) || !slices.Equal(c.topic.IDs, topic.IDs) || c.since != 2 {
			t.Errorf("it watched %+v since %d", c.topic, c.since)
		}
	})
}

func TestWaitForAny(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := employs("a", "b")
		w := wait(t.Context(), c.house, owner, `{"agentIds":["a","b"],"mode":"any","timeout_ms":20000}`)
		<-time.After(time.Second)
		c.end("b", messages.AgentCompleted)
		got := w.answer(t)
		if len(got.Completed) != 1 || got.Completed[0].ID != "b" || !slices.Equal(got.Pending, []messages.AgentID{"a"}) || got.TimedOut ||
			!strings.Contains(got.Hint, "wait_agent again") {
			t.Errorf("it said %s", w.raw)
		}
	})
}

// Who has ended already is not waited for, and its slot not lent.
func TestWaitForWhatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := employs("a", "b")
		c.end("a", messages.AgentTimedOut)
		w := wait(t.Context(), c.house, actor, `{"agentIds":["a","b"],"mode":"any"}`)
		if got := w.answer(t); len(got.Completed) != 1 || w.took != 0 || len(w.notes) != 0 {
			t.Errorf("after %s it said %s and noted %q", w.took, w.raw, w.notes)
		}
		if asked := c.questions(); len(asked) != 2 {
			t.Errorf("it asked %v", asked)
		}
	})
}

// Between the state and the watch nothing is lost: the cursor was taken first.
func TestWaitMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := employs("a")
		inner := c.answer
		c.answer = func(m messages.Message) (messages.Message, error) {
			out, err := inner(m)
			if _, ok := m.(messages.ListAgents); ok {
				c.end("a", messages.AgentCompleted) // just after it was looked at
			}
			return out, err
		}
		w := wait(t.Context(), c.house, owner, `{"agentIds":["a"]}`)
		if got := w.answer(t); len(got.Completed) != 1 || w.took != 0 {
			t.Errorf("after %s it said %s", w.took, w.raw)
		}
	})
}

// The cap is the client's; it is a success, and says what to do next. A report
// behind the end does not hide how it ended.
func TestWaitIsCapped(t *testing.T) {
	for _, story := range []struct {
		client, timeout string
		took            time.Duration
		says            string
	}{
		{"cursor", ``, 50 * time.Second, "Call wait_agent again"},
		{"", ``, 50 * time.Second, "Call wait_agent again"},
		{"claude-code", ``, 170 * time.Second, "Call wait_agent again"},
		{"cursor", `,"timeout_ms":1500`, 1500 * time.Millisecond, "Call wait_agent again"},
		{"cursor", `,"timeout_ms":50000`, 50 * time.Second, "Call wait_agent again"},
		{"cursor", `,"timeout_ms":600000`, 50 * time.Second, "timeout_ms was cut from 600000 to 50000. Call wait_agent again"},
		{"claude-code", `,"timeout_ms":9000000000000000000`, 170 * time.Second, "timeout_ms was cut from 9000000000000000000 to 170000."},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := employs("a", "b")
			c.end("a", messages.AgentFailed)
			a := c.agents["a"]
			a.Status = messages.AgentReported
			c.agents["a"] = a
			w := wait(t.Context(), c.house, messages.Caller{Client: story.client}, `{"agentIds":["a","b"]`+story.timeout+`}`)
			got := w.answer(t)
			if w.took != story.took || !got.TimedOut || !strings.HasPrefix(got.Hint, story.says) {
				t.Errorf("%+v: after %s it said %s", story, w.took, w.raw)
			}
			if len(got.Completed) != 1 || got.Completed[0].Status != messages.AgentFailed || !slices.Equal(got.Pending, []messages.AgentID{"b"}) {
				t.Errorf("%+v: it said %s", story, w.raw)
			}
		})
	}
}

// A client that goes stops waiting and nothing else; an agent that waits lends
// its slot and takes it back, whatever ended the wait.
func TestWaitOfAnAgentLendsItsSlot(t *testing.T) {
	for _, story := range []string{"ended", "capped", "cancelled", "broken"} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c := employs("a")
			w := wait(ctx, c.house, actor, `{"agentIds":["a"],"timeout_ms":3000}`)
			<-time.After(time.Second)
			switch story {
			case "ended":
				c.end("a", messages.AgentCompleted)
			case "cancelled":
				cancel()
			case "broken":
				c.breaks(messages.Errorf(messages.CodeUnavailable, "kurogo stops"))
			}
			<-w.gone
			switch {
			case story == "cancelled" && !errors.Is(w.err, context.Canceled),
				story == "broken" && !messages.IsCode(w.err, messages.CodeUnavailable),
				(story == "ended" || story == "capped") && w.err != nil:
				t.Errorf("%s: %v", story, w.err)
			}
			var slots []messages.LendSlot
			for _, m := range c.questions() {
				switch m := m.(type) {
				case messages.LendSlot:
					slots = append(slots, m)
				case messages.CancelAgent:
					t.Errorf("%s: the agent was cancelled", story)
				}
			}
			if want := []messages.LendSlot{{Agent: actor.Agent}, {Agent: actor.Agent, Back: true}}; !slices.Equal(slots, want) {
				t.Errorf("%s: it lent %v", story, slots)
			}
		})
	}
}

// A slot that does not come back does not hold up the answer for long.
func TestASlotThatDoesNotComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := employs("a")
		w := wait(t.Context(), c.house, actor, `{"agentIds":["a"]}`)
		<-time.After(time.Second)
		held := slow{house: c.house}
		w2 := wait(t.Context(), c.house, owner, `{"agentIds":["a"]}`)
		got := make(chan error, 1)
		begun := time.Now()
		go func() {
			_, err := tools.New(held, tools.Options{}).Call(t.Context(), actor, messages.ToolCall{Name: "wait_agent", Input: json.RawMessage(`{"agentIds":["a"]}`)}, nil)
			got <- err
		}()
		<-time.After(time.Second)
		c.end("a", messages.AgentCompleted)
		if err := <-got; err != nil || time.Since(begun) != 6*time.Second {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
		w.answer(t)
		w2.answer(t)
	})
}

// slow never gives a slot back.
type slow struct{ *house }

func (s slow) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	if l, ok := m.(messages.LendSlot); ok && l.Back {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.house.Ask(ctx, m)
}

// A client that goes while the slot is being lent must not leave it lent.
func TestASlotThatWasLentToNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := employs("a")
		inner := c.answer
		c.answer = func(m messages.Message) (messages.Message, error) {
			if l, ok := m.(messages.LendSlot); ok && !l.Back {
				cancel()
				return nil, context.Canceled
			}
			return inner(m)
		}
		w := wait(ctx, c.house, actor, `{"agentIds":["a"]}`)
		<-w.gone
		asked := c.questions()
		if back, ok := asked[len(asked)-1].(messages.LendSlot); !errors.Is(w.err, context.Canceled) || !ok || !back.Back {
			t.Errorf("%v after %v", w.err, asked)
		}
	})
}

// What goes wrong in a wait is said by name.
func TestWaitsThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wait(t.Context(), employs("a").house, owner, `{"agentIds":["a","nobody"]}`)
		<-w.gone
		wantError(t, w.err, messages.CodeNotFound, "agentIds", `no agent "nobody"`, "list_agents")

		c := employs("a")
		w = wait(t.Context(), c.house, owner, `{"agentIds":["a"]}`)
		<-time.After(time.Second)
		c.breaks(context.Canceled) // the house gives up, not the client
		<-w.gone
		wantError(t, w.err, messages.CodeUnavailable, "", "stopped telling", "call again")

		c = employs("a")
		w = wait(t.Context(), c.house, owner, `{"agentIds":["a"]}`)
		<-time.After(time.Second)
		c.tells(messages.AgentEnded, "a", "no agent at all")
		<-w.gone
		if !messages.IsCode(w.err, messages.CodeInternal) || !strings.Contains(w.err.Error(), "read event") {
			t.Errorf("an event that cannot be read: %v", w.err)
		}
	})
}

// The notes name a few, and count the rest.
func TestNotesAreShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wait(t.Context(), employs("a", "b", "c", "d", "e", "f", "g").house, owner, `{"agentIds":["a","b","c","d","e","f","g"],"timeout_ms":1}`)
		w.answer(t)
		if want := "0 of 7 have ended; waiting for a (running), b (running), c (running), d (running), e (running) and 2 more"; len(w.notes) != 1 || w.notes[0] != want {
			t.Errorf("it noted %q", w.notes)
		}
	})
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// A script is a house that answers by a function and tells some events.
type script struct {
	answer func(messages.Message) (messages.Message, error)
	events []messages.Event
	end    error // after the last event
	topic  messages.Topic
}

func (s *script) Ask(_ context.Context, m messages.Message) (messages.Message, error) {
	return s.answer(m)
}

func (s *script) Watch(_ context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	s.topic = t
	return func(yield func(messages.Event, error) bool) {
		for _, e := range s.events {
			if e.Seq > since && !yield(e, nil) {
				return
			}
		}
		yield(messages.Event{}, s.end)
	}
}

func told(t *testing.T, seq int64, kind messages.EventKind, id string, data any) messages.Event {
	t.Helper()
	b, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return messages.Event{Seq: seq, At: time.Unix(0, 0), Kind: kind, ID: id, Data: b}
}

func TestWaitingEndsWithTheLastOrWithTheFirst(t *testing.T) {
	t.Parallel()
	agent := func(id messages.AgentID, status messages.AgentStatus, tools int, last string) messages.Agent {
		a := messages.Agent{ID: id, Status: status, Run: messages.Run{ToolCalls: tools, Last: last}}
		if status.Final() {
			a.Outcome = status
		}
		return a
	}
	gone := errors.New("the owner is gone")
	for name, c := range map[string]struct {
		ids    []messages.AgentID
		anyone bool
		since  int64
		want   string
		err    error
		lines  string
	}{
		"all": {
			ids: []messages.AgentID{"b", "a"}, since: 1, want: "b failed, a completed",
			lines: "a  ● running  1×  reads|a  ● running  2×  reads|b  ✗ failed|a  ✓ completed  2×  all of it",
		},
		"any":                {ids: []messages.AgentID{"b", "a"}, anyone: true, since: 1, want: "b failed", lines: "a  ● running  1×  reads|a  ● running  2×  reads|b  ✗ failed"},
		"twice is once":      {ids: []messages.AgentID{"a", "a"}, since: 5, want: "a completed", lines: "a  ✓ completed  2×  all of it"},
		"has ended":          {ids: []messages.AgentID{"c"}, want: "c cancelled"},
		"one has ended":      {ids: []messages.AgentID{"c", "a"}, anyone: true, want: "c cancelled"},
		"the owner is gone":  {ids: []messages.AgentID{"a", "b"}, since: 6, err: gone},
		"part of it was had": {ids: []messages.AgentID{"a", "c"}, since: 6, err: gone, want: "c cancelled"},
	} {
		h := &script{
			events: []messages.Event{
				told(t, 2, messages.AgentUpdated, "a", agent("a", messages.AgentRunning, 1, "reads")),
				told(t, 3, messages.AgentUpdated, "a", agent("a", messages.AgentRunning, 1, "reads")), // nothing new
				told(t, 4, messages.AgentUpdated, "a", agent("a", messages.AgentRunning, 2, "reads")),
				told(t, 5, messages.AgentEnded, "b", agent("b", messages.AgentFailed, 0, "")),
				told(t, 6, messages.AgentEnded, "a", agent("a", messages.AgentCompleted, 2, "all of it")),
			},
			end: gone,
		}
		var list []messages.Agent
		for _, id := range c.ids {
			status := messages.AgentRunning
			if id == "c" {
				status = messages.AgentCancelled
			}
			list = append(list, agent(id, status, 0, ""))
		}
		p, _, lines := aProgram()
		ended, err := p.awaitAgents(t.Context(), h, list, c.anyone, c.since)
		var got []string
		for _, a := range ended {
			got = append(got, string(a.ID)+" "+string(a.Status))
		}
		if strings.Join(got, ", ") != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		var said []string
		for line := range strings.Lines(lines.String()) {
			said = append(said, strings.TrimSpace(line[len("15:04:05.000 "):]))
		}
		if strings.Join(said, "|") != c.lines {
			t.Errorf("%s: it said %q", name, said)
		}
	}
}

func TestTheStatusOfAWaitIsThatOfTheAgents(t *testing.T) {
	t.Parallel()
	for outcomes, want := range map[string]int{
		"": 0, "completed": 0, "failed": 1, "lost": 1, "timed_out": 124, "cancelled": 131,
		"completed timed_out": 124, "timed_out timed_out": 124, "timed_out cancelled": 1, "cancelled completed cancelled": 131, "failed timed_out": 1,
	} {
		var list []messages.Agent
		for o := range strings.FieldsSeq(outcomes) {
			list = append(list, messages.Agent{Status: messages.AgentReported, Outcome: messages.AgentStatus(o)})
		}
		var got silent
		if err := ending(list); err != nil && !errors.As(err, &got) || got.status != want {
			t.Errorf("%q ends with %d, want %d", outcomes, got.status, want)
		}
	}
}

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

// A crew is a house with one task that ends when the story says so.
type crew struct {
	*house
	task  messages.Task
	pages []messages.Conversation
}

func hires(status messages.TaskStatus) *crew {
	c := &crew{task: messages.Task{ID: "t1", Root: "t1", Requester: "user", Owner: "grand_boss", Request: "m0", Status: status}}
	c.house = newHouse(func(m messages.Message) (messages.Message, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch m := m.(type) {
		case messages.GetStatus:
			return messages.Status{LastEvent: int64(len(c.tape))}, nil
		case messages.Submit:
			return messages.Accepted{Message: c.task.Request, Task: c.task.ID, Status: c.task.Status}, nil
		case messages.GetTask:
			return messages.TaskTree{Task: c.task}, nil
		case messages.ListMessages:
			if int(m.Since) < len(c.pages) {
				return c.pages[m.Since], nil
			}
			return messages.Conversation{Next: m.Since}, nil
		case messages.LendSlot:
			return messages.Done{}, nil
		}
		return nil, errors.New("unexpected question")
	})
	return c
}

func (c *crew) becomes(status messages.TaskStatus, result string) {
	c.mu.Lock()
	c.task.Status, c.task.Result = status, result
	task := c.task
	c.mu.Unlock()
	c.tells(messages.TaskUpdated, string(task.ID), task)
}

// says is the conversation of the task, a message a page.
func (c *crew) says(list ...messages.CCMessage) {
	for i, m := range list {
		c.pages = append(c.pages, messages.Conversation{Messages: []messages.CCMessage{m}, Next: int64(i + 1)})
	}
}

// waits calls a tool that waits, in the background.
func (c *crew) waits(ctx context.Context, who messages.Caller, name, args string) *waiter {
	w := &waiter{begun: time.Now(), gone: make(chan struct{})}
	go func() {
		defer close(w.gone)
		raw, err := tools.New(c.house, tools.Options{NewID: func() messages.MessageID { return "m0" }}).
			Call(ctx, who, messages.ToolCall{Name: name, Input: json.RawMessage(args)}, func(note string) { w.notes = append(w.notes, note) })
		w.raw, w.err, w.took = string(raw), err, time.Since(w.begun)
	}()
	return w
}

func (w *waiter) said(t *testing.T, name, want string) {
	t.Helper()
	<-w.gone
	if w.err != nil || w.raw != want {
		t.Errorf("%s said %s (%v), want %s", name, w.raw, w.err, want)
	}
	for _, tool := range tools.New(nil, tools.Options{}).Tools(messages.Caller{}) {
		if tool.Name == name && w.err == nil {
			conforms(t, tool.Answer, w.raw)
		}
	}
}

func TestSubmitAndWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := hires(messages.Queued)
		w := c.waits(t.Context(), owner, "submit_task", `{"content":"do it","wait":true}`)
		<-time.After(3 * time.Second)
		c.becomes(messages.Waiting, "")
		<-time.After(4 * time.Second)
		c.becomes(messages.Failed, "no luck")
		w.said(t, "submit_task", `{"taskId":"t1","status":"failed","result":"no luck"}`)
		if want := []string{"task t1 is queued since 0s", "task t1 is waiting since 3s", "task t1 is waiting since 5s"}; !slices.Equal(w.notes, want) {
			t.Errorf("it noted %q", w.notes)
		}
		if _, first := c.questions()[0].(messages.GetStatus); !first || c.since != 0 || !slices.Equal(c.topic.IDs, []string{"t1"}) {
			t.Errorf("it watched %+v since %d after %v", c.topic, c.since, c.questions())
		}
	})
}

// The cap is no error; the task goes on, and the answer says how to hear of it.
func TestSubmitWaitsNoLongerThanTheClient(t *testing.T) {
	const hint = `"hint":"It is not done yet and goes on: call get_task with the taskId to see what came of it."}`
	synctest.Test(t, func(t *testing.T) {
		c := hires(messages.Running)
		w := c.waits(t.Context(), owner, "submit_task", `{"content":"do it","wait":true}`)
		w.said(t, "submit_task", `{"taskId":"t1","status":"running","result":null,`+hint)
		if w.took != 50*time.Second {
			t.Errorf("it took %s", w.took)
		}
		w = c.waits(t.Context(), owner, "send_message", `{"to":"grand_boss","content":"do it","wait":true}`)
		w.said(t, "send_message", `{"messageId":"m0","accepted":true,"taskId":"t1","status":"running",`+hint)
	})
}

// The reply is content and thinking of the message that answers, wherever it is
// in the conversation.
func TestSendAndWaitForTheReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := hires(messages.Queued)
		c.says(
			messages.CCMessage{ID: "m0", Type: messages.TaskRequest},
			messages.CCMessage{ID: "m1", Type: messages.TaskComplete, ReplyTo: "else", Content: "not this"},
			messages.CCMessage{ID: "m2", Type: messages.Info, ReplyTo: "m0", Content: "nor this"},
			messages.CCMessage{ID: "m3", Type: messages.TaskComplete, ReplyTo: "m0", Content: "42", Thinking: "6×7"},
		)
		w := c.waits(t.Context(), actor, "send_message", `{"to":"grand_boss","content":"6×7?","wait":true}`)
		<-time.After(time.Second)
		c.becomes(messages.Completed, "42")
		w.said(t, "send_message", `{"messageId":"m0","accepted":true,"taskId":"t1","status":"completed","content":"42","thinking":"6×7"}`)
		lent := 0
		for _, m := range c.questions() {
			if _, ok := m.(messages.LendSlot); ok {
				lent++
			}
		}
		if lent != 2 {
			t.Errorf("its slot was lent and taken back %d times", lent)
		}
	})
}

// A task that is over, or was cancelled without a word, is not waited for.
func TestWaitForATaskThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := hires(messages.Cancelled)
		c.task.Result = "cancelled: late"
		w := c.waits(t.Context(), actor, "send_message", `{"to":"grand_boss","content":"x","wait":true}`)
		w.said(t, "send_message", `{"messageId":"m0","accepted":true,"taskId":"t1","status":"cancelled","content":"cancelled: late"}`)
		w2 := c.waits(t.Context(), owner, "submit_task", `{"content":"x","wait":true,"idempotency_key":"k"}`)
		w2.said(t, "submit_task", `{"taskId":"t1","status":"cancelled","result":"cancelled: late"}`)
		if w.took != 0 || len(w.notes) != 0 || c.topic.IDs != nil {
			t.Errorf("it waited %s and watched %v", w.took, c.topic)
		}
	})
}

func TestWaitsForTasksThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := hires(messages.Running)
		w := c.waits(ctx, owner, "submit_task", `{"content":"x","wait":true}`)
		<-time.After(time.Second)
		cancel()
		<-w.gone
		if !errors.Is(w.err, context.Canceled) {
			t.Errorf("the client went: %v", w.err)
		}
		for _, m := range c.questions() {
			if _, ok := m.(messages.CancelTask); ok {
				t.Error("the task was cancelled with the wait")
			}
		}
		c = hires(messages.Running)
		c.task.ID = ""
		w = c.waits(t.Context(), owner, "submit_task", `{"content":"x","wait":true}`)
		<-w.gone
		if !messages.IsCode(w.err, messages.CodeInternal) || !strings.Contains(w.err.Error(), "without a task") {
			t.Errorf("no task: %v", w.err)
		}
	})
}

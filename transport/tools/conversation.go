package tools

import (
	"context"
	"strings"
	"time"

	"kurogo/messages"
)

func (c *Catalogue) conversation() []entry {
	content := limited("message_bytes", c.o.Limits.MessageBytes, "everything the recipient needs to know")
	content.min = 1
	return []entry{define(plan{
		name: "send_message", title: "Write to a member of the crew", agents: true, hints: unleash,
		about: "Writes a message to one of the crew, for example grand_boss. A task_request (the default) asks for work and is answered later; with wait: true the call waits for the answer, for a while. " +
			"Use submit_task if you only want something done. Returns messageId and accepted: from then on the message is not lost. " +
			"If the answer has not come when the call returns, call get_task with the taskId.",
		input: object(
			must("to", text(idChars, "who, for example grand_boss")),
			must("content", content),
			may("type", oneOf("the default is task_request", messages.Types()...)),
			may("thinking", limited("thinking_bytes", c.o.Limits.ThinkingBytes, "what led you to it, if the recipient should know")),
			may("metadata", object(
				may("priority", oneOf("the default is normal", priorities...)),
				may("correlation_id", &schema{kind: kindString, max: idChars, about: "copied into the replies"}),
				may("ttl", whole(0, 1<<31-1, "seconds that the message may wait unread; 0 = for ever")),
				may("task_id", &schema{kind: kindString, max: idChars, about: "not heeded: a task's id is given to it when it is accepted"}),
				may("retry_count", whole(0, 0, "not heeded")),
				may("timestamp", &schema{kind: kindString, max: idChars, about: "not heeded: the time of acceptance counts"}),
			)),
			may("wait", yes("wait for the answer to a task_request")),
			may("from", text(idChars, "who you are; it need not be said, and cannot be somebody else")),
		),
		answer: answer(
			must("messageId", said("the message")),
			must("accepted", yes("true: it is written down")),
			may("taskId", said("with wait: the task that it asked for")),
			may("status", oneOf("with wait: the task's state", taskStates...)),
			may("content", said("with wait: the answer")),
			may("thinking", said("with wait: what led to it")),
			may("hint", said("with wait: what to do next")),
		),
		faults: faults{
			messages.CodeNotFound: {"to", "write to grand_boss"},
			messages.CodeDenied:   {"to", "write to whoever you may write to"},
			messages.CodeBusy:     {"to", "try again when its inbox is shorter"},
			messages.CodeConflict: {"to", "see get_task"},
		},
	}, c.sendMessage)}
}

type sendMessage struct {
	To       messages.Address `json:"to"`
	Content  string           `json:"content"`
	Type     messages.Type    `json:"type"`
	Thinking string           `json:"thinking"`
	Metadata struct {
		Priority    messages.Priority `json:"priority"`
		Correlation string            `json:"correlation_id"`
		TTL         int               `json:"ttl"`
	} `json:"metadata"`
	Wait bool   `json:"wait"`
	From string `json:"from"`
}

type sentView struct {
	Message  messages.MessageID  `json:"messageId"`
	Accepted bool                `json:"accepted"`
	Task     messages.TaskID     `json:"taskId,omitempty"`
	Status   messages.TaskStatus `json:"status,omitempty"`
	Content  string              `json:"content,omitempty"`
	Thinking string              `json:"thinking,omitempty"`
	Hint     string              `json:"hint,omitempty"`
}

func (c *Catalogue) sendMessage(ctx context.Context, u use, a sendMessage) (any, error) {
	me := u.who.Address()
	if a.Type == "" {
		a.Type = messages.TaskRequest
	}
	switch from := messages.Address(strings.TrimSpace(a.From)); {
	case from != "" && from != me && string(from) != string(u.who.Agent):
		return nil, denied("from", "you are "+string(me)+", not "+string(from), "leave from out")
	case a.Wait && a.Type != messages.TaskRequest:
		return nil, messages.Invalid("wait", "nobody answers a message of type %s", a.Type).Try("leave wait out, or send a task_request")
	}
	m := messages.CCMessage{
		ID: c.o.NewID(), From: me, To: a.To, Type: a.Type, Content: a.Content, Thinking: a.Thinking,
		Metadata: messages.Metadata{Priority: a.Metadata.Priority, CorrelationID: a.Metadata.Correlation, TTL: a.Metadata.TTL},
	}
	accepted, task, err := c.submit(ctx, u, messages.Submit{Message: m}, a.Wait)
	if err != nil {
		return nil, err
	}
	out := sentView{Message: accepted.Message, Accepted: true}
	if task == nil {
		return out, nil
	}
	out.Task, out.Status = task.ID, task.Status
	if !task.Status.Final() {
		out.Hint = laterHint
		return out, nil
	}
	out.Content = task.Result
	reply, err := c.reply(ctx, task.ID, accepted.Message)
	if reply.ID != "" {
		out.Content, out.Thinking = reply.Content, reply.Thinking
	}
	return out, err
}

// laterHint is what a client hears whose wait for a task ran into the cap.
const laterHint = "It is not done yet and goes on: call get_task with the taskId to see what came of it."

// submit has a message accepted and, with wait, waits for its task for a while.
// task is nil without.
func (c *Catalogue) submit(ctx context.Context, u use, s messages.Submit, wait bool) (messages.Accepted, *messages.Task, error) {
	var since int64
	if wait {
		var err error
		if since, err = c.cursor(ctx); err != nil {
			return messages.Accepted{}, nil, err
		}
	}
	accepted, err := ask[messages.Accepted](ctx, c.port, s)
	if err != nil || !wait {
		return accepted, nil, err
	}
	if accepted.Task == "" {
		return accepted, nil, messages.Errorf(messages.CodeInternal, "message %s was accepted without a task", accepted.Message)
	}
	task, err := c.await(ctx, u, accepted.Task, since)
	return accepted, &task, err
}

// await waits until a task has ended, at most for the cap of the client, and
// gives it as it is then.
func (c *Catalogue) await(ctx context.Context, u use, id messages.TaskID, since int64) (messages.Task, error) {
	tree, err := ask[messages.TaskTree](ctx, c.port, messages.GetTask{Task: id})
	if err != nil || tree.Task.Status.Final() {
		return tree.Task, err
	}
	begun, status := c.o.Now(), tree.Task.Status
	_, err = c.keep(ctx, u, vigil{
		topic: messages.Topic{Kinds: []messages.EventKind{messages.TaskUpdated}, IDs: []string{string(id)}},
		since: since, most: c.patience(u.who),
		see: func(e messages.Event) (bool, error) {
			t, err := dataOf[messages.Task](e)
			status = t.Status
			return status.Final(), err
		},
		note: func() string {
			return "task " + string(id) + " is " + string(status) + " since " + c.o.Now().Sub(begun).Round(time.Second).String()
		},
	})
	if err != nil {
		return tree.Task, err
	}
	tree, err = ask[messages.TaskTree](ctx, c.port, messages.GetTask{Task: id})
	return tree.Task, err
}

// reply finds the answer to a request among the messages of its task.
func (c *Catalogue) reply(ctx context.Context, task messages.TaskID, request messages.MessageID) (messages.CCMessage, error) {
	for since := int64(0); ; {
		page, err := ask[messages.Conversation](ctx, c.port, messages.ListMessages{Task: task, Since: since})
		if err != nil {
			return messages.CCMessage{}, err
		}
		for _, m := range page.Messages {
			if m.ReplyTo == request && m.Type.Answers() {
				return m, nil
			}
		}
		if len(page.Messages) == 0 || page.Next <= since {
			return messages.CCMessage{}, nil // none was needed: its task was cancelled
		}
		since = page.Next
	}
}

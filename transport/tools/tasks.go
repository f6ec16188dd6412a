package tools

import (
	"context"
	"time"

	"kurogo/messages"
)

const maxDeadline = 30 * 24 * 60 * 60 // seconds

var taskID = text(idChars, "the taskId that submit_task gave")

func (c *Catalogue) tasks() []entry {
	content := limited("message_bytes", c.o.Limits.MessageBytes, "what is to be done, with everything the crew needs to know")
	content.min = 1
	taskFaults := faults{
		messages.CodeNotFound: {"taskId", "submit_task gives one"},
		messages.CodeDenied:   {"taskId", "use a task of your own"},
	}
	return []entry{
		define(plan{
			name: "submit_task", title: "Give the crew a task", hints: unleash,
			about: "Gives the crew of personas a task: its head plans, shares the work out and answers. Use it for work that wants several minds and one answer; to run single sub-agents yourself, use run_agent. " +
				"Returns a taskId at once: from then on the task is not lost. With wait: true the call waits for the result, for a while. Next: get_task.",
			input: object(
				must("content", content),
				may("to", text(idChars, "who gets it; the default is the one at the top, for example grand_boss")),
				may("priority", oneOf("the default is normal", priorities...)),
				may("deadline_s", whole(1, maxDeadline, "seconds that the whole task may take; the default is no limit")),
				may("wait", yes("wait for the result")),
				may("idempotency_key", onceOnly),
			),
			answer: answer(
				must("taskId", said("the task's id: keep it")),
				must("status", oneOf("its state", taskStates...)),
				may("result", orNull(said("with wait: the answer, or why there is none"))),
				may("hint", said("with wait: what to do next")),
			),
			faults: faults{
				messages.CodeNotFound: {"to", "leave to out"},
				messages.CodeDenied:   {"to", "leave to out"},
				messages.CodeBusy:     {"to", "try again when its inbox is shorter"},
			}.also(keyFaults),
		}, c.submitTask),
		define(plan{
			name: "get_task", title: "Look at a task", hints: reads,
			about: "Shows a task: its state, its tree of sub-tasks and, once it has ended, its result. Use it after submit_task.",
			input: object(must("taskId", taskID)), answer: treeSchema, faults: taskFaults,
		}, c.getTask),
		define(plan{
			name: "cancel_task", title: "End a task", hints: ends,
			about: "Ends a task that is no longer wanted, and everything below it. One that has ended stays as it is. Returns the task as get_task does.",
			input: object(
				must("taskId", taskID),
				may("reason", text(shortChars, "why, for whoever waits for it")),
			),
			answer: treeSchema, faults: taskFaults,
		}, c.cancelTask),
	}
}

type submitTask struct {
	Content  string            `json:"content"`
	To       messages.Address  `json:"to"`
	Priority messages.Priority `json:"priority"`
	Deadline int64             `json:"deadline_s"`
	Wait     bool              `json:"wait"`
	Key      string            `json:"idempotency_key"`
}

type submittedView struct {
	Task   messages.TaskID     `json:"taskId"`
	Status messages.TaskStatus `json:"status"`
	Result **string            `json:"result,omitempty"`
	Hint   string              `json:"hint,omitempty"`
}

func (c *Catalogue) submitTask(ctx context.Context, u use, a submitTask) (any, error) {
	accepted, task, err := c.submit(ctx, u, messages.Submit{
		Key: a.Key, Deadline: time.Duration(a.Deadline) * time.Second,
		Message: messages.CCMessage{
			ID: c.o.NewID(), From: u.who.Address(), To: a.To, Type: messages.TaskRequest, Content: a.Content,
			Metadata: messages.Metadata{Priority: a.Priority},
		},
	}, a.Wait)
	if err != nil || task == nil {
		return submittedView{Task: accepted.Task, Status: accepted.Status}, err
	}
	result := word(task.Result)
	out := submittedView{Task: task.ID, Status: task.Status, Result: &result}
	if !task.Status.Final() {
		out.Hint = laterHint
	}
	return out, nil
}

type oneTask struct {
	Task   messages.TaskID `json:"taskId"`
	Reason string          `json:"reason"`
}

func (c *Catalogue) getTask(ctx context.Context, _ use, a oneTask) (any, error) {
	tree, err := ask[messages.TaskTree](ctx, c.port, messages.GetTask{Task: a.Task})
	return showTree(tree), err
}

func (c *Catalogue) cancelTask(ctx context.Context, _ use, a oneTask) (any, error) {
	tree, err := ask[messages.TaskTree](ctx, c.port, messages.CancelTask{Task: a.Task, Reason: a.Reason})
	return showTree(tree), err
}

package tools

import "kurogo/messages"

// A taskView is a task as clients see it.
type taskView struct {
	ID         messages.TaskID     `json:"taskId"`
	Parent     *string             `json:"parentId"`
	From       messages.Address    `json:"from"`
	To         messages.Address    `json:"to"`
	Status     messages.TaskStatus `json:"status"`
	Priority   messages.Priority   `json:"priority"`
	Content    string              `json:"content"`
	Result     *string             `json:"result"`
	Code       *string             `json:"code"`
	Open       int                 `json:"openSubtasks"`
	CreatedAt  *string             `json:"createdAt"`
	StartedAt  *string             `json:"startedAt"`
	FinishedAt *string             `json:"finishedAt"`
	Deadline   *string             `json:"deadline"`
}

func showTask(t messages.Task) taskView {
	if t.Priority == "" {
		t.Priority = messages.Normal
	}
	return taskView{
		t.ID, word(t.Parent), t.Requester, t.Owner, t.Status, t.Priority, t.Content, word(t.Result), word(t.Code), t.Open,
		stamp(t.CreatedAt), stamp(t.StartedAt), stamp(t.FinishedAt), stamp(t.Deadline),
	}
}

// A treeView is a task with everything below it, parents before children.
type treeView struct {
	taskView
	Below []branchView `json:"subtasks"`
}

// A branchView is a sub-task in the tree of another: ask for it by its id to read
// it whole.
type branchView struct {
	ID      messages.TaskID     `json:"taskId"`
	Parent  messages.TaskID     `json:"parentId"`
	From    messages.Address    `json:"from"`
	To      messages.Address    `json:"to"`
	Status  messages.TaskStatus `json:"status"`
	Content string              `json:"content"`
	Result  *string             `json:"result"`
}

const branchBytes = 512

func showTree(t messages.TaskTree) treeView {
	return treeView{showTask(t.Task), each(t.Below, func(t messages.Task) branchView {
		return branchView{
			t.ID, t.Parent, t.Requester, t.Owner, t.Status,
			messages.Cut(t.Content, branchBytes), word(messages.Cut(t.Result, branchBytes)),
		}
	})}
}

var (
	taskStates = []messages.TaskStatus{
		messages.Queued, messages.Running, messages.Waiting,
		messages.Completed, messages.Failed, messages.Cancelled, messages.TimedOut,
	}
	priorities = []messages.Priority{messages.Low, messages.Normal, messages.High, messages.Urgent}

	treeSchema = answer(
		must("taskId", said("the task")),
		must("parentId", orNull(said("the task it belongs to"))),
		must("from", said("who asked for it")),
		must("to", said("who owes the answer")),
		must("status", oneOf("its state; the last four are final", taskStates...)),
		must("priority", oneOf("its priority", priorities...)),
		must("content", said("what is to be done")),
		must("result", orNull(said("the answer, or why there is none"))),
		must("code", orNull(said("the kind of error, if it failed"))),
		must("openSubtasks", number("how many sub-tasks it waits for")),
		must("createdAt", moment("when it was accepted")),
		must("startedAt", moment("when it was first worked at")),
		must("finishedAt", moment("when it ended")),
		must("deadline", moment("until when it must have ended")),
		must("subtasks", list(0, 0, answer(
			must("taskId", said("the sub-task")),
			must("parentId", said("the task above it")),
			must("from", said("who asked for it")),
			must("to", said("who owes the answer")),
			must("status", oneOf("its state", taskStates...)),
			must("content", said("its beginning")),
			must("result", orNull(said("its beginning"))),
		), "everything below it, parents before children")),
	)
)

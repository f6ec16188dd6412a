package messages

import "time"

// A TaskID names an obligation for its whole life. The journal mints it.
type TaskID string

// A TaskStatus is where a task stands.
type TaskStatus string

// A task is queued until its first turn, runs while a turn is on, waits for its
// sub-tasks, and ends in exactly one of the last four.
const (
	Queued    TaskStatus = "queued"
	Running   TaskStatus = "running"
	Waiting   TaskStatus = "waiting"
	Completed TaskStatus = "completed"
	Failed    TaskStatus = "failed"
	Cancelled TaskStatus = "cancelled"
	TimedOut  TaskStatus = "timed_out"
)

// Final reports whether the status is the last one a task ever has.
func (s TaskStatus) Final() bool {
	switch s {
	case Completed, Failed, Cancelled, TimedOut:
		return true
	case Queued, Running, Waiting:
	}
	return false
}

// A Task is an obligation: owner owes requester an answer.
type Task struct {
	ID          TaskID     `json:"id"`
	Parent      TaskID     `json:"parent_id,omitempty"`
	Root        TaskID     `json:"root_id"`
	Depth       int        `json:"depth"`
	Requester   Address    `json:"requester"`
	Owner       Address    `json:"owner"`
	Request     MessageID  `json:"request_id"`
	Correlation string     `json:"correlation_id,omitempty"`
	Priority    Priority   `json:"priority"`
	Status      TaskStatus `json:"status"`
	Content     string     `json:"content"`
	Result      string     `json:"result,omitempty"`
	Code        Code       `json:"code,omitempty"`
	Open        int        `json:"open_subtasks"`
	Deadline    time.Time  `json:"deadline,omitzero"`
	CreatedAt   time.Time  `json:"created_at"`
	StartedAt   time.Time  `json:"started_at,omitzero"`
	FinishedAt  time.Time  `json:"finished_at,omitzero"`
}

func (Task) word() {}

// Submit asks for a message to be accepted: written down, then delivered. It is
// what the edge says; a turn stages its sends instead.
type Submit struct {
	Message  CCMessage     `json:"message"`
	Key      string        `json:"idempotency_key,omitempty"`
	Deadline time.Duration `json:"deadline,omitempty"` // of the task, from now; 0 = none
}

// Accepted says that the message is durable. Task is empty when the message was
// no task_request. Again is true when it had been accepted before.
type Accepted struct {
	Message MessageID  `json:"message_id"`
	Task    TaskID     `json:"task_id,omitempty"`
	Status  TaskStatus `json:"status,omitempty"`
	Again   bool       `json:"again,omitempty"`
}

// CancelTask ends a task and everything below it.
type CancelTask struct {
	Task   TaskID `json:"task_id"`
	Reason string `json:"reason,omitempty"`
}

// GetTask asks for one task with its tree.
type GetTask struct {
	Task TaskID `json:"task_id"`
}

// A TaskTree is a task, whole, with everything below it, their texts cut at 2 KiB,
// parents before children, each generation in the order of asking.
type TaskTree struct {
	Task  Task   `json:"task"`
	Below []Task `json:"below"`
}

// ListTasks asks for root tasks, the newest first, their texts cut at 2 KiB.
// Limit 0 means 50, the most is 500.
type ListTasks struct {
	Status TaskStatus `json:"status,omitempty"`
	Of     TaskOwners `json:"of,omitempty"`
	Limit  int        `json:"limit,omitempty"`
}

// TaskOwners says whose root tasks are wanted: what an agent of a group is to do
// is a task, too, and there may be many of them.
type TaskOwners string

// Whose tasks can be asked for; "" is everybody's.
const (
	CrewTasks  TaskOwners = "crew"
	AgentTasks TaskOwners = "agents"
)

// Tasks answers ListTasks.
type Tasks struct {
	Tasks []Task `json:"tasks"`
}

func (Submit) word()     {}
func (Accepted) word()   {}
func (CancelTask) word() {}
func (GetTask) word()    {}
func (TaskTree) word()   {}
func (ListTasks) word()  {}
func (Tasks) word()      {}

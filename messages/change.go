package messages

import (
	"encoding/json"
	"time"
)

// A Change is one step of the journal: everything in it happens in one
// transaction, or nothing does. Times are arguments; SQL has no clock.
//
// A journal is whoever has
//
//	Commit(ctx context.Context, c Change) (Outcome, error)
//
// ctx counts until the change is enqueued, never after. Errors: busy when the
// queue is full; the change's own refusals as *Error; unavailable when the disk
// cannot take it, and then nothing of the change happened.
type Change interface{ change() }

// Outcome is what a change brought about. Only the fields that its change names
// are set.
type Outcome struct {
	Accepted Accepted  // Accept
	Epoch    int       // Reclaim
	Session  string    // Reclaim: where the persona's session can be resumed
	Border   string    // Reclaim
	Billed   int64     // Reclaim: what the session had cost at the border
	Stopped  bool      // Reclaim: a person had stopped it
	Turn     *Work     // Lease, EndTurn, FailTurn: what to do next; nil = nothing is ready
	Stale    bool      // Lease, EndTurn, FailTurn: the fence was old; KeepJob, CloseJob: it has ended; nothing changed
	Resumed  Resumed   // Resume
	Next     time.Time // Due: when something is due next; zero = nothing
	Group    Group     // OpenGroup, CloseGroup
	Agents   []Agent   // OrderAgents, in the order of the drafts
	Job      Job       // OpenJob, CloseJob

	Chat ChatAccepted // OpenChat, NameChat: its session; SayChat: all but Since
}

// Accept writes a message from outside a turn: of the user, or of the edge in
// somebody's name. A second Accept of the same message id or key changes
// nothing and has the first one's outcome. Refusals: busy (inbox full),
// not_found (the recipient is not enlisted), invalid.
type Accept struct {
	Message  CCMessage
	Key      string
	Deadline time.Time // of the new task; zero = none
	Now      time.Time
}

// Enlist says who the crew is, before any of it rises. What was asked of
// somebody who is no longer in it fails: nobody waits for the absent.
type Enlist struct {
	Crew []Enlisted
	Now  time.Time
}

// An Enlisted is what the journal must know of a persona.
type Enlisted struct {
	Name      Address
	ReportsTo Address // hears of dead letters
	Gather    Gather
}

// Reclaim begins an incarnation of a persona: its epoch is raised, its
// in-flight rows become pending again (or dead, after the last attempt).
// Refusals: not_found when it was not enlisted.
type Reclaim struct {
	Persona Address
	Now     time.Time
}

// A Fence proves that a change comes from the present life of a persona.
type Fence struct {
	Persona Address
	Epoch   int
}

// Lease takes the next turn. It is answered before it is durable: losing it
// costs one attempt's number, and whatever follows is written behind it.
type Lease struct {
	Fence
	Reserve int64 // what the turn may cost in micro-dollars; 0 = it costs nothing
	Now     time.Time
}

// A Row names one delivery under one attempt.
type Row struct {
	Seq     int64
	Attempt int
}

// Work is the input of one turn: the rows, their messages in the same order,
// and the task that the turn is bound to. Without a task (Task.ID == "") the
// turn's final text is recorded and sent to nobody.
type Work struct {
	Rows     []Row
	Messages []CCMessage
	Task     Task
	Spent    int   // messages that followed the one with which the tree or talk began
	Reserved int64 // micro-dollars set aside for this turn

	Agent   Agent         // whose one turn this is; ID == "" for a persona
	Earlier []AgentResult // of the stage before an agent's own
}

// EndTurn is the one transaction at the end of a turn: it acks the rows, writes
// the staged sends with their deliveries and sub-tasks, settles the task,
// stores the border and takes the next turn if Next. A send that has become
// impossible turns into a task_failed (or error) row to its sender; it never
// fails the ack.
type EndTurn struct {
	Fence
	Rows     []Row
	Text     string
	Thinking string
	Sends    []CCMessage
	Session  string
	Border   string
	Bill     Bill
	Next     bool
	Reserve  int64 // as in Lease, for the next turn
	Now      time.Time
}

// FailTurn ends a turn that has no answer. With Retry the rows become pending
// again at RetryAt, or dead after the last attempt; without it the task fails.
type FailTurn struct {
	Fence
	Rows    []Row
	Code    Code
	Reason  string
	Retry   bool
	RetryAt time.Time
	Park    bool // with Retry: the wait is nobody's fault and costs no attempt
	Bill    Bill
	Next    bool
	Reserve int64 // as in Lease, for the next turn
	Now     time.Time
}

// Cancel ends a task and everything below it. Its requester, if it still waits,
// hears task_failed. Refusals: not_found. A final task stays as it is.
type Cancel struct {
	Task   TaskID
	Reason string
	Now    time.Time
}

// Due does what the clock demands: rows past their ttl expire, tasks past their
// deadline time out, rows whose wait is over are released.
type Due struct{ Now time.Time }

// SetStopped remembers that a person stopped (or started) a persona.
type SetStopped struct {
	Persona Address
	Stopped bool
	Now     time.Time
}

// Observe appends to the communication log and to the events what nobody waits
// for. Seq of the events is the journal's to give.
type Observe struct {
	Log    []LogRow
	Events []Event
}

// OpenGroup makes a group and mints its id. A second one of the same caller with
// the same key has the first one's outcome. Refusals: conflict when it says
// something else.
type OpenGroup struct {
	Description string
	By          Address
	Key         string
	Now         time.Time
}

// CloseGroup deletes a group; it stays in the history. Refusals: not_found;
// conflict while agents of it have not ended, naming them.
type CloseGroup struct {
	Group GroupID
	Now   time.Time
}

// OrderAgents accepts agents, all or none, and mints their ids. Those of a later
// stage wait until every agent of the stage before has ended. A second order of
// the same caller with the same key has the first one's outcome. Refusals:
// not_found and conflict for the group, busy when too many agents have not ended.
type OrderAgents struct {
	Group  GroupID
	Stages [][]Draft
	By     Address
	Key    string
	Now    time.Time
}

// A Draft is an agent before it is accepted: an order with everything decided.
type Draft struct {
	Role      string
	Driver    string
	Model     string
	Prompt    string
	Dir       string
	Timeout   time.Duration
	Isolation Isolation
	Rehearsal bool
	Terms     Terms
}

// Terms are what a job demands of an agent that works for it, and no client can
// ask for.
type Terms struct {
	System   string          `json:"system,omitempty"`   // its system prompt, after its role's
	Schema   json.RawMessage `json:"schema,omitempty"`   // of its final text
	ReadOnly bool            `json:"readOnly,omitempty"` // it may change no file
	Tools    []string        `json:"tools,omitempty"`    // of ours, offered in-band
	Deltas   bool            `json:"deltas,omitempty"`   // what it says is kept word by word, as the stream "said"
	Attempts int             `json:"attempts,omitempty"` // of its turn; 0 = limits.attempts
}

// KeepRun remembers what the stream of an agent has shown so far, or had when it
// was ended. Refusals: not_found.
type KeepRun struct {
	Agent AgentID
	Run   Run
	Now   time.Time
}

// KeepReport remembers what an agent says of its work. Refusals: not_found;
// conflict when its group is deleted.
type KeepReport struct {
	Agent  AgentID
	Report Report
	Now    time.Time
}

// KeepHealth remembers what a health check found, under a key that says what was
// checked: the answer costs money.
type KeepHealth struct {
	Key   string
	Check HealthCheck
}

func (Accept) change()      {}
func (Enlist) change()      {}
func (Reclaim) change()     {}
func (Lease) change()       {}
func (EndTurn) change()     {}
func (FailTurn) change()    {}
func (Cancel) change()      {}
func (Due) change()         {}
func (SetStopped) change()  {}
func (Observe) change()     {}
func (OpenGroup) change()   {}
func (CloseGroup) change()  {}
func (OrderAgents) change() {}
func (KeepRun) change()     {}
func (KeepReport) change()  {}
func (KeepHealth) change()  {}

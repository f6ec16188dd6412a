package messages

import "time"

// A Bill is what a turn cost, as far as its driver says so. Billed is what the
// whole session has cost by the end of the turn, for drivers that count so.
type Bill struct {
	Driver       string
	Model        string
	Micros       int64 // micro-dollars
	InputTokens  int64
	OutputTokens int64
	CachedTokens int64
	Billed       int64
}

// Empty reports whether there is nothing to write down.
func (b Bill) Empty() bool {
	return b.Micros == 0 && b.InputTokens == 0 && b.OutputTokens == 0 && b.CachedTokens == 0
}

// Parking says why a row waits although it could be read.
type Parking string

// The first two wait for a person (or the next day), the others for themselves.
const (
	ParkedTask     Parking = "task"     // usd_per_task is spent
	ParkedDay      Parking = "day"      // usd_per_day is spent
	ParkedReserved Parking = "reserved" // what is left is reserved by turns that are on
	ParkedRate     Parking = "rate"     // the model's service asked to wait
)

// Resume grants more money and releases what is parked for want of it: for one
// task (any of its tree), or with an empty Task for today. Micros 0 grants the
// configured limit once more. Refusals: not_found.
type Resume struct {
	Task   TaskID
	Micros int64
	Now    time.Time
}

func (Resume) change() {}

// ResumeTask asks for a Resume.
type ResumeTask struct {
	Task   TaskID `json:"task_id,omitempty"` // empty: the day's budget
	Micros int64  `json:"micros,omitempty"`
}

// Resumed answers ResumeTask.
type Resumed struct {
	Granted  int64 `json:"granted_micros"`
	Released int   `json:"released"`
}

// ListApprovals asks for what waits for a person's word.
type ListApprovals struct{}

// An Approval is a question to a person: may this go on, although its money is
// spent; may a job do what it is not trusted to do by itself?
type Approval struct {
	Kind    Parking   `json:"kind"`              // task or day; delete or command
	ID      string    `json:"id,omitempty"`      // by which a job's question is answered; "" = with resume
	Job     JobID     `json:"job_id,omitempty"`  // that asks
	Task    TaskID    `json:"task_id,omitempty"` // the root
	Content string    `json:"content,omitempty"` // what the task is about, or what is asked for
	Spent   int64     `json:"spent_micros"`
	Limit   int64     `json:"limit_micros"`
	Waiting int       `json:"waiting"` // messages
	Since   time.Time `json:"since"`
}

// Approvals answers ListApprovals.
type Approvals struct {
	Approvals []Approval `json:"approvals"`
}

// GetCost asks what was spent, by persona, role, group, task, driver, model
// or day; empty = day.
type GetCost struct {
	By string `json:"by,omitempty"`
}

// Cost answers GetCost, the most expensive first.
type Cost struct {
	By   string    `json:"by"`
	Rows []CostRow `json:"rows"`
}

// A CostRow is one line of a bill.
type CostRow struct {
	Key          string `json:"key"`
	Turns        int    `json:"turns"`
	Micros       int64  `json:"micros"`
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	CachedTokens int64  `json:"cached_tokens"`
}

func (ResumeTask) word()    {}
func (Resumed) word()       {}
func (ListApprovals) word() {}
func (Approvals) word()     {}
func (GetCost) word()       {}
func (Cost) word()          {}

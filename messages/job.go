package messages

import (
	"encoding/json"
	"strings"
	"time"
)

// A JobID names a job: a UUIDv7, minted by whoever opens it.
type JobID string

// A JobKind says who leads a job.
type JobKind string

// An evaluation scores a document, and improves it if asked; a run plans, executes
// and verifies a task; a chat answers one person.
const (
	JobEvaluation JobKind = "eval"
	JobRun        JobKind = "run"
	JobChat       JobKind = "chat"
)

// A JobStatus is whether a job goes on.
type JobStatus string

// A job is led until it ends in one of the last three.
const (
	JobRunning   JobStatus = "running"
	JobCompleted JobStatus = "completed"
	JobFailed    JobStatus = "failed"
	JobCancelled JobStatus = "cancelled"
)

// A Job is work that an actor of ours leads, from one agent's turn to the next.
// What it has come to is in its entries: whoever leads it can fall at any time,
// and the next one goes on from there.
type Job struct {
	ID        JobID           `json:"job_id"`
	Kind      JobKind         `json:"kind"`
	Title     string          `json:"title"`             // for people
	Session   string          `json:"session,omitempty"` // whoever counts jobs together
	Status    JobStatus       `json:"status"`
	State     string          `json:"state"`            // what is being done, in the words of its kind
	Input     json.RawMessage `json:"input,omitempty"`  // what was asked, in the type of its kind
	Output    json.RawMessage `json:"output,omitempty"` // what came of it
	Code      Code            `json:"code,omitempty"`   // why it failed …
	Error     string          `json:"error,omitempty"`  // … in a sentence
	Cost      int64           `json:"cost_micros"`      // of its agents so far
	CreatedBy Address         `json:"created_by"`
	CreatedAt time.Time       `json:"created_at"`
	EndedAt   time.Time       `json:"ended_at,omitzero"`
}

// Address is the name under which the job's leader is known to the router.
func (j Job) Address() Address { return Address(string(j.Kind) + ":" + string(j.ID)) }

// Group is the group of the job's agents. Nobody else sees it as one.
func (j Job) Group() GroupID { return GroupID(j.ID) }

// Job is the job that this address leads; ok is false when it leads none.
func (a Address) Job() (kind JobKind, id JobID, ok bool) {
	before, after, ok := strings.Cut(string(a), ":")
	switch kind = JobKind(before); kind {
	case JobEvaluation, JobRun, JobChat:
		return kind, JobID(after), ok
	}
	return "", "", false
}

// Event names what is told of a job: <kind>:<what>, as the dashboard knows it.
func (k JobKind) Event(what string) EventKind {
	if k == JobEvaluation {
		return EventKind("evaluation:" + what)
	}
	return EventKind(string(k) + ":" + what)
}

// What is told of every job, behind its kind.
const (
	JobCreated   = "created"       // Job, without input and output
	JobUpdated   = "status_update" // Job, likewise
	JobEntered   = "entry"         // JobEntry, without its body when that is long
	JobConcluded = "completed"     // Job, likewise
)

// A JobEntry is one fact in the life of a job. Seq counts from 1 within it.
type JobEntry struct {
	Job  JobID           `json:"job_id"`
	Seq  int             `json:"seq"`
	At   time.Time       `json:"at"`
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body,omitempty"`
}

// OpenJob writes a job down, before anybody leads it. A second one of the same
// caller with the same key has the first one's outcome. Refusals: conflict when
// the key meant something else.
type OpenJob struct {
	Job Job
	Key string
	Now time.Time
}

// KeepJob appends to a job what has become true. Its states are told one after
// another; the last one stays. Stale when the job has ended.
type KeepJob struct {
	Job     JobID
	States  []string
	Entries []JobEntry
	Now     time.Time
}

// CloseJob ends a job and the agents that it still has. Stale when it has ended
// before: the first one counts.
type CloseJob struct {
	Job     JobID
	Status  JobStatus
	States  []string
	Entries []JobEntry
	Output  json.RawMessage
	Code    Code
	Error   string
	Now     time.Time
}

// AskApproval writes down that a job waits for a person's word. A second one with
// the same id changes nothing.
type AskApproval struct {
	ID      string
	Job     JobID
	Kind    Parking // ParkedDelete, ParkedCommand
	Content string
	Now     time.Time
}

// GiveApproval is the person's word. Refusals: not_found; conflict when another
// word was given before.
type GiveApproval struct {
	ID    string
	Allow bool
	Now   time.Time
}

func (OpenJob) change()      {}
func (KeepJob) change()      {}
func (CloseJob) change()     {}
func (AskApproval) change()  {}
func (GiveApproval) change() {}

// What a job may have to ask a person for.
const (
	ParkedDelete  Parking = "delete"  // a file is to be deleted
	ParkedCommand Parking = "command" // a program is to be run that is not on the list
)

// GetJob asks for a job with its entries behind After; Limit 0 means as many as
// fit into an answer. Answer: JobDetail. Refusals: not_found.
type GetJob struct {
	Job   JobID `json:"job_id"`
	After int   `json:"after,omitempty"`
	Limit int   `json:"limit,omitempty"`
}

// JobDetail is a job with its entries. More is true when there are others behind
// them.
type JobDetail struct {
	Job
	Entries   []JobEntry      `json:"entries"`
	More      bool            `json:"more"`
	Approvals map[string]bool `json:"approvals,omitempty"` // those that were answered
}

// ListJobs asks for jobs, the newest first. Limit 0 means 50, the most is 500.
// Before, if there is one, is the id of a job: only older ones. Answer: Jobs.
type ListJobs struct {
	Kind    JobKind   `json:"kind,omitempty"`
	Status  JobStatus `json:"status,omitempty"`
	Session string    `json:"session,omitempty"`
	Before  JobID     `json:"before,omitempty"`
	Limit   int       `json:"limit,omitempty"`
}

// Jobs answers ListJobs, without inputs and outputs. Total counts those behind
// the limit too.
type Jobs struct {
	Jobs  []Job `json:"jobs"`
	Total int   `json:"total"`
}

// CancelJob ends a job. One that has ended stays as it is. Answer: Job. Refusals:
// not_found.
type CancelJob struct {
	Job    JobID  `json:"job_id"`
	Reason string `json:"reason,omitempty"`
}

// AnswerApproval is a person's word on what a job asks for. Answer: Done.
// Refusals: not_found; conflict when another word was given before.
type AnswerApproval struct {
	ID    string `json:"id"`
	Allow bool   `json:"allow"`
}

func (Job) word()            {}
func (GetJob) word()         {}
func (JobDetail) word()      {}
func (ListJobs) word()       {}
func (Jobs) word()           {}
func (CancelJob) word()      {}
func (AnswerApproval) word() {}

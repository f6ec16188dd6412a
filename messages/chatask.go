package messages

import "time"

// SendChat says something in a session; one that is unknown, or not named, is
// opened. Answer: ChatAccepted, at once. The answer to what was said comes as
// ChatMessageAdded. Refusals: invalid; busy when too much waits in the session.
type SendChat struct {
	Session JobID  `json:"session_id,omitempty"`
	Content string `json:"user_input"`
	Key     string `json:"idempotency_key,omitempty"`
	By      Caller `json:"by"`
}

// ChatAccepted answers SendChat: what was said is durable, and will be answered.
type ChatAccepted struct {
	Session ChatSession  `json:"session"`
	Message ChatMessage  `json:"message"`
	Answer  *ChatMessage `json:"answer,omitempty"` // if it was answered before
	Since   int64        `json:"since"`            // behind this event the answer will be told
}

// OpenSession opens a session in which nothing was said. Answer: ChatSession.
type OpenSession struct {
	Key string `json:"idempotency_key,omitempty"`
	By  Caller `json:"by"`
}

// ListSessions asks for sessions, the one with the newest activity first. Limit 0
// means 100, the most is 500. Answer: ChatSessions.
type ListSessions struct {
	Offset int `json:"offset,omitempty"`
	Limit  int `json:"limit,omitempty"`
}

// ChatSessions answers ListSessions. Total counts those behind the limit too.
type ChatSessions struct {
	Sessions []ChatSession `json:"sessions"`
	Total    int           `json:"total"`
}

// GetSession asks for what was said, in that order: the newest, or the newest
// before a message. Limit 0 means 500, which is the most. Answer: ChatDetail.
// Refusals: not_found.
type GetSession struct {
	Session JobID     `json:"session_id"`
	Before  MessageID `json:"before,omitempty"`
	Limit   int       `json:"limit,omitempty"`
}

// ChatDetail is a session with what was said in it. More is true when there is
// something before that.
type ChatDetail struct {
	ChatSession
	Messages []ChatMessage `json:"messages"`
	More     bool          `json:"more"`
}

// NameSession gives a session a title. Answer: ChatSession. Refusals: invalid;
// not_found.
type NameSession struct {
	Session JobID  `json:"session_id"`
	Title   string `json:"title"`
}

// DropSession deletes a session and all that was said in it. Answer: Done.
// Refusals: not_found.
type DropSession struct {
	Session JobID `json:"session_id"`
}

// GetSessionLog asks for the newest rows of a session's log. Limit 0 means 50, the
// most is 500. Answer: SessionLog. Refusals: not_found.
type GetSessionLog struct {
	Session JobID `json:"session_id"`
	Limit   int   `json:"limit,omitempty"`
}

// SessionLog answers GetSessionLog, the newest turn first.
type SessionLog struct {
	Records []ChatRecord `json:"records"`
}

func (SendChat) word()      {}
func (ChatAccepted) word()  {}
func (OpenSession) word()   {}
func (ChatSession) word()   {}
func (ListSessions) word()  {}
func (ChatSessions) word()  {}
func (GetSession) word()    {}
func (ChatDetail) word()    {}
func (NameSession) word()   {}
func (DropSession) word()   {}
func (GetSessionLog) word() {}
func (SessionLog) word()    {}

// OpenChat opens a session, and its job. A second one of the same caller with the
// same key has the first one's outcome.
type OpenChat struct {
	Session JobID
	By      Address
	Key     string
	Now     time.Time
}

// SayChat writes down what a person said. If there is no such session, New is
// opened. A second one of the same caller with the same key has the first one's
// outcome. Refusals: conflict when the key meant something else; busy when Most
// messages of the session have no answer yet.
type SayChat struct {
	Session JobID
	New     JobID
	Message MessageID
	Content string
	By      Address
	Key     string
	Most    int
	Now     time.Time
}

// PlanChat keeps what a message will be answered from. Stale when it has its
// answer.
type PlanChat struct {
	Message MessageID
	Plan    ChatPlan
	Now     time.Time
}

// AnswerChat writes an answer down, once: Stale when there is one, or when the
// session is gone. A session without a title gets this one.
type AnswerChat struct {
	Answer   ChatMessage
	Workflow []ChatStep
	Title    string
	Now      time.Time
}

// RecordChat writes a turn into session_logs. Stale when it is there.
type RecordChat struct {
	Record ChatRecord
	Now    time.Time
}

// SummariseChat keeps a summary of the turns up to one.
type SummariseChat struct {
	Session JobID
	Upto    int64 // the number of a turn
	Summary string
	Now     time.Time
}

// NameChat gives a session a title. Refusals: not_found.
type NameChat struct {
	Session JobID
	Title   string
	Now     time.Time
}

// DropChat deletes a session, and ends its job with its agents. Refusals:
// not_found.
type DropChat struct {
	Session JobID
	Now     time.Time
}

func (OpenChat) change()      {}
func (SayChat) change()       {}
func (PlanChat) change()      {}
func (AnswerChat) change()    {}
func (RecordChat) change()    {}
func (SummariseChat) change() {}
func (NameChat) change()      {}
func (DropChat) change()      {}

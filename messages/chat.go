package messages

import (
	"encoding/json"
	"strings"
	"time"
)

// A ChatSession is one talk with a person. It is also a job of the kind chat, with
// the same id: its turns are agents of that job.
type ChatSession struct {
	ID           JobID     `json:"id"`
	Title        *string   `json:"title"` // null until the first answer, or until somebody names it
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
	LastActivity time.Time `json:"last_activity_at"`
}

// A ChatRole is who said something.
type ChatRole string

// The person, and whoever answers.
const (
	ChatUser      ChatRole = "user"
	ChatAssistant ChatRole = "assistant"
)

// A ChatStatus is how far a message has come.
type ChatStatus string

// A person's message waits until it is answered; an answer, until it is evaluated
// and in the log.
const (
	ChatPending  ChatStatus = "pending"
	ChatAnswered ChatStatus = "answered"
	ChatStored   ChatStatus = "stored"
	ChatLogged   ChatStatus = "logged"
)

// A ChatMessage is one utterance.
type ChatMessage struct {
	ID        MessageID    `json:"id"`
	Session   JobID        `json:"session_id"`
	Role      ChatRole     `json:"role"`
	Content   string       `json:"content"`
	CreatedAt time.Time    `json:"created_at"`
	Fallback  bool         `json:"fallback"`             // nobody could answer: these words are ours
	Sources   []ChatSource `json:"sources,omitempty"`    // what an answer could lean on, the best first
	Model     string       `json:"model_used,omitempty"` // who answered, honestly: "rehearsal (no model)"
	ReplyTo   MessageID    `json:"reply_to,omitempty"`   // what it answers
	Status    ChatStatus   `json:"status"`
}

// A ChatSource is a passage that was at hand for an answer: lines of a file, or
// something that was said before.
type ChatSource struct {
	Path    string    `json:"path,omitempty"`
	Span    string    `json:"span,omitempty"`       // "L10-L42"
	Session JobID     `json:"session_id,omitempty"` // of a talk
	Message MessageID `json:"message_id,omitempty"`
	Text    string    `json:"text"`
	Score   float64   `json:"score"`
}

// Ref names the passage as answers quote it.
func (s ChatSource) Ref() string {
	if s.Path == "" {
		return "chat:" + string(s.Session)
	}
	if s.Span == "" {
		return s.Path
	}
	return s.Path + "#" + s.Span
}

// A ChatStep is one step of a turn as the log tells it.
type ChatStep struct {
	Step   string  `json:"step"`   // remember, retrieve, generate, evaluate, summarise
	Status string  `json:"status"` // ok, fallback, skipped
	Millis int64   `json:"ms"`
	Note   string  `json:"note,omitempty"`
	Agent  AgentID `json:"agentId,omitempty"`
}

// What a step can have come to.
const (
	ChatOK       = "ok"
	ChatFellBack = "fallback"
	ChatSkipped  = "skipped"
)

// A ChatPlan is what a turn was made of before anybody was asked, so that whoever
// leads it after a fall asks the same agent the same.
type ChatPlan struct {
	Prompt   string       `json:"prompt"`
	Sources  []ChatSource `json:"sources,omitempty"`
	Workflow []ChatStep   `json:"workflow"`
}

// A ChatTurn is a question with its answer, and how that came about. Numbers grow
// with each question.
type ChatTurn struct {
	Number   int64       `json:"number"`
	Question ChatMessage `json:"question"`
	Answer   ChatMessage `json:"answer"`
	Workflow []ChatStep  `json:"workflow,omitempty"`
}

// A ChatState is what is to be done in a session.
type ChatState struct {
	Session    ChatSession
	Pending    *ChatMessage // the oldest message without an answer; nil: none
	Plan       *ChatPlan    // for it, if there is one
	Unlogged   *ChatTurn    // the oldest turn that is not in the log; nil: none
	Summary    string       // of the turns up to Summarised
	Summarised int64        // number of a turn; 0: there is no summary
	Waiting    int          // messages of whole turns behind the summary
}

// A ChatRecord is a row of session_logs.
type ChatRecord struct {
	Message    MessageID       `json:"message_id"` // the answer
	UserInput  string          `json:"user_input"`
	Output     string          `json:"output"`
	RAGContext string          `json:"rag_context"`
	Score      *float64        `json:"evaluation_score"` // from 0 to 10; null: nobody could say
	Feedback   string          `json:"evaluation_feedback"`
	Workflow   json.RawMessage `json:"workflow"` // of ChatStep
	CreatedAt  time.Time       `json:"created_at"`
}

// What is told of sessions, besides what is told of every job.
const (
	ChatMessageAdded EventKind = "chat:message_added" // ChatNews with Message
	ChatUpdated      EventKind = "chat:updated"       // ChatNews with Chat
	ChatDeleted      EventKind = "chat:deleted"       // ChatNews
)

// EntryTried is the kind of the job's entries that name the agent of a turn; its
// body is a ChatTried.
const EntryTried = "tried"

// A ChatTried says which agent answers a message, so that its words can be heard
// as they come: they are its stream "said".
type ChatTried struct {
	Message MessageID `json:"message_id"`
	Agent   AgentID   `json:"agentId"`
	Try     int       `json:"try"`
}

// ChatNews is the data of the events of a session.
type ChatNews struct {
	Session JobID        `json:"session_id"`
	Message *ChatMessage `json:"message,omitempty"` // cut at 32 KiB, without the texts of its sources
	Chat    *ChatSession `json:"session,omitempty"`
}

// TitleMost is how many characters a title that we choose has.
const TitleMost = 40

// ChatTitle makes a title of what the person said first.
func ChatTitle(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.Join(strings.Fields(line), " "); line == "" {
			continue
		}
		if r := []rune(line); len(r) > TitleMost {
			return strings.TrimSpace(string(r[:TitleMost-1])) + "…"
		}
		return line
	}
	return ""
}

package messages

import "time"

// ListMessages asks for messages in the order in which they were accepted,
// after Since (a journal sequence). Limit 0 means 200; long messages make a page
// shorter, and what follows is behind its Next.
type ListMessages struct {
	Task  TaskID  `json:"task_id,omitempty"` // any task of the tree that is wanted
	Group GroupID `json:"groupId,omitempty"` // what its agents were told and answered
	Since int64   `json:"since,omitempty"`
	Limit int     `json:"limit,omitempty"`
}

// Conversation answers ListMessages.
type Conversation struct {
	Messages []CCMessage `json:"messages"`
	Next     int64       `json:"next"` // Since of the next page
}

// GetMessage asks for one message, whole.
type GetMessage struct {
	Message MessageID `json:"message_id"`
}

// A LogRow is one attempt to hand over a message. It never holds content.
type LogRow struct {
	Timestamp  time.Time `json:"timestamp"`
	From       Address   `json:"from_agent"`
	To         Address   `json:"to_agent"`
	Type       Type      `json:"message_type"`
	Size       int       `json:"message_size"`
	DurationMS float64   `json:"duration_ms,omitempty"`
	Success    bool      `json:"success"`
	Error      string    `json:"error,omitempty"`
	Level      Level     `json:"level"`
}

// A Level is how loud a log row is.
type Level string

// The levels, from the quietest.
const (
	Debug   Level = "debug"
	LogInfo Level = "info"
	Warn    Level = "warn"
	LogErr  Level = "error"
)

// AtLeast reports whether l is as loud as floor. An unknown level is info.
func (l Level) AtLeast(floor Level) bool { return l.rank() >= floor.rank() }

func (l Level) rank() int {
	switch l {
	case Debug:
		return 0
	case Warn:
		return 2
	case LogErr:
		return 3
	case LogInfo:
	}
	return 1
}

// ListLog asks for the newest rows of the communication log at Level or louder,
// oldest first. Limit 0 means 200.
type ListLog struct {
	Level Level `json:"level,omitempty"`
	Limit int   `json:"limit,omitempty"`
}

// CommunicationLog answers ListLog.
type CommunicationLog struct {
	Rows []LogRow `json:"rows"`
}

func (ListMessages) word()     {}
func (Conversation) word()     {}
func (GetMessage) word()       {}
func (ListLog) word()          {}
func (CommunicationLog) word() {}

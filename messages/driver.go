package messages

import (
	"context"
	"encoding/json"
	"time"
)

// A Driver turns a brief into a stream of events: one implementation for each
// kind of agent.
type Driver interface {
	// Name is the kind, as kurogo.toml writes it.
	Name() string

	// Probe says what the driver can do here. It never spends money. Errors:
	// unavailable, naming the command and how to get it.
	Probe(ctx context.Context) (Caps, error)

	// Start begins one life: one OS process, or one connection. ctx bounds the
	// start only; the life ends by Session.Stop. Errors: unavailable when the
	// command is missing, invalid when the spec cannot work.
	Start(ctx context.Context, spec Spec) (Session, error)
}

// A Session is one life of an agent. Send, Answer and Interrupt may be called
// from another goroutine than the one that reads Events, but not two at once.
type Session interface {
	// Events is closed exactly once, after an event of kind DriverExited.
	// Nobody reads: the agent is held back by its pipe.
	Events() <-chan DriverEvent

	// Send begins a turn. It ends with an event of kind DriverTurnEnded, or
	// with the life.
	Send(ctx context.Context, t Turn) error

	// Answer gives the result of a DriverToolAsked.
	Answer(ctx context.Context, r ToolResult) error

	// Interrupt asks the running turn to end soon.
	Interrupt(ctx context.Context) error

	// Stop ends the life and everything that it started: soft, then after the
	// grace hard, then sweeping. It may be called often and always answers the
	// same. Events must be drained, or dropped, by the caller.
	Stop(ctx context.Context) Exit

	// Pid is the process's id, 0 where there is none.
	Pid() int
}

// Spec is the brief of one life: plain data, no func, no file, no handle.
type Spec struct {
	Life         string  // KUROGO_LIFE: <store>:<epoch>:<agent>
	Agent        Address // who it is
	Model        string
	SystemPrompt string
	Language     string // "ja" or "en"
	Dir          string // working directory
	Home         string // where this agent may keep its configuration and temporary files
	Tools        []Tool // offered in-band
	Session      string // resume this session …
	Border       string // … at this message; both empty = a fresh one
	StartTimeout time.Duration
	Grace        time.Duration // between the soft and the hard end

	OneShot bool              // one turn, and the life ends by itself after it
	Cap     int64             // micro-dollars at which the CLI itself ends a turn, if it can (Caps.HardCap); 0 = none
	Env     map[string]string // added to the environment of this life: keys of its caller; never logged
	MCP     MCPServer         // offered to the agent under the name "kurogo"; zero = none
	Raw     bool              // tell every line of the output as DriverRaw, before what it means

	Schema   json.RawMessage // JSON Schema of a turn's final text (Caps.Schema); empty = the text is free
	ReadOnly bool            // the agent may look at files, and change none
	Deltas   bool            // tell text as it comes, as DriverDelta, before the passage that it becomes
}

// An MCPServer is where an agent finds the tools that are not offered in-band:
// streamable HTTP with a bearer token.
type MCPServer struct {
	URL   string
	Token string
}

// Caps is what a driver can do.
type Caps struct {
	Version      string `json:"version"`
	LongLived    bool   `json:"long_lived"`    // many turns in one life
	Resume       bool   `json:"resume"`        // a session goes on in another life
	InBandTools  bool   `json:"in_band_tools"` // DriverToolAsked works
	Interrupt    bool   `json:"interrupt"`
	SystemPrompt bool   `json:"system_prompt"`
	Cost         bool   `json:"cost"`
	HardCap      bool   `json:"hard_cap"`  // Spec.Cap is kept by the CLI itself
	MCP          bool   `json:"mcp"`       // Spec.MCP reaches the agent
	Schema       bool   `json:"schema"`    // Spec.Schema is kept by the CLI itself
	Rehearsal    bool   `json:"rehearsal"` // played, not thought

	Models []string `json:"models,omitempty"` // that it can use; empty = it cannot tell
}

// A Turn is what an agent is told. Text is the whole prompt; Messages are what
// it was made of.
type Turn struct {
	ID       string // unique within a life
	Attempt  int
	Task     TaskID
	Messages []CCMessage
	Text     string
}

// A Tool is something that an agent or a client may ask for. Schema and Answer
// are JSON Schema; the JSON names are those of MCP.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
	Answer      json.RawMessage `json:"outputSchema,omitempty"`
	Hints       *Hints          `json:"annotations,omitempty"`
}

// Hints say what calling a tool means, in MCP's four annotations.
type Hints struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// A ToolCall is an agent's use of a tool.
type ToolCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input,omitempty"`
}

// A ToolResult answers a ToolCall.
type ToolResult struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	IsError bool   `json:"is_error,omitempty"`
}

// A DriverEvent is one thing that happened in a life.
type DriverEvent struct {
	Kind  DriverKind
	Turn  string   // the turn's id, where there is one
	Text  string   // DriverThought, DriverSaid, DriverDelta, DriverWarned, DriverRaw (one line, without its end)
	Tool  ToolCall // DriverToolAsked, DriverToolStarted, DriverToolEnded
	File  FileChange
	End   TurnEnd  // DriverTurnEnded
	Exit  Exit     // DriverExited
	Usage Usage    // DriverUsed
	Argv  []string // of the process, without secrets: on the first event that it is behind
}

// A DriverKind says which fields of a DriverEvent count.
type DriverKind string

// What can happen in a life. An event that a driver does not understand is a
// warning, never a failure.
const (
	DriverReady       DriverKind = "ready"        // the life can take its first turn
	DriverThought     DriverKind = "thought"      // a whole thought
	DriverSaid        DriverKind = "said"         // a whole passage of text
	DriverDelta       DriverKind = "delta"        // a piece of a passage that is being said; DriverSaid repeats all of it
	DriverToolAsked   DriverKind = "tool_asked"   // we must Answer
	DriverToolStarted DriverKind = "tool_started" // the agent uses a tool of its own
	DriverToolEnded   DriverKind = "tool_ended"
	DriverChanged     DriverKind = "changed" // File was written by one of the agent's tools
	DriverUsed        DriverKind = "used"
	DriverRaw         DriverKind = "raw"
	DriverWarned      DriverKind = "warned"
	DriverTurnEnded   DriverKind = "turn_ended"
	DriverExited      DriverKind = "exited"
)

// A FileChange is a file that an agent wrote or removed, as far as its stream
// tells. Path is as the agent names it.
type FileChange struct {
	Path string
	Kind FileChangeKind
}

// A FileChangeKind says what became of a file.
type FileChangeKind string

// What can become of a file.
const (
	FileCreated FileChangeKind = "created"
	FileEdited  FileChangeKind = "edited" // also where created cannot be told apart
	FileDeleted FileChangeKind = "deleted"
)

// TurnEnd says how a turn ended. Class is empty exactly when it ended well.
type TurnEnd struct {
	Text       string // the final text, or what went wrong
	Class      Class
	Session    string // resumable from here …
	Border     string // … at this message
	RetryAfter time.Duration
}

// Exit says how a life ended. Class is empty exactly when it ended well.
type Exit struct {
	Code   int    // exit status; -1 when a signal ended it
	Signal string // its name, if one did
	Class  Class
	Reason string // one sentence for people
	Stderr string // the last of it, redacted
}

// Usage is what a turn used. Cost is in micro-dollars; Cumulative means that the
// cost, but not the tokens, counts since the session began.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
	CachedTokens int64
	CostMicros   int64
	Cumulative   bool
}

// A Class is the kind of a failure inside a life; it decides what follows.
type Class string

// The classes.
const (
	ClassNone        Class = ""
	ClassAuth        Class = "auth"     // not logged in: stop and say so
	ClassMissing     Class = "missing"  // there is no such program: stop and say so
	ClassInvalid     Class = "invalid"  // the request cannot work: stop and say so
	ClassRate        Class = "rate"     // too fast: wait
	ClassServer      Class = "server"   // the model's service fell: wait
	ClassCrash       Class = "crash"    // the process fell: begin anew
	ClassTimeout     Class = "timeout"  // too slow: kill and begin anew
	ClassKilled      Class = "killed"   // we ended it
	ClassProtocol    Class = "protocol" // it spoke nonsense: begin anew
	ClassFormat      Class = "format"   // what it said has not the form that was asked for, however often it was told
	ClassInterrupted Class = "interrupted"
)

// Retryable reports whether the same turn may succeed in another attempt.
func (c Class) Retryable() bool {
	switch c {
	case ClassAuth, ClassMissing, ClassInvalid:
		return false
	case ClassNone, ClassRate, ClassServer, ClassCrash, ClassTimeout, ClassKilled, ClassProtocol, ClassFormat, ClassInterrupted:
	}
	return true
}

// Code is the error code that a failure of this class has outside.
func (c Class) Code() Code {
	switch c {
	case ClassAuth, ClassMissing:
		return CodeUnavailable
	case ClassInvalid:
		return CodeInvalid
	case ClassRate:
		return CodeRateLimited
	case ClassServer:
		return CodeUnavailable
	case ClassTimeout:
		return CodeDeadline
	case ClassInterrupted, ClassKilled:
		return CodeCancelled
	case ClassNone, ClassCrash, ClassProtocol, ClassFormat:
	}
	return CodeInternal
}

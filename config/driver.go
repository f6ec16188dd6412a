package config

// A Driver is one way to run an agent.
type Driver struct {
	Kind        string            `toml:"kind"`       // one of Kinds
	Command     string            `toml:"command"`    // to run; "" = the kind's own; unused by hermes and rehearsal
	Args        []string          `toml:"args"`       // before Kurogo's own
	Env         map[string]string `toml:"env"`        // added to the allow-list
	Config      string            `toml:"config"`     // "isolated" or "shared" CLI login; "" = by what is found
	Permission  string            `toml:"permission"` // "allow", "edits", "deny", or what else the CLI has a word for; "" = the kind's own
	Performance string            `toml:"performance"`

	// Of the kind command: how its output is read. A path is names joined by
	// dots, as in "choices.0.delta".
	Output  string                 `toml:"output"`  // "text", or "ndjson" for lines of JSON
	Type    string                 `toml:"type"`    // path of what names the type of a line; "" = "type"
	Session string                 `toml:"session"` // path of the session's id; "" = none
	Events  map[string]DriverEvent `toml:"events"`  // what each type of line means

	// Of the kind hermes: the model that is called.
	API            string  `toml:"api"`              // "ollama", "openai"
	Endpoint       string  `toml:"endpoint"`         // "" = the API's own, once loaded
	APIKeyEnv      string  `toml:"api_key_env"`      // variable that has the key
	Model          string  `toml:"model"`            // of agents that name none
	MaxTokens      int     `toml:"max_tokens"`       // of one answer
	ContextTokens  int     `toml:"context_tokens"`   // of a conversation
	MaxAnswerBytes int     `toml:"max_answer_bytes"` // of one answer, whatever it says
	Temperature    float64 `toml:"temperature"`
	NativeTools    bool    `toml:"native_tools"` // tools are called in the API's own way, else in our JSON
}

// A DriverEvent is what one type of line means. All but Kind, When, Join and Good
// are paths.
type DriverEvent struct {
	Kind         string            `toml:"kind"` // said, thought, tool, tool_started, tool_ended, used, warned, ended, failed, ignored
	When         map[string]string `toml:"when"` // path → value: only then
	Each         string            `toml:"each"` // a list of events within the line
	Text         string            `toml:"text"`
	Join         bool              `toml:"join"` // a piece of a text that goes on
	Good         map[string]string `toml:"good"` // path → value: otherwise the turn has failed
	ID           string            `toml:"id"`   // of a tool
	Name         string            `toml:"name"`
	Input        string            `toml:"input"`
	InputTokens  string            `toml:"input_tokens"`
	OutputTokens string            `toml:"output_tokens"`
	CachedTokens string            `toml:"cached_tokens"`
	Cost         string            `toml:"cost"` // in dollars
}

// commands are the kinds of drivers with what each runs by default. Cursor looks
// for its two names itself.
var commands = map[string]string{
	"claude":    "claude",
	"codex":     "codex",
	"cursor":    "",
	"command":   "",
	"hermes":    "",
	"rehearsal": "",
}

// clis are the programs by which init knows a kind.
var clis = map[string][]string{"claude": {"claude"}, "codex": {"codex"}, "cursor": {"agent", "cursor-agent"}}

// Kinds lists the kinds that a driver can be of.
func Kinds() []string {
	return []string{"claude", "codex", "cursor", "command", "hermes", "rehearsal"}
}

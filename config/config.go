package config

import (
	"math"
	"time"

	"kurogo/messages"
)

// A Config is a whole, valid configuration: plain values, nothing to resolve.
// Load makes it.
type Config struct {
	Path     string `toml:"-"`        // absolute, of the file it came from; "" = built in
	Language string `toml:"language"` // "ja" or "en"
	Driver   string `toml:"driver"`   // of personas and roles that name none; "" = cmd chooses, by UseDriver and UseRoleDriver

	HealthCheck HealthCheck `toml:"health_check"` // when roles are asked whether they are well

	Server     Server             `toml:"server"`
	Limits     Limits             `toml:"limits"`
	Timeouts   Timeouts           `toml:"timeouts"`
	Reconnect  Reconnect          `toml:"reconnect"`
	Log        Log                `toml:"log"`
	Drivers    map[string]Driver  `toml:"drivers"`
	Roles      map[string]Role    `toml:"roles"`
	Personas   map[string]Persona `toml:"personas"`
	Evaluation Evaluation         `toml:"evaluation"`
	Run        Run                `toml:"run"`
	Workspace  Workspace          `toml:"workspace"`
	Index      Index              `toml:"index"`
	Chat       Chat               `toml:"chat"`
	Notify     Notify             `toml:"notify"`
}

// Server says where Kurogo listens and whom it believes.
type Server struct {
	Listen             string `toml:"listen"`               // host:port of dashboard, API and MCP
	MCPWebSocketListen string `toml:"mcp_websocket_listen"` // host:port; "" = off
	Auth               string `toml:"auth"`                 // "token", or "none" on loopback
	LegacyErrorCodes   bool   `toml:"legacy_error_codes"`
}

// Limits bounds what could grow without end.
type Limits struct {
	MaxConcurrent   int           `toml:"max_concurrent"`  // working processes
	DefaultTimeout  time.Duration `toml:"default_timeout"` // of an agent run
	USDPerDay       float64       `toml:"usd_per_day"`     // 0 = no limit
	USDPerTask      float64       `toml:"usd_per_task"`    // 0 = no limit
	USDPerTurn      float64       `toml:"usd_per_turn"`    // set aside for a turn while it is on
	MessageBytes    int           `toml:"message_bytes"`
	ThinkingBytes   int           `toml:"thinking_bytes"`
	Depth           int           `toml:"depth"`             // of sub-tasks below a root task
	OpenSubtasks    int           `toml:"open_subtasks"`     // that one task may wait for
	MessagesPerRoot int           `toml:"messages_per_root"` // below one root task
	InboxDepth      int           `toml:"inbox_depth"`       // pending rows of one persona
	Attempts        int           `toml:"attempts"`          // of one delivery
	QueuedAgents    int           `toml:"queued_agents"`     // queued or running at a time
}

// Timeouts are how long Kurogo waits before it steps in.
type Timeouts struct {
	ProcessStart   time.Duration `toml:"process_start"`   // from exec to ready
	MessageSend    time.Duration `toml:"message_send"`    // from the edge to accepted
	MessageReceive time.Duration `toml:"message_receive"` // from turn given to first event
	Task           time.Duration `toml:"task"`            // one turn of one persona
	Idle           time.Duration `toml:"idle"`            // without an event
}

// Reconnect says how a fallen process is brought back.
type Reconnect struct {
	MaxRetries    int           `toml:"max_retries"`
	InitialDelay  time.Duration `toml:"initial_delay"`
	MaxDelay      time.Duration `toml:"max_delay"`
	BackoffFactor float64       `toml:"backoff_factor"`
}

// Log says how much is logged.
type Log struct {
	Level messages.Level `toml:"level"`
}

// A Persona is one member of the crew.
type Persona struct {
	Title        string             `toml:"title"`
	Driver       string             `toml:"driver"`
	Model        string             `toml:"model"` // "" = the driver's own
	ReportsTo    messages.Address   `toml:"reports_to"`
	TalksTo      []messages.Address `toml:"talks_to"`
	PromptFile   string             `toml:"prompt_file"` // absolute once loaded; its text is in SystemPrompt
	SystemPrompt string             `toml:"system_prompt"`
	Gather       messages.Gather    `toml:"gather"`
	RoleCheck    bool               `toml:"role_check"`

	undecided bool // names no driver itself
}

// MessageLimits are the limits as the protocol wants them.
func (c Config) MessageLimits() messages.Limits {
	return messages.Limits{
		MessageBytes:    c.Limits.MessageBytes,
		ThinkingBytes:   c.Limits.ThinkingBytes,
		Depth:           c.Limits.Depth,
		OpenSubtasks:    c.Limits.OpenSubtasks,
		MessagesPerRoot: c.Limits.MessagesPerRoot,
		InboxDepth:      c.Limits.InboxDepth,
		Attempts:        c.Limits.Attempts,
		QueuedAgents:    c.Limits.QueuedAgents,
		TaskMicros:      Micros(c.Limits.USDPerTask),
		DayMicros:       Micros(c.Limits.USDPerDay),
	}
}

// Micros turns dollars into micro-dollars, the unit in which money is counted.
func Micros(usd float64) int64 { return int64(math.Round(usd * 1e6)) }

// UseDriver gives the named driver to every persona that names none itself.
func (c *Config) UseDriver(name string) {
	for key, p := range c.Personas {
		if p.undecided {
			p.Driver = name
			c.Personas[key] = p
		}
	}
}

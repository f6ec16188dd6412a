package actors

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// A Company is what all agents of all groups share.
type Company struct {
	Roles    map[string]messages.Role
	Limits   messages.Limits
	Timeouts Timeouts
	Backoff  Backoff
	Language string
	Store    string // the journal's id, for the mark of each life
	Working  int    // how many agents may work at a time; limits.max_concurrent
	Starting int    // how many of them may be on their way to their first sign of life

	Journal Journal
	Archive Register
	Clock   Clock
	Log     *slog.Logger
	Crafts  map[string]Craft // by driver
	Rooms   Rooms
	Streams Streams
	Passes  Passes
	Keys    *Keys
	Library Library       // its passages stand under the prompts of agents that work for no job
	Toolbox Toolbox       // nil: agents of jobs have no tools of ours
	MCP     func() string // where agents find our tools; "" = nowhere
	Health  HealthMode
	// Rehearsed reports whether a driver plays instead of thinking.
	Rehearsed func(driver string) bool

	Admission *actor.PID // the tree fills these in
	Checkup   *actor.PID
	Listed    *Listed
}

// Listed is what the checkup last told of the roles, until something may have
// changed. Whoever finds it need not ask, and changes nothing in it.
type Listed struct {
	atomic.Pointer[messages.Roles]
	book atomic.Pointer[map[string]messages.Role] // of roles that were replaced; nil: they are the company's
}

// A Craft is one driver as agents use it.
type Craft struct {
	Life    func(spec messages.Spec, n int) *actor.Props // Lives of the driver, or a stand-in
	Probe   func(ctx context.Context) (messages.Caps, error)
	Reserve func(role string) int64 // micro-dollars that a turn may cost; 0 = it costs nothing
	InBand  bool                    // its agents hear of our tools in-band, not by MCP
	Keys    []string                // the variables that may reach its agents from a caller's environment
}

// A Register reads what the journal holds of groups and agents.
type Register interface {
	Agent(ctx context.Context, id messages.AgentID) (messages.AgentDetail, error)
	Agents(ctx context.Context, q messages.ListAgents) (messages.Agents, error)
	Waiting(ctx context.Context, group messages.GroupID) ([]messages.Agent, error)
	BusyGroups(ctx context.Context) ([]messages.GroupID, error)
	Group(ctx context.Context, id messages.GroupID) (messages.Group, error)
	Groups(ctx context.Context, q messages.ListGroups) (messages.Groups, error)
	Health(ctx context.Context, key string) (messages.HealthCheck, error)
}

// Rooms are where agents work: a directory, and a home for the configuration of
// their CLI. Both calls may take as long as git does.
type Rooms interface {
	// Enter prepares a room. Errors: invalid when the directory cannot be used.
	Enter(ctx context.Context, a messages.Agent) (dir, home string, err error)
	// Leave gives the room back. diff is what an agent of a worktree changed.
	Leave(ctx context.Context, a messages.Agent) (diff string, err error)
}

// Streams keep what the processes of agents say, byte by byte.
type Streams interface {
	Append(agent messages.AgentID, stream string, data []byte) error
	Close(agent messages.AgentID) error // nothing will be said any more
}

// Passes are the tokens by which agents are known to our own edge.
type Passes interface {
	Issue(agent messages.AgentID, epoch int) (token string)
	Revoke(agent messages.AgentID, epoch int)
}

// A Toolbox holds the tools that a job may give its agents.
type Toolbox interface {
	Offer(names []string) []messages.Tool
	// Call answers one use of a tool. It never fails: what goes wrong is told to
	// the agent.
	Call(ctx context.Context, agent messages.Agent, call messages.ToolCall) messages.ToolResult
}

// A HealthMode says when a role's health prompt, which costs money, is asked.
type HealthMode string

// At every start, when it is not known from earlier, or never.
const (
	HealthAtStart HealthMode = "start"
	HealthCached  HealthMode = "cached"
	HealthOff     HealthMode = "off"
)

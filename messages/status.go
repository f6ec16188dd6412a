package messages

import "time"

// GetStatus asks the owner of the state directory how it is.
type GetStatus struct{}

// A Status is what a running Kurogo says of itself.
type Status struct {
	Version   string    `json:"version"`
	Schema    int       `json:"schema"`
	Store     string    `json:"store"`
	Pid       int       `json:"pid"`
	StateDir  string    `json:"state_dir"`
	Config    string    `json:"config"` // the file's path, or "built-in"
	StartedAt time.Time `json:"started_at"`
	Rehearsal bool      `json:"rehearsal"` // some persona is played, not thought
	OpenTasks int       `json:"open_tasks"`
	LastEvent int64     `json:"last_event"`
	HTTP      string    `json:"http,omitempty"`          // address of dashboard, API and MCP; "" = nowhere
	WebSocket string    `json:"mcp_websocket,omitempty"` // address of the second MCP listener; "" = nowhere
}

// GetLogin asks for an address at which one browser may log in, once.
type GetLogin struct{}

// A Login answers GetLogin.
type Login struct {
	URL string `json:"url"`
}

// RenewToken replaces the owner's token; whoever came with the one before is
// sent away. Answer: Done.
type RenewToken struct{}

// CheckJournal asks for the invariants of the journal to be checked.
type CheckJournal struct{}

// A JournalReport lists what is wrong with a journal; nothing, if all is well.
type JournalReport struct {
	Checked    []string    `json:"checked"`
	Violations []Violation `json:"violations"`
}

// A Violation is one row that breaks one invariant.
type Violation struct {
	Invariant string `json:"invariant"`
	Subject   string `json:"subject"`
}

// StopHouse asks the owner to stop in order: intake, work, edge.
type StopHouse struct {
	IfIdle bool `json:"if_idle,omitempty"` // refuse with conflict while tasks are open
}

// Done answers a request that has nothing else to say.
type Done struct{}

func (GetStatus) word()     {}
func (GetLogin) word()      {}
func (Login) word()         {}
func (RenewToken) word()    {}
func (Status) word()        {}
func (CheckJournal) word()  {}
func (JournalReport) word() {}
func (StopHouse) word()     {}
func (Done) word()          {}

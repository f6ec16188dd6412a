package messages

import (
	"slices"
	"time"
)

// Gather says when the answers of a task's sub-tasks are handed over.
type Gather string

// All hands every answer over in one turn when the last is in; Each gives every
// answer a turn of its own.
const (
	All  Gather = "all"
	Each Gather = "each"
)

// A Persona is one place in the hierarchy: who it is, whom it answers to and
// whom it may write to. config makes it; nobody changes it afterwards.
type Persona struct {
	Name         Address
	Title        string
	Driver       string
	Model        string
	ReportsTo    Address
	TalksTo      []Address
	SystemPrompt string
	Gather       Gather
	RoleCheck    bool
}

// A Hierarchy is the whole crew by name.
type Hierarchy map[Address]Persona

// Names lists the crew, sorted.
func (h Hierarchy) Names() []Address {
	out := make([]Address, 0, len(h))
	for name := range h {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Tops lists, sorted, the personas that report to the user.
func (h Hierarchy) Tops() []Address {
	return slices.DeleteFunc(h.Names(), func(a Address) bool { return h[a].ReportsTo != User })
}

// A PersonaState is what a persona's actor is doing.
type PersonaState string

// The states of a persona.
const (
	PersonaIdle     PersonaState = "idle"     // no process; the next message starts one
	PersonaStarting PersonaState = "starting" // its process is not ready yet
	PersonaReady    PersonaState = "ready"    // its process waits for a message
	PersonaWorking  PersonaState = "working"  // a turn is on
	PersonaBackoff  PersonaState = "backoff"  // it fell and waits before it rises
	PersonaStopped  PersonaState = "stopped"  // a person stopped it; its inbox waits
)

// A Member is a persona as the crew list shows it.
type Member struct {
	Name      Address      `json:"name"`
	Title     string       `json:"title"`
	Driver    string       `json:"driver"`
	Model     string       `json:"model,omitempty"`
	ReportsTo Address      `json:"reports_to"`
	State     PersonaState `json:"state"`
	Epoch     int          `json:"epoch"`
	Restarts  int          `json:"restarts"`
	Inbox     int          `json:"inbox_depth"`
	Task      TaskID       `json:"task_id,omitempty"`
	Pid       int          `json:"pid,omitempty"`
	LastError string       `json:"last_error,omitempty"`
	Since     time.Time    `json:"since,omitzero"`
	RisesAt   time.Time    `json:"rises_at,omitzero"` // while in backoff
}

// GetCrew asks for the crew.
type GetCrew struct{}

// GetMember asks for one of the crew.
type GetMember struct {
	Name Address `json:"name"`
}

// Crew answers GetCrew, in the order of the hierarchy.
type Crew struct {
	Members []Member `json:"members"`
}

// StopPersona lets a persona finish nothing more: its process ends, its inbox
// keeps what it has and what comes.
type StopPersona struct {
	Name Address `json:"name"`
}

// StartPersona undoes StopPersona.
type StartPersona struct {
	Name Address `json:"name"`
}

func (Member) word()       {}
func (GetCrew) word()      {}
func (GetMember) word()    {}
func (Crew) word()         {}
func (StopPersona) word()  {}
func (StartPersona) word() {}

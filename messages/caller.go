package messages

// A Caller is on whose behalf the edge asks: the owner of the project, or one of
// its agents. The edge fills it in from the connection; it is never taken from
// arguments.
type Caller struct {
	Agent   AgentID           `json:"agent,omitempty"`   // "" = the owner
	Client  string            `json:"client,omitempty"`  // as the client names itself, for example claude-code
	Session string            `json:"session,omitempty"` // of the connection
	Dir     string            `json:"dir,omitempty"`     // where the client works; "" = unknown
	Env     map[string]string `json:"env,omitempty"`     // the keys of its environment, for the children of their own drivers; kept in memory only
}

// Address is the name under which the caller writes messages.
func (c Caller) Address() Address {
	if c.Agent == "" {
		return User
	}
	return c.Agent.Address()
}

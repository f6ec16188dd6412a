package config

import (
	"maps"
	"time"

	"kurogo/messages"
)

func defaults() Config {
	l := messages.DefaultLimits()
	return Config{
		Language:    "ja",
		HealthCheck: HealthCached,
		Server: Server{ //nolint:gosec // "token" is the name of a method, not a credential
			Listen:             "127.0.0.1:9696",
			MCPWebSocketListen: "127.0.0.1:23100",
			Auth:               "token",
		},
		Limits: Limits{
			MaxConcurrent:   10,
			DefaultTimeout:  5 * time.Minute,
			USDPerTurn:      0.5,
			MessageBytes:    l.MessageBytes,
			ThinkingBytes:   l.ThinkingBytes,
			Depth:           l.Depth,
			OpenSubtasks:    l.OpenSubtasks,
			MessagesPerRoot: l.MessagesPerRoot,
			InboxDepth:      l.InboxDepth,
			Attempts:        l.Attempts,
			QueuedAgents:    l.QueuedAgents,
		},
		Timeouts: Timeouts{
			ProcessStart:   30 * time.Second,
			MessageSend:    10 * time.Second,
			MessageReceive: 60 * time.Second,
			Task:           300 * time.Second,
			Idle:           120 * time.Second,
		},
		Reconnect: Reconnect{
			MaxRetries:    5,
			InitialDelay:  time.Second,
			MaxDelay:      60 * time.Second,
			BackoffFactor: 2,
		},
		Log:        Log{Level: messages.LogInfo},
		Drivers:    map[string]Driver{},
		Roles:      map[string]Role{},
		Personas:   map[string]Persona{},
		Evaluation: defaultEvaluation(),
		Run:        defaultRun(),
		Workspace:  defaultWorkspace(),
		Index:      defaultIndex(),
		Chat:       defaultChat(),
		Notify:     defaultNotify(),
	}
}

// entries puts into c what the named tables of the tree are laid over. A tree
// without personas (or roles) has all the built-in ones; drivers only add.
func (c *Config) entries(tree map[string]any) {
	for name, command := range commands {
		if name != "command" { // cannot work before the file says what to run
			c.Drivers[name] = Driver{Kind: name, Command: command}
			under(tree, "drivers", name)
		}
	}
	if _, ok := tree["personas"]; !ok {
		for name := range crew {
			under(tree, "personas", string(name))
		}
	}
	if _, ok := tree["roles"]; !ok {
		for name := range roles {
			under(tree, "roles", name)
		}
	}
	for name := range tables(tree["personas"]) {
		c.Personas[name] = Persona{ReportsTo: crew[messages.Address(name)].reportsTo, Gather: messages.All, RoleCheck: true}
	}
	for name := range tables(tree["roles"]) {
		c.Roles[name] = roles[name].role()
	}
	for name := range tables(tree["drivers"]) {
		if _, ok := c.Drivers[name]; !ok {
			c.Drivers[name] = Driver{Kind: name}
		}
	}
}

// under makes sure that tree has the table section.name, unless something that
// is no table stands there: the decoder says so later.
func under(tree map[string]any, section, name string) {
	if _, ok := tree[section]; !ok {
		tree[section] = map[string]any{}
	}
	if all, ok := tree[section].(map[string]any); ok && all[name] == nil {
		all[name] = map[string]any{}
	}
}

func tables(section any) map[string]any {
	all, _ := section.(map[string]any)
	return maps.Clone(all)
}

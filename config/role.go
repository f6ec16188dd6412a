package config

import (
	"cmp"
	"maps"
	"slices"

	"kurogo/messages"
)

// A HealthCheck says when roles are asked whether they are well: each question
// is a paid turn.
type HealthCheck string

// A role is asked at every start, at the first start since its driver, model or
// question changed, or never.
const (
	HealthAtStart HealthCheck = "start"
	HealthCached  HealthCheck = "cached"
	HealthOff     HealthCheck = "off"
)

// A Role is what an agent of a group can be.
type Role struct {
	Name              string             `toml:"name"` // as people see it
	Driver            string             `toml:"driver"`
	Model             string             `toml:"model"` // "" = the driver's own
	SystemPrompt      string             `toml:"system_prompt"`
	SystemPromptFile  string             `toml:"system_prompt_file"`  // absolute once loaded; its text is in SystemPrompt
	HealthCheckPrompt string             `toml:"health_check_prompt"` // "" = it is not asked
	Tools             []string           `toml:"tools"`
	Isolation         messages.Isolation `toml:"isolation"`   // "none", or "worktree" for a git worktree of its own
	TurnBudget        float64            `toml:"turn_budget"` // US dollars set aside for a run; 0 = limits.usd_per_turn

	undecided bool // names no driver itself …
	modelless bool // … or no model
}

// UseRoleDriver gives the named driver to every role that names none itself,
// and with it the model, unless the role names one.
func (c *Config) UseRoleDriver(name, model string) {
	for key, r := range c.Roles {
		if !r.undecided {
			continue
		}
		r.Driver = name
		if r.modelless {
			r.Model = model
		}
		c.Roles[key] = r
	}
}

// RoleList is what an agent can be, in the order of the ids.
func (c Config) RoleList() []messages.Role {
	out := make([]messages.Role, 0, len(c.Roles))
	for _, id := range slices.Sorted(maps.Keys(c.Roles)) {
		r := c.Roles[id]
		out = append(out, messages.Role{
			ID: id, Name: r.Name, Driver: r.Driver, Model: r.Model, SystemPrompt: r.SystemPrompt,
			HealthPrompt: r.HealthCheckPrompt, Tools: slices.Clone(r.Tools), Isolation: r.Isolation,
		})
	}
	return out
}

// RoleBudget is what is set aside for a run of the role, in micro-dollars.
func (c Config) RoleBudget(id string) int64 {
	return Micros(cmp.Or(c.Roles[id].TurnBudget, c.Limits.USDPerTurn))
}

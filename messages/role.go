package messages

import "time"

// A Role is what an agent can be: plain values of the configuration.
type Role struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"`
	Driver       string    `json:"driver"`
	Model        string    `json:"model"` // "" = the driver's own
	SystemPrompt string    `json:"systemPrompt"`
	HealthPrompt string    `json:"healthCheckPrompt"`
	Tools        []string  `json:"tools"`
	Isolation    Isolation `json:"isolation"`
	Hidden       bool      `json:"hidden,omitempty"` // it works for jobs only
}

// A HealthStatus is what is known of a role's health.
type HealthStatus string

// What can be known of a role's health.
const (
	HealthChecking HealthStatus = "checking"
	HealthPassed   HealthStatus = "passed"
	HealthFailed   HealthStatus = "failed"
	HealthSkipped  HealthStatus = "skipped"
)

// A HealthCheck says whether a role has answered.
type HealthCheck struct {
	Status       HealthStatus `json:"status"`
	Reason       string       `json:"reason,omitempty"`
	ResponseTime int64        `json:"responseTime_ms,omitempty"`
	CheckedAt    time.Time    `json:"checkedAt,omitzero"`
}

// A ModelStatus is whether a driver has a role's model.
type ModelStatus string

// What can be known of a model.
const (
	ModelValid   ModelStatus = "valid"
	ModelInvalid ModelStatus = "invalid"
	ModelUnknown ModelStatus = "unknown" // the driver cannot tell, or has not yet
)

// A ModelValidation says whether a role's model exists.
type ModelValidation struct {
	Status          ModelStatus `json:"status"`
	Message         string      `json:"message,omitempty"`
	CheckedAt       time.Time   `json:"checkedAt,omitzero"`
	AvailableModels []string    `json:"availableModels,omitempty"`
}

// A RoleState is a role and whether it can be run. One that is still checking is
// available: its agents queue until it is known.
type RoleState struct {
	Role
	Available bool            `json:"available"`
	Health    HealthCheck     `json:"healthCheck"`
	Validity  ModelValidation `json:"modelValidation"`
}

// ListRoles asks for all roles, without their prompts unless they are wanted:
// they are long, and nobody's who only chooses. Answer: Roles.
type ListRoles struct {
	Prompts bool `json:"prompts,omitempty"`
}

// Roles answers ListRoles, in the order of their ids. Checking counts those of
// which it is not yet known.
type Roles struct {
	Roles    []RoleState `json:"roles"`
	Checking int         `json:"checking"`
}

// CheckRoles looks at a role anew, or at all; the answer comes at once, what is
// found as events. Answer: Done. Refusals: not_found.
type CheckRoles struct {
	Role string `json:"role,omitempty"` // "" = all
}

func (ListRoles) word()  {}
func (Roles) word()      {}
func (RoleState) word()  {}
func (CheckRoles) word() {}

package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Run says how a task is planned, executed and verified.
type Run struct {
	Planner           string        `toml:"planner"`          // role; "" = chosen, by PlannerRole
	Executor          string        `toml:"executor"`         // role; "" = chosen, by ExecutorRole
	MaxInvalidJSON    int           `toml:"max_invalid_json"` // in a row, of the executor
	MaxRepairs        int           `toml:"max_repairs"`      // of one step
	MaxTurns          int           `toml:"max_turns"`        // of one step
	BreakAfter        int           `toml:"break_after"`      // failed steps in a row end the run
	VerifyPrograms    []string      `toml:"verify_programs"`  // that a step may be verified with, unasked
	VerifyTimeout     time.Duration `toml:"verify_timeout"`   // of one of them
	VerifyOutputBytes int           `toml:"verify_output_bytes"`
	Sandbox           Sandbox       `toml:"sandbox"`
	Approve           Approval      `toml:"approve"`
	MCPURL            string        `toml:"mcp_url"` // of the file gateway to use; "" = our own
	RAGURL            string        `toml:"rag_url"` // of the retrieval server to use; "" = our own
}

// A Sandbox says whether what a run starts is shut in.
type Sandbox string

// It is shut in where the system can, never, or not started where it cannot.
const (
	SandboxAuto     Sandbox = "auto"
	SandboxOff      Sandbox = "off"
	SandboxRequired Sandbox = "required"
)

// An Approval says who allows what is not allowed as it stands: a deletion, a
// program that is not on the list.
type Approval string

// A person is asked, or nobody.
const (
	ApprovalAsk  Approval = "ask"
	ApprovalAuto Approval = "auto"
)

func defaultRun() Run {
	return Run{
		MaxInvalidJSON: 2,
		MaxRepairs:     3,
		MaxTurns:       30,
		BreakAfter:     3,
		VerifyPrograms: []string{
			"go", "gofmt", "golangci-lint", "python", "python3", "pytest", "ruff", "mypy",
			"node", "npm", "pnpm", "yarn", "tsc", "eslint", "cargo", "make",
		},
		VerifyTimeout:     120 * time.Second,
		VerifyOutputBytes: 64 << 10,
		Sandbox:           SandboxAuto,
		Approve:           ApprovalAsk,
	}
}

// PlannerRole is the role that plans: the one that is named, else one that looks
// before anybody leaps. It is "" when there are no roles.
func (c Config) PlannerRole() string {
	return c.roleFor(c.Run.Planner, "plan", "research", "impl-code")
}

// ExecutorRole is the role that carries a plan out: the one that is named, else
// one that writes code. It is "" when there are no roles.
func (c Config) ExecutorRole() string { return c.roleFor(c.Run.Executor, "impl-code") }

// roleFor is the role that is named, else the first of those that would suit,
// else the first of all.
func (c Config) roleFor(named string, suiting ...string) string {
	if named != "" {
		return named
	}
	for _, id := range append(suiting, slices.Sorted(maps.Keys(c.Roles))...) {
		if _, ok := c.Roles[id]; ok {
			return id
		}
	}
	return ""
}

func (l *loading) checkRun(c *Config) {
	r := c.Run
	l.knownRole(c, "run.planner", r.Planner)
	l.knownRole(c, "run.executor", r.Executor)
	l.atLeastOne("run.max_invalid_json", r.MaxInvalidJSON)
	bound(l, "run.max_repairs", r.MaxRepairs, 0, "write 0 for none, or more")
	l.atLeastOne("run.max_turns", r.MaxTurns)
	l.atLeastOne("run.break_after", r.BreakAfter)
	l.positive("run.verify_timeout", r.VerifyTimeout)
	l.atLeastOne("run.verify_output_bytes", r.VerifyOutputBytes)
	word(l, "run.sandbox", r.Sandbox, SandboxAuto, SandboxOff, SandboxRequired)
	word(l, "run.approve", r.Approve, ApprovalAsk, ApprovalAuto)
	l.checkURL(keyPath("run.mcp_url"), r.MCPURL)
	l.checkURL(keyPath("run.rag_url"), r.RAGURL)
	for i, program := range r.VerifyPrograms {
		if !isProgram(program) {
			l.report(keyPath("run.verify_programs").at(i), `write its name, such as "pytest", or its absolute path; arguments are the plan's`, "%q is no program", program)
		}
	}
}

func isProgram(name string) bool {
	if strings.ContainsAny(name, "\x00\n\t ") || name == "" || name[0] == '-' {
		return false
	}
	return filepath.IsAbs(name) || name == filepath.Base(name) && name != "." && name != ".."
}

func (l *loading) knownRole(c *Config, key, id string) {
	if _, ok := c.Roles[id]; !ok && id != "" {
		l.report(keyPath(key), instead(id, slices.Collect(maps.Keys(c.Roles))), "there is no role %q", id)
	}
}

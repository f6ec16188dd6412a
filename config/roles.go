package config

import (
	"cmp"

	"kurogo/messages"
)

// The driver of a role when nobody says anything, the model of a built-in role
// on a driver of that kind, and the question that every role must be able to
// answer.
const (
	roleDriver   = "cursor"
	roleModel    = "claude-4-sonnet"
	roleQuestion = "Hello, respond with exactly: OK"
)

// A builtInRole is a role that exists when the file lists none. Its prompt is
// the file roles/<language>/<id>.md.
type builtInRole struct{ name map[string]string }

var roles = map[string]builtInRole{
	"impl-code":   {map[string]string{"ja": "コード実装者", "en": "Code implementer"}},
	"code-review": {map[string]string{"ja": "コードレビュワー", "en": "Code reviewer"}},
	"text-review": {map[string]string{"ja": "文章レビュワー", "en": "Text reviewer"}},
	"impl-test":   {map[string]string{"ja": "テスト実装者", "en": "Test implementer"}},
	"research":    {map[string]string{"ja": "調査者", "en": "Researcher"}},
}

// role is what the file's table is laid over. The model is known only together
// with the driver.
func (builtInRole) role() Role {
	return Role{HealthCheckPrompt: roleQuestion, Tools: []string{}, Isolation: messages.IsolationNone}
}

func (l *loading) checkRoles(c *Config) {
	for name, r := range c.Roles {
		at := path{"roles", name}
		builtIn, ours := roles[name]
		r.SystemPrompt, r.SystemPromptFile = l.prompt(at, "system_prompt", r.SystemPrompt, "system_prompt_file", r.SystemPromptFile)
		if r.SystemPrompt == "" && ours {
			r.SystemPrompt = shipped("roles", c.Language, name)
		}
		if r.Name == "" {
			r.Name = name
			if ours {
				r.Name = builtIn.name[c.Language]
			}
		}
		r.undecided, r.modelless = r.Driver == "", r.Model == ""
		if r.undecided {
			r.Driver = cmp.Or(c.Driver, roleDriver)
		} else {
			l.knownDriver(at.key("driver"), r.Driver, c)
		}
		if r.modelless && ours && c.Drivers[r.Driver].Kind == roleDriver {
			r.Model = roleModel
		}
		known(l.report, at.key("isolation"), r.Isolation, []messages.Isolation{messages.IsolationNone, messages.IsolationWorktree})
		if r.TurnBudget < 0 {
			l.report(at.key("turn_budget"), "write 0 for limits.usd_per_turn, or more", "%v is too little", r.TurnBudget)
		}
		c.Roles[name] = r
	}
}

package config

// The driver of a role that names none, the model of a built-in one on a driver
// of that kind, and the question that
// every one of them must be able to answer.
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
	return Role{HealthCheckPrompt: roleQuestion, Tools: []string{}}
}

func (l *loading) checkRoles(c *Config) {
	for name, r := range c.Roles {
		at := path{"roles", name}
		builtIn, known := roles[name]
		r.SystemPrompt, r.SystemPromptFile = l.prompt(at, "system_prompt", r.SystemPrompt, "system_prompt_file", r.SystemPromptFile)
		if r.SystemPrompt == "" && known {
			r.SystemPrompt = shipped("roles", c.Language, name)
		}
		if r.Name == "" {
			r.Name = name
			if known {
				r.Name = builtIn.name[c.Language]
			}
		}
		if r.Driver == "" {
			r.Driver = roleDriver
		}
		l.knownDriver(at.key("driver"), r.Driver, c)
		if r.Model == "" && known && c.Drivers[r.Driver].Kind == roleDriver {
			r.Model = roleModel
		}
		c.Roles[name] = r
	}
}

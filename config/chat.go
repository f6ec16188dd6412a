package config

// Chat says who answers in a chat, and what is remembered.
type Chat struct {
	Driver         string `toml:"driver"`    // that answers; "" = the role's
	Role           string `toml:"role"`      // whose instructions and model it has; "" = chosen, by ChatRole
	Evaluator      string `toml:"evaluator"` // driver that judges answers; "" = the heuristic
	HistoryTokens  int    `toml:"history_tokens"`
	ContextTokens  int    `toml:"context_tokens"`  // of the project, with each question; 0 = none
	SummariseAfter int    `toml:"summarise_after"` // messages; 0 = never
}

func defaultChat() Chat {
	return Chat{HistoryTokens: 4000, ContextTokens: 3000, SummariseAfter: 40}
}

// ChatRole is the role that answers: the one that is named, else one that looks
// things up. It is "" when there are no roles.
func (c Config) ChatRole() string { return c.roleFor(c.Chat.Role, "chat", "research", "impl-code") }

// ChatDriver is the driver that answers, once roles have theirs.
func (c Config) ChatDriver() string {
	if c.Chat.Driver != "" {
		return c.Chat.Driver
	}
	return c.Roles[c.ChatRole()].Driver
}

func (l *loading) checkChat(c *Config) {
	if c.Chat.Driver != "" {
		l.knownDriver(keyPath("chat.driver"), c.Chat.Driver, c)
	}
	l.knownRole(c, "chat.role", c.Chat.Role)
	if c.Chat.Evaluator != "" {
		l.checkJudge(c, "chat.evaluator", c.Chat.Evaluator)
	}
	l.atLeastOne("chat.history_tokens", c.Chat.HistoryTokens)
	bound(l, "chat.context_tokens", c.Chat.ContextTokens, 0, "write 0 for none, or more")
	bound(l, "chat.summarise_after", c.Chat.SummariseAfter, 0, "write 0 for never, or more")
}

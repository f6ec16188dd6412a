package messages

// ChangeRole changes a role in kurogo.toml, or with DryRun only says what would
// change. Base is what the last answer said: whoever changed the file since then
// is not overwritten. Answer: RoleChanged. Refusals: invalid; not_found; conflict
// when the file is another by now.
type ChangeRole struct {
	Edit   RoleEdit `json:"edit"`
	Base   string   `json:"base,omitempty"`
	DryRun bool     `json:"dry_run,omitempty"`
}

// RoleChanged answers ChangeRole. What was applied holds from now on: agents that
// begin later are the new one.
type RoleChanged struct {
	Path       string `json:"path"`                 // of kurogo.toml
	Base       string `json:"base"`                 // to apply it on
	Diff       string `json:"diff"`                 // of all files; "" = nothing changes
	PromptPath string `json:"promptPath,omitempty"` // of the file that has the prompt, if it changes
	Applied    bool   `json:"applied"`
}

func (ChangeRole) word()  {}
func (RoleChanged) word() {}

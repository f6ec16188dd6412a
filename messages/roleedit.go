package messages

// A RoleEdit says what to change of one role, or of one persona, in kurogo.toml.
// What is nil stays as it is; an empty text is a text. It is data, not a word.
type RoleEdit struct {
	ID                string  `json:"id"`
	Persona           bool    `json:"persona,omitempty"`
	Name              *string `json:"name,omitempty"` // as people see it; of a persona, its title
	Driver            *string `json:"driver,omitempty"`
	Model             *string `json:"model,omitempty"`
	SystemPrompt      *string `json:"system_prompt,omitempty"`
	HealthCheckPrompt *string `json:"health_check_prompt,omitempty"`
	Delete            bool    `json:"delete,omitempty"`
	CopyOf            string  `json:"copy_of,omitempty"`  // ID is a new one, made of this one
	Language          string  `json:"language,omitempty"` // of a file that is not there yet; "" = it says none
}

// A RoleChange is what an edit makes, or would make, of the files. One that
// changes nothing has no Diff.
type RoleChange struct {
	Path   string `json:"path"` // of kurogo.toml
	Before string `json:"base"` // names what the edit was based on; "" = there was no file
	Diff   string `json:"diff"` // unified, of all files
	Text   string `json:"-"`    // of kurogo.toml, new

	PromptPath string `json:"promptPath,omitempty"` // of the file that has the prompt, if it changes …
	PromptText string `json:"-"`                    // … and its new text
}

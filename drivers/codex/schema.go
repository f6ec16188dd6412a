package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kurogo/messages"
)

// formed is the option of `codex exec` that names the form of the last words; an
// app-server is told it with the turn.
const formed = "--output-schema"

// form is what a life is started with so that its last words fit: the schema is in
// a file, because the CLI takes no other.
func form(spec messages.Spec) ([]string, error) {
	if len(spec.Schema) == 0 {
		return nil, nil
	}
	if spec.Home == "" {
		return nil, messages.Invalid("home", "a codex whose last words must fit a schema needs a directory of its own")
	}
	file, err := filepath.Abs(filepath.Join(spec.Home, "schema.json")) // the CLI would look in its working directory
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	if err := os.WriteFile(file, spec.Schema, 0o600); err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	return []string{formed, file}, nil
}

// checkForm says why a form cannot be kept.
func (f features) checkForm(spec messages.Spec) error {
	switch {
	case len(spec.Schema) == 0:
		return nil
	case !f.schema:
		return messages.Invalid("schema", "codex %s keeps to none", f.version).Try("update it (npm install -g @openai/codex)")
	case !json.Valid(spec.Schema):
		return messages.Invalid("schema", "it is no JSON")
	}
	return nil
}

// fitted makes the last words JSON where they must be. The CLI asks its model for
// it and does not look: status 0 proves nothing.
func fitted(spec messages.Spec, end messages.TurnEnd) messages.TurnEnd {
	if len(spec.Schema) == 0 {
		return end
	}
	var text bytes.Buffer
	if err := json.Compact(&text, []byte(strings.TrimSpace(end.Text))); err != nil || text.Len() == 0 {
		end.Class, end.Text = messages.ClassFormat, "the model gave no answer that fits the schema: "+messages.Cut(end.Text, 300)
		return end
	}
	end.Text = text.String()
	return end
}

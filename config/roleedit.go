package config

import (
	"errors"
	"strings"
	"unicode/utf8"

	"kurogo/messages"
)

// PlanRoleEdit says how the kurogo.toml at path would change, and writes nothing.
// Comments, order and form of everything else stay. An edit that says nothing new
// answers with what it would be based on. Refusals: invalid, not_found, conflict.
func PlanRoleEdit(path string, e messages.RoleEdit) (messages.RoleChange, error) {
	f, err := readRoleFiles(path, e)
	if err != nil {
		return messages.RoleChange{}, err
	}
	return f.change(e)
}

// ApplyRoleEdit makes the change that PlanRoleEdit shows. base is what the caller
// has seen: where a file has changed since, that is a conflict. A file is replaced
// as a whole, after all that the loader finds wrong with it has been refused; of
// two, the prompt's comes first. Refusals: invalid, not_found, conflict, busy,
// denied, unavailable.
func ApplyRoleEdit(path, base string, e messages.RoleEdit) (messages.RoleChange, error) {
	file, err := realPath(path)
	if err != nil {
		return messages.RoleChange{}, err
	}
	unlock, err := lockFolder(file, lockWait)
	if err != nil {
		return messages.RoleChange{}, err
	}
	defer unlock()
	f, err := readRoleFiles(path, e)
	if err != nil {
		return messages.RoleChange{}, err
	}
	if f.base != base {
		return messages.RoleChange{}, changedSince(f.shown(f.path))
	}
	c, err := f.change(e)
	if err != nil || c.Diff == "" {
		return c, err
	}
	if c.PromptPath != "" {
		if err := replaceFile(c.PromptPath, f.promptText, c.PromptText); err != nil {
			return messages.RoleChange{}, err
		}
	}
	if c.Text != f.text {
		if err := replaceFile(file, f.text, c.Text); err != nil {
			return messages.RoleChange{}, err
		}
	}
	return c, nil
}

func changedSince(name string) error {
	return messages.Errorf(messages.CodeConflict, "%s has changed since it was read", name).Try("read it again, and make the change to what is there now")
}

// checkEdit refuses what no file could make sense of.
func checkEdit(e messages.RoleEdit) error {
	switch says := len(editedTexts(e)) > 0; {
	case e.ID == "":
		return messages.Invalid("id", "no role is named").Try("name the role")
	case e.Delete && (says || e.CopyOf != ""):
		return messages.Invalid("delete", "a role cannot be deleted and changed at once").Try("send delete alone")
	case e.CopyOf == e.ID:
		return messages.Invalid("copy_of", "%s cannot be made of itself", e.ID).Try("choose another id for the new one")
	case e.Persona && e.HealthCheckPrompt != nil:
		return messages.Invalid("health_check_prompt", "a persona is not asked whether it is well").Try("leave it out")
	}
	for field, text := range editedTexts(e) {
		if !utf8.ValidString(text) {
			return messages.Invalid(field, "this is not UTF-8").Try("send text")
		}
		if len(text) > largest {
			return messages.Invalid(field, "%d bytes are too many for a file of at most 4 MiB", len(text)).Try("shorten it")
		}
	}
	return nil
}

// editedTexts are the texts of an edit by their field.
func editedTexts(e messages.RoleEdit) map[string]string {
	out := map[string]string{}
	for field, text := range map[string]*string{
		"name": e.Name, "driver": e.Driver, "model": e.Model, "system_prompt": e.SystemPrompt, "health_check_prompt": e.HealthCheckPrompt,
	} {
		if text != nil {
			out[field] = *text
		}
	}
	return out
}

// A shelf is one of the two tables of tables that can be edited: where it is, and
// what its keys are called.
type shelf struct {
	section, what      string
	name, prompt, file string
}

var (
	roleShelf    = shelf{"roles", "role", "name", "system_prompt", "system_prompt_file"}
	personaShelf = shelf{"personas", "persona", "title", "system_prompt", "prompt_file"}
)

func shelfOf(e messages.RoleEdit) shelf {
	if e.Persona {
		return personaShelf
	}
	return roleShelf
}

func (s shelf) at(id string) path { return path{s.section, id} }

// assignments are what an edit sets, in the order in which they are written where
// they are new.
func (s shelf) assignments(e messages.RoleEdit) []assignment {
	var out []assignment
	for _, set := range []struct {
		key  string
		text *string
	}{
		{s.name, e.Name}, {"driver", e.Driver}, {"model", e.Model}, {s.prompt, e.SystemPrompt}, {"health_check_prompt", e.HealthCheckPrompt},
	} {
		if set.text != nil {
			out = append(out, assignment{key: set.key, text: *set.text})
		}
	}
	return out
}

// field is the field of an edit that a key of the table comes from.
func (s shelf) field(key string) string {
	switch key {
	case s.name:
		return "name"
	case s.file:
		return "system_prompt"
	}
	return key
}

// refusal tells the problems of a file as one error, which blames the field of the
// edit that the first of them is about.
func refusal(err error, at path, s shelf) error {
	var ps Problems
	if !errors.As(err, &ps) || len(ps) == 0 {
		return err
	}
	field := ps[0].Key
	for _, p := range ps {
		if p.Key == at.String() {
			field = "id"
			break
		}
		if key, ok := strings.CutPrefix(p.Key, at.String()+"."); ok {
			field = s.field(key)
			break
		}
	}
	if len(ps) == 1 {
		return messages.Invalid(field, "%s", ps[0].Message).Try(ps[0].Remedy)
	}
	return messages.Invalid(field, "the file would not be well: %v", ps).Try("correct them together")
}

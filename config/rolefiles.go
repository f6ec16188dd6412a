package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

// roleFiles is what an edit is based on: kurogo.toml and, where a prompt stands in
// a file, that file.
type roleFiles struct {
	shelf
	path string // of kurogo.toml, absolute
	text string
	from string // what the edit begins with: the text, or what a new file begins with
	now  Config // as it is
	base string

	promptPath string // "" = the prompt is in kurogo.toml
	promptText string
}

// readRoleFiles reads what the edit is about. What the loader refuses cannot be
// edited: nobody knows what it says.
func readRoleFiles(name string, e messages.RoleEdit) (roleFiles, error) {
	if err := checkEdit(e); err != nil {
		return roleFiles{}, err
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return roleFiles{}, messages.Invalid("path", "%v", err).Try("name it in full")
	}
	f := roleFiles{shelf: shelfOf(e), path: file}
	there, err := f.read(e.Language)
	if err != nil {
		return roleFiles{}, err
	}
	if f.now, err = f.load(nil); err != nil && !there {
		return roleFiles{}, refusal(err, f.at(e.ID), f.shelf)
	}
	if err != nil {
		var ps Problems
		errors.As(err, &ps)
		return roleFiles{}, messages.Invalid("path", "%s is not well as it is: %v", f.shown(file), ps).Try("correct it by hand first")
	}
	if f.promptPath = f.promptFile(e.ID); f.promptPath != "" {
		if f.promptText, err = read(f.promptPath); err != nil {
			return roleFiles{}, messages.Errorf(messages.CodeUnavailable, "%v", err).Try("make it readable")
		}
	}
	if there {
		f.base = digest(f.text)
	}
	if f.promptPath != "" {
		f.base += "-" + digest(f.promptText)
	}
	return f, nil
}

// read reads kurogo.toml. One that is not there yet says at most its language.
func (f *roleFiles) read(language string) (there bool, err error) {
	f.text, err = read(f.path)
	f.from = f.text
	if err == nil {
		return true, nil
	}
	if _, missing := os.Lstat(f.path); !errors.Is(missing, fs.ErrNotExist) {
		return false, messages.Errorf(messages.CodeUnavailable, "%v", err).Try("make " + f.path + " a file that can be read")
	}
	if language != "" {
		f.from = "language = " + quote(language) + "\n"
	}
	return false, nil
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// load is the configuration that the files would make with these texts in place
// of what they have.
func (f *roleFiles) load(texts map[string]string) (Config, error) {
	with := map[string]string{f.path: f.from}
	maps.Copy(with, texts)
	l := &loading{src: Source{Dir: filepath.Dir(f.path)}, texts: with, given: map[string]origin{}}
	return l.load(f.path)
}

// promptFile is where the prompt of that id stands, if it has a file.
func (f *roleFiles) promptFile(id string) string {
	if f.section == personaShelf.section {
		return f.now.Personas[id].PromptFile
	}
	return f.now.Roles[id].SystemPromptFile
}

// sharers are who else has its prompt in that file.
func (f *roleFiles) sharers(file, id string) []string {
	var out []string
	for name, r := range f.now.Roles {
		if r.SystemPromptFile == file && (name != id || f.section != roleShelf.section) {
			out = append(out, "roles."+name)
		}
	}
	for name, p := range f.now.Personas {
		if p.PromptFile == file && (name != id || f.section != personaShelf.section) {
			out = append(out, "personas."+name)
		}
	}
	slices.Sort(out)
	return out
}

// mayWritePrompt refuses a prompt file that is not the project's, or not only this
// one's.
func (f *roleFiles) mayWritePrompt(id string) error {
	if others := f.sharers(f.promptPath, id); len(others) > 0 {
		return messages.Invalid("system_prompt", "%s is the prompt of %s, too", f.shown(f.promptPath), strings.Join(others, ", ")).
			Try("give each a file of its own, or edit that file by hand")
	}
	project, err := filepath.EvalSymlinks(filepath.Dir(f.path))
	if err != nil {
		return messages.Errorf(messages.CodeUnavailable, "find project: %v", err)
	}
	file, err := filepath.EvalSymlinks(f.promptPath)
	if err != nil {
		return messages.Errorf(messages.CodeUnavailable, "find prompt: %v", err)
	}
	if rel, err := filepath.Rel(project, file); err != nil || !filepath.IsLocal(rel) {
		return messages.Invalid("system_prompt", "the prompt stands in %s, outside of %s", f.shown(f.promptPath), project).
			Try("edit that file by hand, or copy it into the project and name it in " + f.file)
	}
	return nil
}

// shown is a file as the user would name it.
func (f *roleFiles) shown(file string) string {
	l := loading{src: Source{Dir: filepath.Dir(f.path)}}
	return filepath.ToSlash(l.shown(file))
}

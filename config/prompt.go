package config

import (
	"embed"
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

//go:embed crew roles template performance
var text embed.FS

// prompt is the text of a prompt that may be given in place or as a file, and
// the file's absolute path. Neither is "".
func (l *loading) prompt(at path, textKey, text, fileKey, file string) (string, string) {
	if file == "" {
		return text, ""
	}
	if text != "" {
		l.report(at.key(fileKey), "remove one of them", "%s and %s are both given", textKey, fileKey)
		return text, ""
	}
	file = l.absolute(file)
	text, err := l.read(file)
	switch {
	case err != nil:
	case !utf8.ValidString(text):
		err = errors.New(file + " is not UTF-8")
	case text == "":
		err = errors.New(file + " is empty")
	default:
		return text, file
	}
	l.report(at.key(fileKey), "write the prompt there, relative to the directory of this file", "%v", err)
	return "", file
}

// read is the text of a file, or the one that it would have.
func (l *loading) read(file string) (string, error) {
	if text, ok := l.texts[file]; ok {
		return text, nil
	}
	return read(file)
}

// absolute resolves a path that the file names against the file's directory.
func (l *loading) absolute(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(l.dir, p)
}

// expand fills in what every prompt of a persona may mention.
func expand(prompt, language, name string, p Persona) string {
	partners := make([]string, len(p.TalksTo))
	for i, to := range p.TalksTo {
		partners[i] = string(to)
	}
	prompt = strings.ReplaceAll(prompt, "{{rules}}", strings.TrimSpace(shipped("crew", language, "rules")))
	return strings.NewReplacer(
		"{{name}}", name,
		"{{title}}", p.Title,
		"{{reports_to}}", string(p.ReportsTo),
		"{{talks_to}}", strings.Join(partners, ", "),
	).Replace(prompt)
}

// shipped is the embedded text of that name; a bad language, which is refused
// elsewhere, has none.
func shipped(shelf, language, name string) string {
	b, err := text.ReadFile(shelf + "/" + language + "/" + name + ".md")
	if err != nil {
		return ""
	}
	return string(b)
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"unicode/utf8"

	"kurogo/evaluate"
	"kurogo/messages"
)

// An evaluationTemplate is the prompt that evaluators get: a file's, for as long as
// the file stays what it is, or our own where there is none.
type evaluationTemplate struct {
	path     string // "" = ours
	language string
	log      *slog.Logger

	mu     sync.Mutex
	seen   os.FileInfo // of the file that parsed and fault are from; nil: it was not there
	looked bool
	parsed evaluate.Template
	fault  error
	good   *evaluate.Template // the last that could be used
}

// get is the template as it is now. Errors: invalid.
func (t *evaluationTemplate) get() (evaluate.Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == "" {
		return evaluate.BuiltIn(t.language), nil
	}
	info, err := os.Stat(t.path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return evaluate.Template{}, messages.Invalid("prompt_file", "it cannot be read: %v", err).Try("see evaluation.prompt_file of kurogo.toml")
	}
	if t.looked && same(t.seen, info) {
		return t.parsed, t.fault
	}
	t.looked, t.seen = true, info
	if missing {
		t.log.Warn("there is no such template: the built-in one is used instead", "evaluation.prompt_file", t.path)
		t.parsed, t.fault = evaluate.BuiltIn(t.language), nil
	} else {
		t.parsed, t.fault = readTemplate(t.path, info)
	}
	if t.fault == nil {
		good := t.parsed
		t.good = &good
	}
	return t.parsed, t.fault
}

// last is the template for an evaluation that was accepted: the last that could be
// used, if somebody is just breaking it.
func (t *evaluationTemplate) last() evaluate.Template {
	now, err := t.get()
	if err == nil {
		return now
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.good != nil {
		return *t.good
	}
	t.log.Warn("the template cannot be used: the built-in one is used instead", "evaluation.prompt_file", t.path, "err", err)
	return evaluate.BuiltIn(t.language)
}

// same reports whether nothing has happened to a file.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// templateMost bounds what is read of a file that is to be a template.
const templateMost = 1 << 20

func readTemplate(path string, info os.FileInfo) (none evaluate.Template, err error) {
	if !info.Mode().IsRegular() || info.Size() > templateMost {
		return none, messages.Invalid("prompt_file", "%s is no file that could be a template", path).Try("see evaluation.prompt_file of kurogo.toml")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return none, fmt.Errorf("read template: %w", err)
	}
	if !utf8.Valid(text) {
		return none, messages.Invalid("prompt_file", "the template is not UTF-8").Try("save it as UTF-8")
	}
	return evaluate.ParseTemplate(string(text))
}

package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

func TestTheTemplateIsWhatItsFileIs(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	form := &evaluationTemplate{path: filepath.Join(t.TempDir(), "judge.md"), language: "en", log: slog.New(slog.NewTextHandler(&log, nil))}
	becomes := func(text string) {
		t.Helper()
		if err := os.WriteFile(form.path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(form.path+".new", form.path); err != nil {
			t.Fatal(err)
		}
	}
	says := func(want string) {
		t.Helper()
		got, err := form.get()
		if err != nil {
			t.Fatal(err)
		}
		if text := got.Prompt("THE DOCUMENT", messages.Rubric{Clarity: 1}); !strings.HasPrefix(text, want) || !strings.Contains(text, "THE DOCUMENT") {
			t.Errorf("it asks\n%.200s\nwant %q first", text, want)
		}
	}
	says("")
	says("")
	if n := strings.Count(log.String(), "no such template"); n != 1 {
		t.Errorf("that it is missing was said %d times", n)
	}
	becomes("First {{clarity_weight}}: {{document_content}}")
	says("First 1: <document-")
	becomes("Other {{clarity_weight}}: {{document_content}}") // as long as before
	says("Other 1: <document-")
	for _, broken := range []string{"without a place", "\xff{{document_content}}"} {
		becomes(broken)
		for range 2 {
			if _, err := form.get(); !messages.IsCode(err, messages.CodeInvalid) || messages.AsError(err).Field != "prompt_file" || messages.AsError(err).Remedy == "" {
				t.Errorf("%q: %v", broken, err)
			}
		}
	}
	if text := form.last().Prompt("x", messages.Rubric{Clarity: 1}); !strings.HasPrefix(text, "Other 1: ") {
		t.Errorf("what is on goes on with %.80q", text)
	}
	if err := os.Remove(form.path); err != nil {
		t.Fatal(err)
	}
	says("")
	if err := os.Mkdir(form.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := form.get(); !messages.IsCode(err, messages.CodeInvalid) {
		t.Error(err)
	}
}

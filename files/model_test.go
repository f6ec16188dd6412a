package files_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kurogo/files"
	"kurogo/messages"
)

// A model is what a workspace should be: paths and contents, and for each task
// what was there before it. Everything that the real one does must come out alike.
type model struct {
	files  map[string]string
	before map[string]map[string]*string // task, path; nil = nothing
	left   map[string]map[string]*string
}

const modelMost = 24 // bytes of a file

// Some of these lead nowhere: outside, to what is kept, to what is no regular file.
var modelPaths = []string{
	"a.md", "b.md", "d/a.md", "d/e/a.md", "n/w.md", "./a.md", "d/../b.md",
	"../out/secret.txt", "hard.md", "fifo.md", "out.md", "dir/secret.txt", "dir/new.md", ".git/a.md", "a.exe", "fifo.md/b.md", "",
}

// place is the path as the model knows it; "" where nobody may write.
func place(path string) string {
	switch path {
	case "./a.md":
		return "a.md"
	case "d/../b.md":
		return "b.md"
	case "a.md", "b.md", "d/a.md", "d/e/a.md", "n/w.md":
		return path
	}
	return ""
}

var (
	anyPath = rapid.SampledFrom(modelPaths)
	anyText = rapid.SampledFrom([]string{"", "x\n", "y\n", "x\ny\n", "tail", strings.Repeat("z", 15) + "\n", "\xff", "日本\n"})
	anyTask = rapid.SampledFrom([]string{"", "t1", "t2"})
)

// wrote tells the model of a change that the workspace has made.
func (m *model) wrote(task, path string, content *string) {
	if task != "" {
		if m.before[task] == nil {
			m.before[task], m.left[task] = map[string]*string{}, map[string]*string{}
		}
		if _, kept := m.before[task][path]; !kept {
			m.before[task][path] = m.at(path)
		}
		m.left[task][path] = content
	}
	m.set(path, content)
}

func (m *model) at(path string) *string {
	if c, ok := m.files[path]; ok {
		return &c
	}
	return nil
}

func (m *model) set(path string, content *string) {
	if content == nil {
		delete(m.files, path)
	} else {
		m.files[path] = *content
	}
}

func same(a, b *string) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func text(content string) bool { return !strings.Contains(content, "\xff") }

// Whatever is done in whatever order, the workspace is what the model says.
func TestTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := newStage(t, files.Options{MaxBytes: modelMost, Delete: true})
		s.must(os.Link(s.out+"/secret.txt", s.in+"/hard.md"))
		s.must(os.Symlink("../out/secret.txt", s.in+"/out.md"))
		s.must(os.Symlink("../out", s.in+"/dir"))
		s.must(mkfifo(s.in + "/fifo.md"))
		m := &model{map[string]string{}, map[string]map[string]*string{}, map[string]map[string]*string{}}
		agree := func(what string, err error, want bool) {
			if got := err == nil; got != want {
				r.Fatalf("%s: %v, the model says %v", what, err, want)
			}
			var e *messages.Error
			if err != nil && !errors.As(err, &e) {
				r.Fatalf("%s: %v is no refusal", what, err)
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"write": func(r *rapid.T) {
				path, content, task := anyPath.Draw(r, "path"), anyText.Draw(r, "content"), anyTask.Draw(r, "task")
				mode := rapid.SampledFrom([]messages.WriteMode{create, overwrite, adds}).Draw(r, "mode")
				_, err := s.Write(t.Context(), messages.WriteFile{Path: path, Content: content, Mode: mode, Provenance: messages.Provenance{Task: task}})
				at := place(path)
				old := m.at(at)
				whole := content
				if mode == adds && old != nil {
					whole = *old + content
				}
				fine := at != "" && text(content) && len(whole) <= modelMost && (mode != create || old == nil)
				agree("write "+path, err, fine)
				if fine {
					m.wrote(task, at, &whole)
				}
			},
			"delete": func(r *rapid.T) {
				path, task := anyPath.Draw(r, "path"), anyTask.Draw(r, "task")
				_, err := s.Delete(t.Context(), messages.DeleteFile{Path: path, Provenance: messages.Provenance{Task: task}})
				at := place(path)
				fine := at != "" && m.at(at) != nil
				agree("delete "+path, err, fine)
				if fine {
					m.wrote(task, at, nil)
				}
			},
			"patch": func(r *rapid.T) { patches(r, s, m, agree) },
			"undo": func(r *rapid.T) {
				task, force := anyTask.Draw(r, "task"), rapid.Bool().Draw(r, "force")
				_, err := s.undo(task, force)
				fine := len(m.before[task]) > 0
				for path, was := range m.before[task] {
					fine = fine && (force || same(m.at(path), was) || same(m.at(path), m.left[task][path]))
				}
				agree("undo "+task, err, fine)
				if fine {
					for path, was := range m.before[task] {
						m.set(path, was)
					}
					delete(m.before, task)
				}
			},
			"somebody else": func(r *rapid.T) {
				path, content := anyPath.Draw(r, "path"), anyText.Draw(r, "content")
				if at := place(path); at != "" && text(content) && len(content) <= modelMost {
					s.has(at, content)
					m.set(at, &content)
				}
			},
			"": func(r *rapid.T) {
				for _, path := range modelPaths {
					got, err := s.read(path)
					at := place(path)
					want := m.at(at)
					agree("read "+path, err, at != "" && want != nil)
					if want != nil && at != "" && got != *want {
						r.Fatalf("%s holds %q, the model says %q", path, got, *want)
					}
				}
				s.unharmed()
			},
		})
	})
}

// patches changes the first lines of one to three files.
func patches(r *rapid.T, s *stage, m *model, agree func(string, error, bool)) {
	paths := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a.md", "b.md", "d/a.md", "n/w.md", "hard.md"}), 1, 3, func(p string) string { return p }).Draw(r, "paths")
	task := anyTask.Draw(r, "task")
	after := map[string]string{}
	fine := true
	var b strings.Builder
	for _, path := range paths {
		old := m.at(path)
		line := rapid.SampledFrom([]string{"p\n", strings.Repeat("q", 20) + "\n"}).Draw(r, "line")
		switch {
		case old == nil:
			fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+%s", path, line)
			after[path] = line
		case strings.HasPrefix(*old, "x\n"):
			fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-x\n+%s", path, path, line)
			after[path] = line + strings.TrimPrefix(*old, "x\n")
		default: // what is not there
			fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-nobody\n+%s", path, path, line)
			fine = false
		}
		fine = fine && place(path) != "" && len(after[path]) <= modelMost
	}
	_, err := s.patch(task, b.String())
	agree("patch "+b.String(), err, fine)
	if !fine {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		content := after[path]
		m.wrote(task, path, &content)
	}
}

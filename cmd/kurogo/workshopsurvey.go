package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"path"
	"slices"
	"strings"

	"kurogo/evaluate"
	"kurogo/files"
	"kurogo/messages"
)

// What a survey looks at, at most. Of what is beyond, only names and sizes count.
const (
	surveyFiles = 20_000
	surveyBytes = 256 << 20
)

// overlooked are directories whose content says nothing of the code: it is made from
// it, or fetched.
var overlooked = []string{"node_modules", "vendor", "__pycache__", "target", ".venv", "venv"}

// A surveyor goes through a tree as the gateway shows it.
type surveyor struct {
	space ground
	kept  []string
	exts  []string
	sum   hash.Hash
	paths []string
	bytes int64
}

// survey says what is below a root: a hash over every path, size and content that
// an agent could read, and the paths.
func (w *workshop) survey(ctx context.Context, root string) (string, []string, error) {
	space, err := w.grounds.of(ctx, plot{root: root})
	if err != nil {
		return "", nil, err
	}
	s := &surveyor{space: space, kept: slices.Concat(files.Kept, w.cfg.Workspace.Kept, overlooked), exts: w.cfg.Workspace.Extensions, sum: sha256.New()}
	if err := s.directory(ctx, "."); err != nil {
		return "", nil, err
	}
	return hex.EncodeToString(s.sum.Sum(nil)), s.paths, nil
}

func (s *surveyor) directory(ctx context.Context, dir string) error {
	list, err := s.space.List(ctx, messages.ListFiles{Path: dir, Extensions: s.exts, MaxItems: surveyFiles})
	if err != nil {
		if dir != "." && !messages.IsCode(err, messages.CodeInternal) { // it is not for us, or has gone
			return nil
		}
		return err
	}
	for _, e := range list.Files {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		at := path.Join(dir, e.Name)
		switch {
		case len(s.paths) >= surveyFiles, slices.Contains(s.kept, strings.ToLower(e.Name)):
		case e.IsDir:
			if err := s.directory(ctx, at); err != nil {
				return err
			}
		case e.Size != nil:
			s.file(ctx, at, *e.Size)
		}
	}
	return nil
}

// file counts a file. One that cannot be read counts by its size.
func (s *surveyor) file(ctx context.Context, at string, size int64) {
	content := ""
	if s.bytes+size <= surveyBytes {
		c, err := s.space.Read(ctx, messages.ReadFile{Path: at})
		if err == nil {
			content = c.Content
			s.bytes += size
		}
	}
	sum := sha256.Sum256([]byte(content))
	fmt.Fprintf(s.sum, "%q %d %x\n", at, size, sum)
	s.paths = append(s.paths, at)
}

// difference says what a run has changed so far: what it found, beside what is
// there now.
func (w *workshop) difference(ctx context.Context, root string, job messages.JobID) (string, []string, error) {
	kept, err := w.grounds.before(ctx, root, job)
	if err != nil {
		return "", nil, err
	}
	space, err := w.grounds.of(ctx, plot{root: root})
	if err != nil {
		return "", nil, err
	}
	var diff strings.Builder
	var changed []string
	for _, k := range kept {
		now, err := space.Read(ctx, messages.ReadFile{Path: k.Path})
		gone := messages.IsCode(err, messages.CodeNotFound)
		switch {
		case err != nil && !gone: // somebody has put something else there
			changed = append(changed, k.Path)
			fmt.Fprintf(&diff, "# %s: %s\n", k.Path, messages.AsError(err).Message)
			continue
		case k.Existed == !gone && string(k.Before) == now.Content:
			continue
		}
		changed = append(changed, k.Path)
		diff.WriteString(named(evaluate.Diff(string(k.Before), now.Content, k.Path), k.Path, k.Existed, !gone))
	}
	return diff.String(), changed, nil
}

// named says in a diff which side has no file.
func named(diff, name string, before, after bool) string {
	if diff == "" { // an empty file came, or went
		diff = "--- a/" + name + "\n+++ b/" + name + "\n"
	}
	lines := strings.SplitN(diff, "\n", 3)
	if len(lines) < 3 {
		return diff
	}
	if !before {
		lines[0] = "--- /dev/null"
	}
	if !after {
		lines[1] = "+++ /dev/null"
	}
	return strings.Join(lines, "\n")
}

// holds is the one proof that needs no program: that a file has a text in it.
func (w *workshop) holds(ctx context.Context, root string, command []string) messages.RunVerify {
	v := messages.RunVerify{Command: command, Sandbox: "none"}
	if len(command) != 3 {
		v.Exit, v.Error = messages.CodeInvalid.Exit(), command[0]+" needs a file and a text"
		return v
	}
	began := w.clock.Now()
	space, err := w.grounds.of(ctx, plot{root: root})
	var c messages.FileContent
	if err == nil {
		c, err = space.Read(ctx, messages.ReadFile{Path: command[1]})
	}
	switch {
	case err != nil:
		v.Exit, v.Output = 1, messages.AsError(err).Error()
	case !strings.Contains(c.Content, command[2]):
		v.Exit, v.Output = 1, fmt.Sprintf("%s does not hold %q", command[1], messages.Cut(command[2], 200))
	}
	v.Time = w.clock.Now().Sub(began).Milliseconds()
	return v
}

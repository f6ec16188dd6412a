package main

import (
	"context"
	"strings"

	"kurogo/messages"
)

// applied reports whether a patch is in already: this run has touched all of its
// files, and they hold what it makes of them. We may have fallen between applying
// it and writing that down.
func (w *workshop) applied(ctx context.Context, root string, job messages.JobID, patch string) (bool, error) {
	kept, err := w.grounds.before(ctx, root, job)
	if err != nil {
		return false, err
	}
	touched := map[string]bool{}
	for _, k := range kept {
		touched[k.Path] = true
	}
	space, err := w.grounds.of(ctx, plot{root: root})
	if err != nil {
		return false, err
	}
	sides := newSides(patch)
	for name, pieces := range sides {
		if !touched[name] {
			return false, nil
		}
		now, err := space.Read(ctx, messages.ReadFile{Path: name})
		if gone := messages.IsCode(err, messages.CodeNotFound); err != nil && !gone || gone != (pieces == nil) {
			return false, nil // then applying says why
		}
		for _, piece := range pieces {
			if !strings.Contains(now.Content, piece) {
				return false, nil
			}
		}
	}
	return len(sides) > 0, nil
}

// newSides are what a patch of git leaves behind: by file, the texts of its hunks
// as they are afterwards; nil for a file that it deletes.
func newSides(patch string) map[string][]string {
	out := map[string][]string{}
	var name string
	var piece strings.Builder
	in := false
	end := func() {
		if in {
			out[name] = append(out[name], piece.String())
		}
		piece.Reset()
		in = false
	}
	old := ""
	for line := range strings.Lines(patch) {
		plain := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(plain, "diff --git "):
			end()
			name = ""
		case !in && strings.HasPrefix(plain, "--- "):
			old = strings.TrimPrefix(strings.TrimPrefix(plain, "--- "), "a/")
		case !in && strings.HasPrefix(plain, "+++ "):
			name = strings.TrimPrefix(strings.TrimPrefix(plain, "+++ "), "b/")
			if name == "/dev/null" {
				name = ""
				out[old] = nil
			}
		case strings.HasPrefix(plain, "@@ "):
			end()
			in = name != ""
		case in && (line[0] == ' ' || line[0] == '+'):
			piece.WriteString(line[1:])
		case in && strings.HasPrefix(line, `\ `): // no line end at the end
			text := strings.TrimSuffix(piece.String(), "\n")
			piece.Reset()
			piece.WriteString(text)
		}
	}
	end()
	return out
}

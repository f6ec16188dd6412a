package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

// hookNames are the moments after which something may have changed.
var hookNames = []string{"pre-commit", "post-commit", "post-checkout", "post-merge", "post-rewrite"}

// Our part of a hook stands between these lines, so that it can be found again.
const (
	hookBegin = "# >>> kurogo index >>>"
	hookEnd   = "# <<< kurogo index <<<"
)

// hookLine appends one line to a queue, without a word, whether or not that
// succeeds.
func hookLine(hook, queue string) string {
	return "{ printf '%s\\n' '" + hook + "' >>" + quote(queue) + "; } 2>/dev/null || :\n"
}

// quote writes a string as the shell reads it.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// InstallHooks has git's hooks of the repository around root append to queue.
// Hooks that are there stay and run as before; so do the lines of other queues, of
// other work trees of the repository. A hook that git does not run, because it is
// no program, is left as it is. Installing twice changes nothing. It returns the
// files that were written. Errors: invalid where there is no repository, conflict
// for a hook that is no shell script.
func InstallHooks(ctx context.Context, git Git, root, queue string) ([]string, error) {
	dir, err := hooksDir(ctx, git, root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // as git makes it
		return nil, fmt.Errorf("install hooks: %w", err)
	}
	var written []string
	texts := map[string]string{}
	for _, hook := range hookNames { // all are looked at before one is written
		file := filepath.Join(dir, hook)
		was, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("install hooks: %w", err)
		}
		if err == nil && asleep(file) {
			continue
		}
		text, err := withHook(file, string(was), hookLine(hook, queue))
		if err != nil {
			return nil, err
		}
		if text != string(was) {
			written, texts[file] = append(written, file), text
		}
	}
	for _, file := range written {
		if err := writeHook(file, texts[file]); err != nil {
			return nil, fmt.Errorf("install hooks: %w", err)
		}
	}
	return written, nil
}

// asleep reports a hook that somebody has turned off: ours must not wake it.
func asleep(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode()&0o111 == 0
}

// withHook puts our part behind the first line. It goes first, because a hook that
// is there may end the script; what that says decides alone.
func withHook(file, was, line string) (string, error) {
	before, lines, after := partHook(was)
	if slices.Contains(lines, line) {
		return was, nil
	}
	ours := hookBegin + "\n" + strings.Join(append(lines, line), "") + hookEnd + "\n"
	if before != "" {
		return before + ours + after, nil
	}
	if strings.TrimSpace(was) == "" {
		return "#!/bin/sh\n" + ours, nil
	}
	first, rest, _ := strings.Cut(was, "\n")
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	if !strings.HasPrefix(first, "#!") || !slices.ContainsFunc(interpreter, func(word string) bool {
		return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh"}, filepath.Base(word))
	}) {
		return "", messages.Errorf(messages.CodeConflict, "%s is no shell script", file).Try("have it append a line to the queue by itself: " + strings.TrimSpace(line))
	}
	return first + "\n" + ours + rest, nil
}

// partHook takes a hook apart: what is before our part, our lines, what is behind.
// before is "" where we have none.
func partHook(text string) (before string, lines []string, after string) {
	before, rest, ok := strings.Cut(text, hookBegin+"\n")
	ours, after, closed := strings.Cut(rest, hookEnd+"\n")
	if !ok || !closed {
		return "", nil, ""
	}
	return before, slices.Collect(strings.Lines(ours)), after
}

// withoutHook takes a line out of our part, and the part when it was the last.
func withoutHook(text, line string) string {
	before, lines, after := partHook(text)
	left := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == line })
	switch len(left) {
	case len(lines):
		return text
	case 0:
		return before + after
	}
	return before + hookBegin + "\n" + strings.Join(left, "") + hookEnd + "\n" + after
}

// writeHook replaces a hook at once: git may be about to run it.
func writeHook(file, text string) error {
	mode := fs.FileMode(0o755)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // a link stays one
	}
	fresh := file + ".kurogo"
	if err := os.WriteFile(fresh, []byte(text), mode); err != nil {
		return err
	}
	if err := os.Chmod(fresh, mode); err != nil { // whatever the umask says
		return err
	}
	return os.Rename(fresh, file)
}

// RemoveHooks takes the line of a queue out again, and away hooks that hold nothing
// else. It returns the files that it changed.
func RemoveHooks(ctx context.Context, git Git, root, queue string) ([]string, error) {
	dir, err := hooksDir(ctx, git, root)
	if err != nil {
		return nil, err
	}
	var changed []string
	for _, hook := range hookNames {
		file := filepath.Join(dir, hook)
		was, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return changed, fmt.Errorf("remove hooks: %w", err)
		}
		text := withoutHook(string(was), hookLine(hook, queue))
		switch {
		case text == string(was):
			continue
		case strings.TrimSpace(text) == "#!/bin/sh":
			err = os.Remove(file)
		default:
			err = writeHook(file, text)
		}
		if err != nil {
			return changed, fmt.Errorf("remove hooks: %w", err)
		}
		changed = append(changed, file)
	}
	return changed, nil
}

// hooksDir is where git looks for hooks. It is read from the files of its
// configuration: who runs git for us may have turned hooks off for that run.
func hooksDir(ctx context.Context, git Git, root string) (string, error) {
	top, err := git(ctx, root, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", messages.Invalid("root", "%s is in no git repository that git would use: %v", root, err).Try("run git init, or the command in a repository")
	}
	for _, scope := range []string{"--worktree", "--local", "--global", "--system"} {
		dir, err := git(ctx, root, "config", scope, "--type=path", "--get", "core.hooksPath")
		if err != nil || dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(top, dir)
		}
		return dir, nil
	}
	common, err := git(ctx, root, "rev-parse", "--git-common-dir")
	if err != nil {
		return "", fmt.Errorf("find hooks: %w", err)
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(root, common)
	}
	return filepath.Join(common, "hooks"), nil
}

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

// HookScript is our part of a hook: one line appended, without a word, whether or
// not that succeeds. It goes first, because a hook that is there may end the
// script; what that says decides alone.
func HookScript(hook, queue string) string {
	return hookBegin + "\n" +
		"{ printf '%s\\n' '" + hook + "' >>" + quote(queue) + "; } 2>/dev/null || :\n" +
		hookEnd + "\n"
}

// quote writes a string as the shell reads it.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// InstallHooks has git's hooks of the repository around root append to queue.
// Hooks that are there stay and run as before. Installing twice changes nothing.
// It returns the files that were written. Errors: invalid where there is no
// repository, conflict for a hook that is no shell script.
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
		text, err := withHook(file, string(was), HookScript(hook, queue))
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

// withHook puts our part behind the first line, and takes away an older one.
func withHook(file, was, ours string) (string, error) {
	was = withoutHook(was)
	if strings.TrimSpace(was) == "" {
		return "#!/bin/sh\n" + ours, nil
	}
	first, rest, _ := strings.Cut(was, "\n")
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	if !strings.HasPrefix(first, "#!") || !slices.ContainsFunc(interpreter, func(word string) bool {
		return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh"}, filepath.Base(word))
	}) {
		return "", messages.Errorf(messages.CodeConflict, "%s is no shell script", file).Try("have it append a line to the queue by itself: " + strings.Split(ours, "\n")[1])
	}
	return first + "\n" + ours + rest, nil
}

func withoutHook(text string) string {
	before, rest, ok := strings.Cut(text, hookBegin+"\n")
	_, after, closed := strings.Cut(rest, hookEnd+"\n")
	if !ok || !closed {
		return text
	}
	return before + after
}

// writeHook replaces a hook at once: git may be about to run it.
func writeHook(file, text string) error {
	mode := fs.FileMode(0o755)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm() | 0o111
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

// RemoveHooks takes our part out again, and away hooks that had no other. It
// returns the files that it changed.
func RemoveHooks(ctx context.Context, git Git, root string) ([]string, error) {
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
		text := withoutHook(string(was))
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
		return "", messages.Invalid("root", "%s is in no git repository: %v", root, err).Try("run git init first")
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

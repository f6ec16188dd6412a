package files

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"kurogo/messages"
)

// shown is a path as we repeat it: it came from a model.
func shown(path string) string { return fmt.Sprintf("%q", messages.Cut(path, 200)) }

func bad(path, what, remedy string) *messages.Error {
	return messages.Invalid("path", "%s %s", shown(path), what).Try(remedy)
}

func denied(path, what, remedy string) *messages.Error {
	return &messages.Error{Code: messages.CodeDenied, Field: "path", Message: shown(path) + " " + what, Remedy: remedy}
}

func escapes(path string) *messages.Error {
	return bad(path, "leads out of the workspace", "give a path below the root of the workspace, for example src/main.py")
}

func absent(path string) *messages.Error {
	return &messages.Error{Code: messages.CodeNotFound, Field: "path", Message: "there is no " + shown(path), Remedy: "see list_files for what there is"}
}

func (w *Workspace) large(path string, size int64) *messages.Error {
	return messages.Invalid(messages.FieldMaxBytes, "%s: %d bytes are over workspace.max_bytes = %d", shown(path), size, w.o.MaxBytes).
		Try("work with smaller files, or raise workspace.max_bytes in kurogo.toml")
}

func notText(path string) *messages.Error {
	return messages.Invalid(messages.FieldEncoding, "%s is not UTF-8 text", shown(path)).Try("leave it alone, or have a program convert it to UTF-8")
}

func changed(path string) *messages.Error {
	return &messages.Error{Code: messages.CodeConflict, Field: "path", Message: shown(path) + " was changed by somebody else meanwhile", Remedy: "read it again, then try again"}
}

// explain turns what the system says of a path into what a model understands.
// What os.Root refuses has no error of its own that is exported.
func explain(path string, err error) error {
	var coded *messages.Error
	switch {
	case err == nil, errors.As(err, &coded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return absent(path)
	case errors.Is(err, syscall.ENOTDIR):
		return bad(path, "goes through something that is no directory", "see list_files for what there is")
	case errors.Is(err, syscall.EISDIR):
		return bad(path, "is a directory", "name a file in it; list_files shows them")
	case errors.Is(err, syscall.ELOOP):
		return denied(path, "is a circle of links", "name the file itself")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return bad(path, "is too long", "use shorter names")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return denied(path, "may not be touched by this user", "work on other files, or change its permissions")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return messages.Errorf(messages.CodeUnavailable, "write %s: the disk is full", shown(path)).Try("free some space; the file is as it was")
	case strings.Contains(err.Error(), "path escapes from parent"):
		return escapes(path)
	}
	return fmt.Errorf("touch %s: %w", shown(path), err)
}

package files

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kurogo/messages"
)

// Kept names what may be read but never written, wherever it stands: what is
// written there is run, or believed, outside of the workspace later.
var Kept = []string{".git", ".cursor", ".claude", ".codex", ".vscode", ".kurogo", ".envrc", ".mcp.json", "kurogo.toml"}

// DefaultExtensions are the document's.
var DefaultExtensions = []string{".py", ".md", ".txt", ".json", ".yaml", ".yml"}

const (
	longestPath = 4096
	longestName = 255
)

// own marks files that are ours while we write; nobody else sees them.
const own = ".kurogo-"

// clean is a path as it is used: relative to the root, with slashes, "." for the
// root itself. What it refuses could only lead out, or confuse whoever reads of it.
func (w *Workspace) clean(name string) (string, error) {
	switch {
	case name == "":
		return "", messages.Invalid("path", "it is empty").Try(`give a path below the root of the workspace; "." is the root`)
	case len(name) > longestPath:
		return "", bad(name, "is too long", "use shorter names")
	case !utf8.ValidString(name):
		return "", bad(name, "is not UTF-8", "use names that are")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\\' }):
		return "", bad(name, "has a control character or a backslash in it", "use plain names, with / between them")
	}
	rel := name
	if path.IsAbs(name) { // models often name files as they see them
		inside, ok := strings.CutPrefix(path.Clean(name)+"/", strings.TrimSuffix(w.dir, "/")+"/")
		if !ok {
			return "", escapes(name)
		}
		rel = "./" + inside
	}
	rel = path.Clean(rel)
	if rel == ".." || strings.HasPrefix(rel, "../") {
		return "", escapes(name)
	}
	for part := range strings.SplitSeq(rel, "/") {
		if len(part) > longestName {
			return "", bad(name, "is too long", "use shorter names")
		}
		if strings.HasPrefix(plain(part), own) {
			return "", denied(name, "is a name of the gateway's own", "use another name")
		}
	}
	return rel, nil
}

// plain is a name as the most forgiving file system would see it.
func plain(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	return strings.TrimRight(name, ". ")
}

// writable checks what is to be written: neither kept nor of a foreign kind.
func (w *Workspace) writable(name, rel string) error {
	for part := range strings.SplitSeq(rel, "/") {
		if slices.Contains(w.kept, plain(part)) {
			return denied(name, "is read-only: "+part+" belongs to the user's tools", "leave it alone, and say what you would have changed")
		}
	}
	return w.allowed(name, rel)
}

func (w *Workspace) allowed(name, rel string) error {
	if rel == "." {
		return bad(name, "is a directory", "name a file in it; list_files shows them")
	}
	if ext := path.Ext(rel); !slices.Contains(w.o.Extensions, ext) {
		return bad(name, "has the extension "+shown(ext)+", which is not allowed", "use one of "+strings.Join(w.o.Extensions, " ")+", or add it to workspace.extensions in kurogo.toml")
	}
	return nil
}

// text checks what a file holds, or is to hold.
func (w *Workspace) text(name string, content []byte) error {
	if int64(len(content)) > w.o.MaxBytes {
		return w.large(name, int64(len(content)))
	}
	if !utf8.Valid(content) || slices.Contains(content, 0) {
		return notText(name)
	}
	return nil
}

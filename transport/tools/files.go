package tools

import (
	"context"

	"kurogo/messages"
)

// Gateway is the catalogue of the file gateway alone, for whoever is given nothing
// else: a model that is run by hand, and the document's routes.
func Gateway(port Port, o Options) *Catalogue {
	c := &Catalogue{port: port, o: o.filled(), byName: map[string]entry{}}
	c.entries = append(c.files(), c.searching()...)
	for _, e := range c.entries {
		c.byName[e.Name] = e
	}
	return c
}

type traceKey struct{}

// WithTrace ties the calls of the file tools to a trace, and to a task if there is
// one; without a trace each call gets its own.
func WithTrace(ctx context.Context, trace, task string) context.Context {
	return context.WithValue(ctx, traceKey{}, messages.Provenance{Trace: trace, Task: task})
}

func provenance(ctx context.Context, u use) messages.Provenance {
	e, _ := ctx.Value(traceKey{}).(messages.Provenance)
	e.By = u.who
	return e
}

// What a call may hold. The workspace has limits of its own, which it names.
const (
	fileChars    = 3 << 20 // with its frame it must fit into a message
	patternChars = 1000
	mostListed   = 10_000
	mostMatches  = 1000
)

var (
	filePath = text(pathChars, "path below the root of the workspace, with /, for example src/main.py")
	fileDir  = text(pathChars, `directory below the root of the workspace; "." is the root`)
	fileExts = list(0, 100, text(32, "an extension, for example .py"), "only files with these extensions")
)

var fileFaults = faults{
	messages.CodeNotFound: {"path", "see list_files for what there is"},
	messages.CodeDenied:   {"path", "leave it alone, and say what you would have done"},
	messages.CodeConflict: {"path", "read the file again, then decide"},
	messages.CodeInvalid:  {"path", "give a path below the root of the workspace"},
}

func (c *Catalogue) files() []entry {
	written := answer(must("status", said("ok")), must("path", said("the path, made plain")))
	return []entry{
		define(plan{
			name: "list_files", title: "List files", agents: true, hints: reads,
			about: "Lists one directory of the workspace: names, which of them are directories, and sizes. It does not go into directories; call it again for those. Use it before you guess a path.",
			input: object(must("path", fileDir), may("extensions", fileExts), may("max_items", whole(1, mostListed, "how many at most; the default is 1000"))),
			answer: answer(
				must("files", list(0, 0, answer(
					must("name", said("its name in the directory")), must("is_dir", yes("whether it is a directory")), may("size", number("its bytes, if it is a file")),
				), "by name")),
				may("truncated", yes("there is more")),
			),
			faults: fileFaults,
		}, c.listFiles),
		define(plan{
			name: "read_file", title: "Read a file", agents: true, hints: reads,
			about:  "Reads a whole text file of the workspace. Only UTF-8 files of the allowed extensions, up to workspace.max_bytes, can be read. Read a file before you change it.",
			input:  object(must("path", filePath)),
			answer: answer(must("content", said("the text"))),
			faults: fileFaults,
		}, c.readFile),
		define(plan{
			name: "write_file", title: "Write a file", agents: true, hints: messages.Hints{Destructive: true},
			about: "Writes a text file of the workspace and makes the directories on its way. mode create refuses a file that exists; overwrite replaces it as a whole; append adds to its end. For small changes of a large file prefer apply_patch. The file is on the disk when this returns.",
			input: object(
				must("path", filePath), must("content", &schema{kind: kindString, max: fileChars, about: "the text; it may be empty"}),
				must("mode", oneOf("what to do where there is a file already", messages.WriteCreate, messages.WriteOverwrite, messages.WriteAppend)),
			),
			answer: written, faults: fileFaults,
		}, c.writeFile),
		define(plan{
			name: "stat_file", title: "Look at a path", agents: true, hints: reads,
			about: "Says what a path of the workspace is, how large, when it was changed, and whether the other tools may read and write it. It opens nothing.",
			input: object(must("path", filePath)),
			answer: answer(
				must("path", said("the path, made plain")),
				must("kind", oneOf("what it is", messages.KindFile, messages.KindDirectory, messages.KindLink, messages.KindOther)),
				must("size", number("its bytes, if it is a file")),
				must("modified_at", said("when it was changed (RFC 3339)")),
				must("readable", yes("whether read_file takes it")),
				must("writable", yes("whether write_file takes it")),
			),
			faults: fileFaults,
		}, c.statFile),
		define(plan{
			name: "search_text", title: "Search in files", agents: true, hints: reads,
			about: "Finds lines in the text files of the workspace, with their line numbers: those that hold the pattern, or match it as a regular expression (RE2). Links and what belongs to the user's tools are passed over. truncated says that there may be more: make the path or the pattern narrower.",
			input: object(
				must("pattern", text(patternChars, "what to look for; the text itself unless regexp is true")),
				may("path", fileDir.on("directory or file to search; the default is the root")),
				may("regexp", yes("the pattern is a regular expression in RE2 syntax")),
				may("ignore_case", yes("upper and lower case are the same")),
				may("extensions", fileExts),
				may("max_items", whole(1, mostMatches, "how many lines at most; the default is 100")),
			),
			answer: answer(
				must("matches", list(0, 0, answer(must("path", said("the file")), must("line", number("counts from 1")), must("text", said("the line, cut where it is long"))), "by path and line")),
				must("files", number("that were read")),
				may("truncated", yes("there may be more")),
			),
			faults: fileFaults,
		}, c.searchText),
		define(plan{
			name: "apply_patch", title: "Apply a patch", agents: true, hints: messages.Hints{Destructive: true},
			about: "Applies a unified diff to one file or several: all of it, or nothing. Each hunk's context and removed lines must be in the file exactly; line numbers may be off. --- /dev/null makes a file. Returns what became of each file.",
			input: object(must("patch", text(fileChars, "the diff: --- a/path, +++ b/path, @@ -1,3 +1,4 @@, then lines that begin with a space, - or +"))),
			answer: answer(must("files", list(0, 0, answer(
				must("path", said("the file")),
				must("action", oneOf("what was done", messages.MadeFile, messages.ChangedFile, messages.RemovedFile, messages.KeptFile)),
				must("size", number("its bytes now")),
				may("before", said("SHA-256 of what it was")), may("after", said("SHA-256 of what it is")),
			), "in the order of the patch"))),
			faults: fileFaults.also(faults{
				messages.CodeNotFound: {"patch", "see list_files for what there is"},
				messages.CodeDenied:   {"patch", "leave that file out, and say what you would have done"},
				messages.CodeConflict: {"patch", "read the file again, and make the patch anew"},
				messages.CodeInvalid:  {"patch", "send a unified diff"},
			}),
		}, c.applyPatch),
		define(plan{
			name: "delete_file", title: "Delete a file", agents: true, hints: ends,
			about: "Deletes one file of the workspace. It is refused unless the owner of the project has allowed deleting; then say which files should go, and leave them.",
			input: object(must("path", filePath)), answer: written, faults: fileFaults,
		}, c.deleteFile),
	}
}

type listing struct {
	Path       string   `json:"path"`
	Extensions []string `json:"extensions"`
	MaxItems   int      `json:"max_items"`
}

func (c *Catalogue) listFiles(ctx context.Context, u use, a listing) (any, error) {
	return ask[messages.FileList](ctx, c.port, messages.ListFiles{Path: a.Path, Extensions: a.Extensions, MaxItems: a.MaxItems, Provenance: provenance(ctx, u)})
}

type onePath struct {
	Path string `json:"path"`
}

func (c *Catalogue) readFile(ctx context.Context, u use, a onePath) (any, error) {
	return ask[messages.FileContent](ctx, c.port, messages.ReadFile{Path: a.Path, Provenance: provenance(ctx, u)})
}

func (c *Catalogue) statFile(ctx context.Context, u use, a onePath) (any, error) {
	return ask[messages.FileStat](ctx, c.port, messages.StatFile{Path: a.Path, Provenance: provenance(ctx, u)})
}

func (c *Catalogue) deleteFile(ctx context.Context, u use, a onePath) (any, error) {
	return ask[messages.FileWritten](ctx, c.port, messages.DeleteFile{Path: a.Path, Provenance: provenance(ctx, u)})
}

type written struct {
	Path    string             `json:"path"`
	Content string             `json:"content"`
	Mode    messages.WriteMode `json:"mode"`
}

func (c *Catalogue) writeFile(ctx context.Context, u use, a written) (any, error) {
	return ask[messages.FileWritten](ctx, c.port, messages.WriteFile{Path: a.Path, Content: a.Content, Mode: a.Mode, Provenance: provenance(ctx, u)})
}

type searched struct {
	Pattern    string   `json:"pattern"`
	Path       string   `json:"path"`
	Regexp     bool     `json:"regexp"`
	IgnoreCase bool     `json:"ignore_case"`
	Extensions []string `json:"extensions"`
	MaxItems   int      `json:"max_items"`
}

func (c *Catalogue) searchText(ctx context.Context, u use, a searched) (any, error) {
	return ask[messages.TextFound](ctx, c.port, messages.SearchText{
		Pattern: a.Pattern, Path: a.Path, Regexp: a.Regexp, IgnoreCase: a.IgnoreCase, Extensions: a.Extensions, MaxItems: a.MaxItems, Provenance: provenance(ctx, u),
	})
}

type patched struct {
	Patch string `json:"patch"`
}

func (c *Catalogue) applyPatch(ctx context.Context, u use, a patched) (any, error) {
	return ask[messages.FilesChanged](ctx, c.port, messages.ApplyPatch{Patch: a.Patch, Provenance: provenance(ctx, u)})
}

package tools_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/tools"
)

func gateway(h *house) *tools.Catalogue { return tools.Gateway(h, tools.Options{}) }

// Each file tool asks one thing of the house, in the caller's name and under his
// trace, and answers as its schema says.
func TestFileTools(t *testing.T) {
	size := int64(3)
	provenance := messages.Provenance{Trace: "tr", Task: "t", By: actor}
	for name, c := range map[string]struct {
		args   string
		asks   messages.Message
		house  messages.Message
		answer string
	}{
		"list_files": {
			`{"path":".","extensions":["md"],"max_items":5}`,
			messages.ListFiles{Path: ".", Extensions: []string{"md"}, MaxItems: 5, Provenance: provenance},
			messages.FileList{Files: []messages.FileEntry{{Name: "a.md", Size: &size}, {Name: "d", IsDir: true}}},
			`{"files":[{"name":"a.md","is_dir":false,"size":3},{"name":"d","is_dir":true}]}`,
		},
		"read_file":  {`{"path":"a.md"}`, messages.ReadFile{Path: "a.md", Provenance: provenance}, messages.FileContent{Content: "<a>"}, `{"content":"<a>"}`},
		"write_file": {`{"path":"a.md","content":"","mode":"create"}`, messages.WriteFile{Path: "a.md", Mode: messages.WriteCreate, Provenance: provenance}, messages.FileWritten{Status: "ok", Path: "a.md"}, `{"status":"ok","path":"a.md"}`},
		"stat_file": {
			`{"path":"a.md"}`,
			messages.StatFile{Path: "a.md", Provenance: provenance},
			messages.FileStat{Path: "a.md", Kind: messages.KindFile, Size: 3, ModifiedAt: "2026-01-01T00:00:00Z", Readable: true},
			`{"path":"a.md","kind":"file","size":3,"modified_at":"2026-01-01T00:00:00Z","readable":true,"writable":false}`,
		},
		"search_text": {
			`{"pattern":"x","path":"d","regexp":true,"ignore_case":true,"extensions":[".md"],"max_items":2}`,
			messages.SearchText{Pattern: "x", Path: "d", Regexp: true, IgnoreCase: true, Extensions: []string{".md"}, MaxItems: 2, Provenance: provenance},
			messages.TextFound{Matches: []messages.TextMatch{{Path: "d/a.md", Line: 2, Text: "x"}}, Files: 1, Truncated: true},
			`{"matches":[{"path":"d/a.md","line":2,"text":"x"}],"files":1,"truncated":true}`,
		},
		"apply_patch": {
			`{"patch":"--- a"}`,
			messages.ApplyPatch{Patch: "--- a", Provenance: provenance},
			messages.FilesChanged{Files: []messages.FileOutcome{{Path: "a.md", Action: messages.ChangedFile, Size: 1, Before: "x", After: "y"}}},
			`{"files":[{"path":"a.md","action":"modified","size":1,"before":"x","after":"y"}]}`,
		},
		"delete_file": {`{"path":"a.md"}`, messages.DeleteFile{Path: "a.md", Provenance: provenance}, messages.FileWritten{Status: "ok", Path: "a.md"}, `{"status":"ok","path":"a.md"}`},
	} {
		h := newHouse(gives(c.house, nil))
		catalogue := gateway(h)
		got, err := catalogue.Call(tools.WithTrace(t.Context(), "tr", "t"), actor, messages.ToolCall{Name: name, Input: json.RawMessage(c.args)}, nil)
		if err != nil || string(got) != c.answer {
			t.Errorf("%s answers %s, %v; want %s", name, got, err, c.answer)
			continue
		}
		if asked := h.questions(); len(asked) != 1 || !reflect.DeepEqual(asked[0], c.asks) {
			t.Errorf("%s asks %+v, want %+v", name, asked, c.asks)
		}
		for _, tool := range catalogue.Tools(actor) {
			if tool.Name == name {
				conforms(t, tool.Answer, string(got))
			}
		}
	}
}

// What does not fit is refused before the house is asked; what the house refuses
// keeps its field and gets a remedy.
func TestFileToolsRefuse(t *testing.T) {
	h := newHouse(gives(nil, messages.Errorf(messages.CodeDenied, "it is kept")))
	c := gateway(h)
	for args, field := range map[string]string{
		`read_file {}`: "path", `read_file {"path":7}`: "path", `read_file {"path":""}`: "path", `read_file {"path":"a","trace_id":"x"}`: "trace_id",
		`write_file {"path":"a","content":"x"}`: "mode", `write_file {"path":"a","content":"x","mode":"truncate"}`: "mode", `write_file {"path":"a","mode":"create"}`: "content",
		`list_files {"path":".","max_items":0}`: "max_items", `list_files {"path":".","extensions":"md"}`: "extensions",
		`search_text {"pattern":""}`: "pattern", `search_text {"pattern":"` + strings.Repeat("x", 1001) + `"}`: "pattern", `apply_patch {}`: "patch", `delete_file {"path":"a","force":true}`: "force",
	} {
		name, input, _ := strings.Cut(args, " ")
		_, err := call(t, c, owner, name, input)
		wantError(t, err, messages.CodeInvalid, field)
	}
	if asked := h.questions(); len(asked) > 0 {
		t.Errorf("the house was asked %+v", asked)
	}
	for name, field := range map[string]string{`read_file {"path":"a"}`: "path", `apply_patch {"patch":"x"}`: "patch"} {
		tool, input, _ := strings.Cut(name, " ")
		_, err := call(t, c, owner, tool, input)
		wantError(t, err, messages.CodeDenied, field, "it is kept")
	}
}

// Each is explained, bounded, and says what it may harm.
func TestFileToolsAreDescribed(t *testing.T) {
	all := gateway(newHouse(nil)).Tools(actor)
	if got := strings.Join(names(all), " "); !strings.HasPrefix(got, "list_files read_file write_file stat_file search_text apply_patch delete_file") {
		t.Errorf("an agent sees %s", got)
	}
	for _, tool := range all {
		if tool.Title == "" || len(tool.Description) < 80 || tool.Hints == nil || tool.Hints.ReadOnly && tool.Hints.Destructive {
			t.Errorf("%s is hardly described: %+v", tool.Name, tool)
		}
		described(t, tool.Name, parsed(t, string(tool.Schema)).(map[string]any), true)
		described(t, tool.Name, parsed(t, string(tool.Answer)).(map[string]any), false)
	}
}

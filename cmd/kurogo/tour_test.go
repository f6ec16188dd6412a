package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// A stop of the tour is one call of a tool.
type stop struct {
	tool    string
	input   string            // $name is something kept
	want    map[string]any    // by its path in the answer
	keep    map[string]string // what later stops need: its name, and its path
	refused messages.Code     // "" = the tool answers
}

// tour uses every tool of the catalogue, in an order in which each has something
// to do. What is played is in rehearsed.
var tour = []stop{
	{tool: "list_roles", want: map[string]any{"roles.0.id": "impl-code", "roles.0.driver": "rehearsal", "roles.1.id": "research"}},
	{tool: "create_group", input: `{"description":"a tour"}`, want: map[string]any{"status": "active", "description": "a tour"}, keep: map[string]string{"group": "groupId"}},
	{
		tool: "run_agent", input: `{"groupId":"$group","role":"impl-code","prompt":"build it"}`,
		want: map[string]any{"status": "queued", "role": "impl-code", "groupId": "$group"}, keep: map[string]string{"builder": "agentId"},
	},
	{
		tool: "run_agents", input: `{"groupId":"$group","agents":[{"role":"research","prompt":"look it up"},{"role":"impl-code","prompt":"take your time"}]}`,
		want: map[string]any{"total": 2, "agents.1.role": "impl-code"}, keep: map[string]string{"reader": "agents.0.agentId", "idler": "agents.1.agentId"},
	},
	{
		tool: "run_sequential", input: `{"groupId":"$group","stages":[{"tasks":[{"role":"research","prompt":"first"}]},{"tasks":[{"role":"impl-code","prompt":"second"}]}]}`,
		want: map[string]any{"totalStages": 2, "currentStageIndex": 0, "stages.1.stageIndex": 1, "total": 2}, keep: map[string]string{"last": "stages.1.agentIds.0"},
	},
	{
		tool: "wait_agent", input: `{"agentIds":["$builder","$reader","$last"]}`,
		want: map[string]any{
			"timedOut": false, "pending": "[]", "completed.0.agentId": "$builder", "completed.0.status": "completed",
			"completed.1.status": "completed", "completed.2.status": "completed",
		},
	},
	{tool: "wait_agent", input: `{"agentIds":["$idler"],"timeout_ms":1}`, want: map[string]any{"timedOut": true, "pending.0": "$idler"}},
	{tool: "get_agent_status", input: `{"agentId":"$builder"}`, want: map[string]any{"status": "completed", "lastAssistantMessage": "it is done", "result.status": "success", "result.summary": "it is done"}},
	{tool: "report_result", input: `{"agentId":"$builder","status":"success","summary":"well built","editedFiles":["gate.txt"]}`, want: map[string]any{"registered": true, "agentId": "$builder"}},
	{tool: "get_agent_status", input: `{"agentId":"$builder"}`, want: map[string]any{"status": "result_reported", "outcome": "completed", "result.summary": "well built"}},
	{tool: "list_agents", input: `{"groupId":"$group"}`, want: map[string]any{"total": 5, "agents.0.agentId": "$builder", "agents.2.agentId": "$idler"}},
	{tool: "delete_group", input: `{"groupId":"$group"}`, refused: messages.CodeConflict},
	{tool: "cancel_agent", input: `{"agentId":"$idler","reason":"the tour goes on"}`, want: map[string]any{"cancelled": true, "agentId": "$idler", "status": "cancelled"}},
	{tool: "delete_group", input: `{"groupId":"$group"}`, want: map[string]any{"deleted": true, "groupId": "$group"}},
	{tool: "send_message", input: `{"to":"grand_boss","content":"good day","wait":true}`, want: map[string]any{"accepted": true, "status": "completed", "content": "heard: good day"}},
	{tool: "submit_task", input: `{"content":"a noren","wait":true}`, want: map[string]any{"status": "completed", "result": "heard: a noren"}, keep: map[string]string{"task": "taskId"}},
	{tool: "get_task", input: `{"taskId":"$task"}`, want: map[string]any{"status": "completed", "to": "grand_boss", "result": "heard: a noren"}},
	{tool: "submit_task", input: `{"content":"take your time"}`, keep: map[string]string{"unwanted": "taskId"}},
	{tool: "cancel_task", input: `{"taskId":"$unwanted"}`, want: map[string]any{"taskId": "$unwanted", "status": "cancelled"}},
	{
		tool: "evaluate_document", input: `{"content":"a noren, hung low","target_score":9.5,"session":"$group"}`,
		want: map[string]any{
			"score": 9, "pass": false, "rubric_scores.clarity": 9, "suggestions.0": "L1 · clarity · say where",
			"metadata.iteration": 1, "metadata.model_used": "rehearsal",
		},
	},
	{tool: "evaluate_document", input: `{"content":"a noren, hung high","session":"$group"}`, want: map[string]any{"score": 9, "pass": true, "metadata.iteration": 2}},
	{
		tool: "improve_document", input: `{"content":"a noren, hung high"}`,
		want: map[string]any{"version": 0, "stop": "target", "scores.0": 9, "document": "a noren, hung high", "written": false, "best.pass": true},
		keep: map[string]string{"evaluation": "evaluationId"},
	},
	{
		tool: "get_evaluation", input: `{"evaluationId":"$evaluation","wait":true}`,
		want: map[string]any{"evaluationId": "$evaluation", "status": "completed", "improved.stop": "target", "evaluated": "", "error": ""},
	},
	{
		tool: "run_task", input: `{"task":"hang the noren"}`,
		want: map[string]any{"status": "completed", "state": "done", "exit": 0, "steps.0.id": "hang", "steps.0.state": "done", "timedOut": false},
		keep: map[string]string{"run": "runId"},
	},
	{tool: "get_run", input: `{"runId":"$run","wait":true}`, want: map[string]any{"runId": "$run", "exit": 0, "text": "it hangs", "plan": ""}},
	{tool: "write_file", input: `{"path":"tour/$group/stop.md","content":"# The last stop\n\nBelow the noren.\n","mode":"create"}`, want: map[string]any{"status": "ok", "path": "tour/$group/stop.md"}},
	{tool: "write_file", input: `{"path":"tour/$group/stop.md","content":"again","mode":"create"}`, refused: messages.CodeConflict},
	{tool: "read_file", input: `{"path":"tour/$group/stop.md"}`, want: map[string]any{"content": "# The last stop\n\nBelow the noren.\n"}},
	{tool: "stat_file", input: `{"path":"tour/$group/stop.md"}`, want: map[string]any{"kind": "file", "size": 34, "writable": true}},
	{tool: "list_files", input: `{"path":"tour/$group"}`, want: map[string]any{"files.0.name": "stop.md", "files.0.is_dir": false}},
	{tool: "search_text", input: `{"pattern":"noren","path":"tour/$group"}`, want: map[string]any{"matches.0.path": "tour/$group/stop.md", "matches.0.line": 3}},
	{tool: "search_code", input: `{"query":"what is below the noren at the last stop","filters":{"path_prefix":"tour/$group"}}`, want: map[string]any{"chunks.0.path": "tour/$group/stop.md", "chunks.0.span": "L1-L3"}},
	{tool: "index_status", want: map[string]any{"syncing": false, "queued": 0}},
	{
		tool: "apply_patch", input: `{"patch":"--- a/tour/$group/stop.md\n+++ b/tour/$group/stop.md\n@@ -1,3 +1,3 @@\n # The last stop\n \n-Below the noren.\n+Behind the noren.\n"}`,
		want: map[string]any{"files.0.path": "tour/$group/stop.md", "files.0.action": "modified"},
	},
	{tool: "read_file", input: `{"path":"../../etc/passwd"}`, refused: messages.CodeInvalid},
	{tool: "delete_file", input: `{"path":"tour/$group/stop.md"}`, want: map[string]any{"status": "ok", "path": "tour/$group/stop.md"}},
	{tool: "read_file", input: `{"path":"tour/$group/stop.md"}`, refused: messages.CodeNotFound},
	{tool: "get_run", input: `{"runId":"$evaluation"}`, refused: messages.CodeNotFound},
	{tool: "evaluate_document", input: `{"document_path":"nowhere.md"}`, refused: messages.CodeNotFound},
	{tool: "get_agent_status", input: `{"agentId":"nobody-1-dead"}`, refused: messages.CodeNotFound},
	{tool: "run_agent", input: `{"groupId":"$group","role":"impl-code","prompt":"x","model":"mine"}`, refused: messages.CodeInvalid},
}

// rehearsed is a project in which the tour can be made. %s is more of [server].
const rehearsed = `language = "en"
driver = "rehearsal"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = "127.0.0.1:0"
%s
[drivers.rehearsal]
performance = "play.toml"
[evaluation]
driver = "rehearsal"
[workspace]
allow_delete = true
[roles.impl-code]
[roles.research]
-- play.toml --
[[scene]]
who = "role:*"
match = "Make a plan for this task"
[[scene.line]]
say = '''{"summary":"hang it","relied_on":[],"steps":[{"id":"hang","title":"hang it","needs":[],"files":["noren.md"],"instructions":"hang it","acceptance":"it hangs","verify":[["kurogo-holds","noren.md","a noren"]]}]}'''
[[scene]]
who = "role:evaluator"
[[scene.line]]
say = '''{"score":9,"rubric_scores":{"completeness":9,"accuracy":9,"clarity":9,"usability":9},"suggestions":[{"criterion":"clarity","line":1,"text":"say where"}],"blocker":""}'''
[[scene]]
who = "role:*"
match = "respond with exactly: OK"
[[scene.line]]
say = "OK"
[[scene]]
who = "role:*"
match = "take your time"
[[scene.line]]
wait = "10m"
say = "late"
[[scene]]
who = "role:*"
match = "Your step: hang"
[[scene.line]]
write = { path = "noren.md", content = "a noren\n" }
[[scene.line]]
say = "it hangs"
[[scene]]
who = "role:*"
[[scene.line]]
say = "it is done"
[[scene]]
who = "grand_boss"
match = "take your time"
[[scene.line]]
wait = "10m"
say = "late"
[[scene]]
who = "grand_boss"
[[scene.line]]
say = "heard: {{content}}"
`

// rehearse is a theatre with an owner in which the tour can be made.
func rehearse(t *testing.T, server string) (*theatre, messages.Status) {
	t.Helper()
	th := newTheatre(t)
	settings, play, _ := strings.Cut(rehearsed, "-- play.toml --\n")
	th.write("kurogo.toml", fmt.Sprintf(settings, server))
	th.write("play.toml", play)
	o := th.serve()
	t.Cleanup(func() {
		th.run("stop")
		<-o.ended
		if left := traces(th.home); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	})
	s, err := ask[messages.Status](t.Context(), th, messages.GetStatus{})
	if err != nil {
		t.Fatal(err)
	}
	return th, s
}

// A visitor uses one tool. It gives the answer, or the error that it was told.
type visitor func(t *testing.T, tool string, input json.RawMessage) (answer any, refused messages.Code)

// visit makes the whole tour.
func visit(t *testing.T, v visitor) {
	t.Helper()
	kept := map[string]string{}
	fill := func(text string) string { return os.Expand(text, func(name string) string { return kept[name] }) }
	for _, s := range tour {
		input := fill(s.input)
		if input == "" {
			input = "{}"
		}
		answer, refused := v(t, s.tool, json.RawMessage(input))
		if refused != s.refused {
			t.Fatalf("%s %s: refused with %q, want %q: %v", s.tool, input, refused, s.refused, answer)
		}
		for path, want := range s.want {
			if got := at(answer, path); got != fill(fmt.Sprint(want)) {
				t.Fatalf("%s %s: %s is %q, want %v: %v", s.tool, input, path, got, want, answer)
			}
		}
		for name, path := range s.keep {
			if kept[name] = at(answer, path); kept[name] == "" {
				t.Fatalf("%s %s: there is no %s: %v", s.tool, input, path, answer)
			}
		}
	}
}

// at is what stands in decoded JSON at a path such as agents.0.agentId, "" if
// nothing does.
func at(tree any, path string) string {
	for step := range strings.SplitSeq(path, ".") {
		switch t := tree.(type) {
		case map[string]any:
			tree = t[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(t) {
				return ""
			}
			tree = t[n]
		default:
			return ""
		}
	}
	if tree == nil {
		return ""
	}
	return fmt.Sprint(tree)
}

// catalogue lists the names of all tools.
func catalogue() []string {
	var names []string
	for _, tool := range tools.New(nil, tools.Options{}).Tools(messages.Caller{}) {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return names
}

// Whoever adds a tool takes it into the tour.
func TestTheTourLeavesNoToolOut(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range tour {
		seen[s.tool] = seen[s.tool] || s.refused == ""
	}
	maps.DeleteFunc(seen, func(_ string, answered bool) bool { return !answered })
	if got, want := slices.Sorted(maps.Keys(seen)), catalogue(); !slices.Equal(got, want) {
		t.Errorf("the tour has %q, the catalogue %q", got, want)
	}
}

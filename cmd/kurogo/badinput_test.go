package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
)

// A blunder is a call that must be refused, with the code, the field and a word
// of the remedy.
type blunder struct {
	what, tool, args string
	code             messages.Code
	field, remedy    string
}

// blunders are what the house itself must refuse: it knows of everybody.
func (l *lair) blunders() []blunder {
	const order = `"agents":[{"role":"sleeper","prompt":"p"}]`
	at := func(dir string) string {
		return fmt.Sprintf(`{"groupId":%q,"agents":[{"role":"sleeper","prompt":"p","workingDirectory":%q}]}`, l.group, dir)
	}
	in := func(group messages.GroupID, rest string) string { return fmt.Sprintf(`{"groupId":%q,%s}`, group, rest) }
	of := func(agent messages.AgentID, rest string) string { return fmt.Sprintf(`{"agentId":%q%s}`, agent, rest) }
	const report = `,"status":"success","summary":"s"`
	stages := func(task string) string {
		return `"stages":[{"tasks":[{"role":"sleeper","prompt":"p"}]},{"tasks":[` + task + `]}]`
	}
	return []blunder{
		{"unknown group", "delete_group", in("grp-1-abcd", `"groupId":"grp-1-abcd"`), "not_found", "groupId", "create"},
		{"unknown group", "list_agents", `{"groupId":"grp-1-abcd"}`, "not_found", "groupId", "create"},
		{"unknown group", "run_agent", in("grp-1-abcd", `"role":"sleeper","prompt":"p"`), "not_found", "groupId", "create"},
		{"unknown group", "run_agents", in("grp-1-abcd", order), "not_found", "groupId", "create"},
		{"unknown group", "run_sequential", in("../../etc", stages(`{"role":"sleeper","prompt":"p"}`)), "not_found", "groupId", "create"},
		{"deleted group", "delete_group", in(l.deleted, `"groupId":"`+string(l.deleted)+`"`), "conflict", "groupId", "create"},
		{"deleted group", "run_agent", in(l.deleted, `"role":"sleeper","prompt":"p"`), "conflict", "groupId", "create"},
		{"deleted group", "run_agents", in(l.deleted, order), "conflict", "groupId", "create"},
		{"deleted group", "run_sequential", in(l.deleted, stages(`{"role":"sleeper","prompt":"p"}`)), "conflict", "groupId", "create"},
		{"agent of a deleted group", "report_result", of(l.singer, report), "conflict", "agentId", ""},
		{"group with running agents", "delete_group", in(l.group, `"groupId":"`+string(l.group)+`"`), "conflict", "groupId", "wait_agent"},

		{"unknown agent", "get_agent_status", of("sleeper-1-abcd", ""), "not_found", "agentId", "list_agents"},
		{"unknown agent", "cancel_agent", of("sleeper-1-abcd", ""), "not_found", "agentId", "list_agents"},
		{"unknown agent", "report_result", of("sleeper-1-abcd", report), "not_found", "agentId", "list_agents"},
		{"unknown agent", "wait_agent", `{"agentIds":["` + string(l.sleeper) + `","sleeper-1-abcd"]}`, "not_found", "agentId", "list_agents"},
		{"empty agentIds", "wait_agent", `{"agentIds":[]}`, "invalid", "agentIds", ""},
		{"too many agentIds", "wait_agent", `{"agentIds":["` + strings.Repeat(`a","`, 100) + `a"]}`, "invalid", "agentIds", "100"},
		{"no agents", "run_agents", in(l.group, `"agents":[]`), "invalid", "agents", ""},
		{"no stages", "run_sequential", in(l.group, `"stages":[]`), "invalid", "stages", ""},
		{"an empty stage", "run_sequential", in(l.group, `"stages":[{"tasks":[]}]`), "invalid", "stages[0].tasks", ""},

		{"unknown role", "run_agent", in(l.group, `"role":"clown","prompt":"p"`), "not_found", "role", "sleeper"},
		{"unknown role", "run_agents", in(l.group, `"agents":[{"role":"sleeper","prompt":"p"},{"role":"clown","prompt":"p"}]`), "not_found", "agents[1].role", "sleeper"},
		{"unknown role", "run_sequential", in(l.group, stages(`{"role":"clown","prompt":"p"}`)), "not_found", "stages[1].tasks[0].role", "sleeper"},
		{"role unavailable", "run_agent", in(l.group, `"role":"nobody","prompt":"p"`), "unavailable", "role", "list_roles"},
		{"role unavailable", "run_agents", in(l.group, `"agents":[{"role":"nobody","prompt":"p"}]`), "unavailable", "agents[0].role", "list_roles"},
		{"role unavailable", "run_sequential", in(l.group, stages(`{"role":"nobody","prompt":"p"}`)), "unavailable", "stages[1].tasks[0].role", "list_roles"},
		{"model given", "run_agent", in(l.group, `"role":"sleeper","prompt":"p","model":"opus"`), "invalid", "model", ""},
		{"model given", "run_agents", in(l.group, `"agents":[{"role":"sleeper","prompt":"p","model":"opus"}]`), "invalid", "agents[0].model", ""},
		{"model given", "run_sequential", in(l.group, stages(`{"role":"sleeper","prompt":"p","model":"opus"}`)), "invalid", "stages[1].tasks[0].model", ""},
		{"an empty prompt", "run_agents", in(l.group, `"agents":[{"role":"sleeper","prompt":" "}]`), "invalid", "agents[0].prompt", ""},
		{"a time-out that is too short", "run_agents", in(l.group, `"agents":[{"role":"sleeper","prompt":"p","timeout_ms":999}]`), "invalid", "agents[0].timeout_ms", ""},
		{"directory missing", "run_agents", at("/there/is/no/such/directory"), "invalid", "agents[0].workingDirectory", "exists"},
		{"directory is a file", "run_agents", at(l.project + "/kurogo.toml"), "invalid", "agents[0].workingDirectory", "exists"},
		{"directory outside", "run_agents", at(l.home), "invalid", "agents[0].workingDirectory", "workspace.roots"},
		{"directory outside by steps", "run_agents", at(l.project + "/../../.."), "invalid", "agents[0].workingDirectory", "workspace.roots"},

		{"another's name", "send_message", `{"to":"grand_boss","content":"c","from":"middle_manager"}`, "denied", "from", "leave from out"},
		{"nobody of that name", "send_message", `{"to":"nobody","content":"c"}`, "not_found", "to", "grand_boss"},
		{"unknown type", "send_message", `{"to":"grand_boss","content":"c","type":"shout"}`, "invalid", "type", ""},
		{"nobody of that name", "submit_task", `{"to":"nobody","content":"c"}`, "not_found", "to", "grand_boss"},
		{"unknown priority", "submit_task", `{"content":"c","priority":"now"}`, "invalid", "priority", ""},
		{"unknown task", "get_task", `{"taskId":"no-such-task"}`, "not_found", "taskId", ""},
		{"unknown task", "cancel_task", `{"taskId":"no-such-task"}`, "not_found", "taskId", ""},
	}
}

// trespasses are what an agent may not do.
func (l *lair) trespasses() []blunder {
	const report = `"status":"success","summary":"s"`
	return []blunder{
		{"somebody else's report", "report_result", fmt.Sprintf(`{"agentId":%q,%s}`, l.sleeper, report), "denied", "agentId", "own agentId"},
		{"a look at somebody else", "get_agent_status", fmt.Sprintf(`{"agentId":%q}`, l.sleeper), "denied", "groupId", "groupId"},
		{"a list of somebody else's group", "list_agents", fmt.Sprintf(`{"groupId":%q}`, l.group), "denied", "groupId", ""},
		{"work in somebody else's group", "run_agents", fmt.Sprintf(`{"groupId":%q,"agents":[{"role":"sleeper","prompt":"p"}]}`, l.group), "denied", "groupId", ""},
		{"a wait for itself", "wait_agent", fmt.Sprintf(`{"agentIds":[%q]}`, l.spy), "invalid", "agentIds", "leave"},
		{"somebody else's name", "send_message", `{"to":"grand_boss","content":"c","from":"user"}`, "denied", "from", "leave from out"},
	}
}

// valid are calls that would be understood: what is wrong with a mutant of one
// is the mutation.
func (l *lair) valid() map[string]string {
	return map[string]string{
		"create_group":     `{"description":"d"}`,
		"delete_group":     fmt.Sprintf(`{"groupId":%q}`, l.group),
		"run_agent":        fmt.Sprintf(`{"groupId":%q,"role":"sleeper","prompt":"p"}`, l.group),
		"run_agents":       fmt.Sprintf(`{"groupId":%q,"agents":[{"role":"sleeper","prompt":"p"}]}`, l.group),
		"run_sequential":   fmt.Sprintf(`{"groupId":%q,"stages":[{"tasks":[{"role":"sleeper","prompt":"p"}]}]}`, l.group),
		"list_agents":      `{}`,
		"get_agent_status": fmt.Sprintf(`{"agentId":%q}`, l.sleeper),
		"wait_agent":       fmt.Sprintf(`{"agentIds":[%q]}`, l.sleeper),
		"report_result":    fmt.Sprintf(`{"agentId":%q,"status":"success","summary":"s"}`, l.sleeper),
		"list_roles":       `{}`,
		"cancel_agent":     fmt.Sprintf(`{"agentId":%q}`, l.sleeper),
		"send_message":     `{"to":"grand_boss","content":"c"}`,
		"submit_task":      `{"content":"c"}`,
		"get_task":         `{"taskId":"t"}`,
		"cancel_task":      `{"taskId":"t"}`,

		"evaluate_document": `{"content":"c"}`,
		"improve_document":  `{"content":"c"}`,
		"get_evaluation":    `{"evaluationId":"e"}`,

		"run_task": `{"task":"t"}`,
		"get_run":  `{"runId":"r"}`,

		"search_code":  `{"query":"q"}`,
		"index_status": `{}`,
		"list_files":   `{"path":"."}`,
		"read_file":    `{"path":"a.md"}`,
		"write_file":   `{"path":"a.md","content":"c","mode":"create"}`,
		"stat_file":    `{"path":"a.md"}`,
		"search_text":  `{"pattern":"p"}`,
		"apply_patch":  `{"patch":"p"}`,
		"delete_file":  `{"path":"a.md"}`,
	}
}

// mutants misses, mistakes and swells every argument of every tool that the way
// tells of, and adds one that there is not.
func (l *lair) mutants(t *testing.T, tools map[string]schema) (out []blunder) {
	t.Helper()
	valid := l.valid()
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		if valid[tool] == "" {
			t.Fatalf("nobody knows how to call %s", tool)
		}
		mutate := func(what, field string, change func(map[string]any)) {
			var args map[string]any
			if err := json.Unmarshal([]byte(valid[tool]), &args); err != nil {
				t.Fatal(err)
			}
			change(args)
			text, _ := json.Marshal(args) // it was JSON
			out = append(out, blunder{what, tool, string(text), messages.CodeInvalid, field, ""})
		}
		mutate("unknown", "colour", func(a map[string]any) { a["colour"] = "red" })
		for _, name := range tools[tool].Required {
			mutate("missing", name, func(a map[string]any) { delete(a, name) })
			mutate("null", name, func(a map[string]any) { a[name] = nil })
		}
		for _, name := range slices.Sorted(maps.Keys(tools[tool].Properties)) {
			property := tools[tool].Properties[name]
			if property.Type != "string" {
				mutate("wrong-typed", name, func(a map[string]any) { a[name] = "seven" })
				continue
			}
			mutate("wrong-typed", name, func(a map[string]any) { a[name] = 7 })
			mutate("oversized", name, func(a map[string]any) { a[name] = strings.Repeat("x", property.MaxLength+1) })
		}
	}
	return out
}

// TestBadInput makes every blunder by every way into the real program: the
// pipe, HTTP, both WebSockets and REST. Each is refused with a code, the field
// and a remedy, by the same sentence wherever it comes in, and nothing happens.
func TestBadInput(t *testing.T) {
	t.Parallel()
	l := newLair(t)
	before := must[messages.Status](l.theatre, messages.GetStatus{}).LastEvent
	owners := l.ways(l.status, l.owner, false)
	for _, b := range slices.Concat(l.blunders(), l.mutants(t, owners[0].tools(t))) {
		l.refused(b, owners)
	}
	spies := l.ways(l.status, l.agent, true)
	for _, b := range l.trespasses() {
		l.refused(b, spies)
	}
	for e := range l.since(before) {
		if e.Kind != messages.MessageRefused && e.Kind != messages.AgentUpdated { // what an agent has shown may be told late
			t.Errorf("after all these refusals there is a %s: %s", e.Kind, e.Data)
		}
	}
	if a := l.look(l.sleeper); a.Status != messages.AgentRunning {
		t.Errorf("the sleeper is %s", a.Status)
	}
}

// refused makes a blunder by all ways and compares what they say.
func (l *lair) refused(b blunder, ways []*way) {
	l.Helper()
	first, from := "", ""
	for _, d := range ways {
		answer, can, err := d.use(b.tool, b.args)
		if !can {
			continue
		}
		var e *messages.Error
		if !errors.As(err, &e) {
			l.Errorf("%s %s through %s: %v %.300s", b.what, b.tool, d.name, err, answer)
			continue
		}
		if e.Code != b.code || e.Field != b.field || e.Message == "" || e.Remedy == "" || !strings.Contains(e.Remedy, b.remedy) {
			l.Errorf("%s %s through %s: want %s of %s: %v", b.what, b.tool, d.name, b.code, b.field, e)
		}
		switch {
		case first == "":
			first, from = e.Error(), d.name
		case e.Error() != first && (!d.rest || !strings.Contains(e.Message, "parameter")): // what REST has in its path or query
			l.Errorf("%s %s:\n%s through %s\n%s through %s", b.what, b.tool, first, from, e, d.name)
		}
	}
}

// since is what the journal has written behind an event.
func (l *lair) since(last int64) map[*messages.Event]bool {
	l.Helper()
	out := map[*messages.Event]bool{}
	now := must[messages.Status](l.theatre, messages.GetStatus{}).LastEvent
	if now == last {
		return out
	}
	conn, err := l.dial(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	defer conn.Close()
	for e, err := range conn.Watch(l.Context(), messages.Topic{}, last) {
		if err != nil {
			l.Fatal(err)
		}
		out[&e] = true
		if e.Seq >= now {
			break
		}
	}
	return out
}

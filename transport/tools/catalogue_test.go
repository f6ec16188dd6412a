package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kurogo/messages"
	"kurogo/transport/tools"
)

var update = flag.Bool("update", false, "write what is shown to clients anew")

func names(list []messages.Tool) []string {
	var out []string
	for _, tool := range list {
		out = append(out, tool.Name)
	}
	return out
}

// The table of the contract, in its order; an agent sees what it may use.
func TestWhoSeesWhat(t *testing.T) {
	c := catalogue(newHouse(nil))
	all := strings.Fields("create_group delete_group run_agent run_agents run_sequential list_agents get_agent_status wait_agent report_result list_roles cancel_agent send_message submit_task get_task cancel_task evaluate_document improve_document get_evaluation run_task get_run search_code index_status list_files read_file write_file stat_file search_text apply_patch delete_file")
	if got := names(c.Tools(owner)); !slices.Equal(got, all) {
		t.Errorf("the owner sees %q", got)
	}
	theirs := strings.Fields("run_agent run_agents run_sequential list_agents get_agent_status wait_agent report_result list_roles send_message search_code index_status list_files read_file write_file stat_file search_text apply_patch delete_file")
	if got := names(c.Tools(actor)); !slices.Equal(got, theirs) {
		t.Errorf("an agent sees %q", got)
	}
	for _, name := range all {
		if slices.Contains(theirs, name) {
			continue
		}
		_, err := call(t, c, actor, name, `{}`)
		wantError(t, err, messages.CodeDenied, "name", name+" is not for agents")
	}
	_, err := call(t, c, owner, "fly", `{}`)
	wantError(t, err, messages.CodeNotFound, "name", `no tool "fly"`, "use one of apply_patch, ")
}

// What clients are shown, word by word: -update writes it anew, and a person
// reads the difference.
func TestTheCatalogueAsClientsSeeIt(t *testing.T) {
	raw, err := json.Marshal(catalogue(newHouse(nil)).Tools(owner))
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	_ = json.Indent(&got, raw, "", " ")
	got.WriteByte('\n')
	const golden = "testdata/catalogue.json"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the catalogue differs from %s; go test -update writes it anew", golden)
	}
}

// Every tool is explained, bounded and honest about what it does.
func TestEveryToolIsDescribed(t *testing.T) {
	good := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	for _, tool := range catalogue(newHouse(nil)).Tools(owner) {
		if !good.MatchString(tool.Name) || tool.Title == "" || len(tool.Description) < 80 {
			t.Errorf("%q, %q is hardly described: %q", tool.Name, tool.Title, tool.Description)
		}
		if tool.Hints == nil || tool.Hints.ReadOnly && (tool.Hints.Destructive || !tool.Hints.Idempotent) {
			t.Errorf("%s hints %+v", tool.Name, tool.Hints)
		}
		described(t, tool.Name, parsed(t, string(tool.Schema)).(map[string]any), true)
		described(t, tool.Name, parsed(t, string(tool.Answer)).(map[string]any), false)
	}
}

func described(t *testing.T, at string, s map[string]any, input bool) {
	t.Helper()
	switch {
	case s["type"] == "object" && input && s["additionalProperties"] != false:
		t.Errorf("%s takes anything", at)
	case s["type"] == "string" && input && s["maxLength"] == nil && s["enum"] == nil, s["type"] == "array" && input && s["maxItems"] == nil:
		t.Errorf("%s has no bound", at)
	}
	props, _ := s["properties"].(map[string]any)
	for name, p := range props {
		p := p.(map[string]any)
		if p["description"] == nil && p["type"] != "object" {
			t.Errorf("%s.%s has no description", at, name)
		}
		described(t, at+"."+name, p, input)
	}
	if items, ok := s["items"].(map[string]any); ok {
		described(t, at+"[]", items, input)
	}
}

// The instructions name the tools by their names, in both languages.
func TestInstructions(t *testing.T) {
	en, ja := tools.Instructions("en"), tools.Instructions("ja")
	if en == ja || tools.Instructions("") != en || !strings.ContainsFunc(ja, func(r rune) bool { return unicode.In(r, unicode.Hiragana) }) {
		t.Error("the languages are mixed up")
	}
	known := names(catalogue(newHouse(nil)).Tools(owner))
	for _, text := range []string{en, ja} {
		for _, name := range []string{"list_roles", "create_group", "run_agents", "run_sequential", "wait_agent", "get_agent_status", "delete_group", "report_result", "submit_task", "get_task", "timedOut", "idempotency_key"} {
			if !strings.Contains(text, name) {
				t.Errorf("it does not name %s:\n%s", name, text)
			}
		}
		for _, name := range regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`).FindAllString(text, -1) {
			if !slices.Contains(known, name) && name != "idempotency_key" && name != "grand_boss" {
				t.Errorf("it names %s, which does not exist", name)
			}
		}
	}
}

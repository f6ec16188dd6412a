package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

// envelope asks the API of a house as its browser does.
func envelope[T any](v *spectator, method, path, body string) (out T, fault string) {
	v.Helper()
	r, err := http.NewRequestWithContext(v.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Origin", v.base)
	answer, err := v.http.Do(r)
	if err != nil {
		v.Fatal(err)
	}
	defer answer.Body.Close()
	var e struct {
		Data  T
		Error *struct{ Code, Message string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&e); err != nil {
		v.Fatalf("%s %s: %d, %v", method, path, answer.StatusCode, err)
	}
	if e.Error != nil {
		return out, e.Error.Code
	}
	return e.Data, ""
}

// A role is changed in the file, with its comments, and in the house; a change on
// another file than was looked at is refused.
func TestRolesAreChangedFromTheStage(t *testing.T) {
	t.Parallel()
	v := newSpectator(t)
	file := filepath.Join(v.project, "kurogo.toml")
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written) + "\n# who reads\n[roles.research]\nname = \"Reader\" # of all\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	plan, fault := envelope[messages.RoleChanged](v, "POST", "/api/roles/research", `{"name":"Librarian","dry_run":true}`)
	if fault != "" || plan.Applied || !strings.Contains(plan.Diff, "+name = \"Librarian\" # of all") {
		t.Fatalf("%+v %s", plan, fault)
	}
	if now, _ := os.ReadFile(file); string(now) != text {
		t.Error("looking has changed the file")
	}
	if _, fault := envelope[messages.RoleChanged](v, "POST", "/api/roles/research", `{"name":"Librarian","base":"another"}`); fault != "conflict" {
		t.Errorf("on another file: %q", fault)
	}
	done, fault := envelope[messages.RoleChanged](v, "POST", "/api/roles/research", `{"name":"Librarian","base":"`+plan.Base+`"}`)
	if fault != "" || !done.Applied {
		t.Fatalf("%+v %s", done, fault)
	}
	if now, _ := os.ReadFile(file); string(now) != strings.Replace(text, "Reader", "Librarian", 1) {
		t.Errorf("the file is now\n%s", now)
	}
	roles, _ := envelope[struct {
		Roles []struct{ ID, Name string }
	}](v, "GET", "/api/roles", "")
	found := false
	for _, r := range roles.Roles {
		found = found || r.ID == "research" && r.Name == "Librarian"
	}
	if !found {
		t.Errorf("%+v", roles)
	}
}

// The settings tell what holds and who is there, and no secret.
func TestSettingsTellNoSecret(t *testing.T) {
	t.Parallel()
	v := newSpectator(t)
	v.run("stop")
	file := filepath.Join(v.project, "kurogo.toml")
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const secrets = "\n[notify]\nwebhook = \"https://hooks.example.com/T0/hush-hush\"\n[drivers.claude]\nenv = { ANTHROPIC_API_KEY = \"sk-hush-hush\" }\n"
	if err := os.WriteFile(file, append(written, secrets...), 0o600); err != nil {
		t.Fatal(err)
	}
	v.enter()
	ws, _ := v.socket(v.base, "")
	if _, _, err := ws.ReadMessage(); err != nil {
		t.Fatal(err)
	}
	got, fault := envelope[messages.Settings](v, "GET", "/api/settings", "")
	if fault != "" {
		t.Fatal(fault)
	}
	values := map[string]messages.Setting{}
	for _, table := range got.Tables {
		for _, s := range table.Keys {
			values[table.Name+"."+s.Key] = s
		}
	}
	if s := values["server.listen"]; s.Value != "127.0.0.1:0" || s.Default != "127.0.0.1:9696" {
		t.Errorf("server.listen: %+v", s)
	}
	if s := values["limits.max_concurrent"]; s.Value != "10" || s.Default != "10" {
		t.Errorf("limits.max_concurrent: %+v", s)
	}
	pages := 0
	for _, c := range got.Connections {
		if c.Kind == "page" {
			pages++
		}
	}
	if pages != 1 {
		t.Errorf("connections: %+v", got.Connections)
	}
	token := strings.TrimSpace(v.run("token"))
	whole, _ := json.Marshal(got)
	for _, secret := range []string{token, "hush-hush"} {
		if bytes.Contains(whole, []byte(secret)) {
			t.Errorf("%s is among the settings", secret)
		}
	}
	if s := values["drivers.claude.env"]; s.Value != "ANTHROPIC_API_KEY" {
		t.Errorf("drivers.claude.env: %+v", s)
	}
	if s := values["notify.webhook"]; s.Value != "***" || s.Default != "" {
		t.Errorf("notify.webhook: %+v", s)
	}
}

// Whoever serves in a terminal is told where the stage is, and the journal that it
// is open.
func TestServeInvites(t *testing.T) {
	t.Parallel()
	v := newSpectator(t)
	v.run("stop")
	c := v.kurogo("serve")
	told, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	address := ""
	for address == "" && lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "the stage: "); ok {
			address = strings.Fields(rest)[0]
		}
	}
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %d", address, answer.StatusCode)
	}
	v.enter()
	status, _ := envelope[messages.Status](v, "GET", "/api/status", "")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.base+"/api/events?since=0&kinds=server:startup", nil)
	if err != nil {
		t.Fatal(err)
	}
	events, err := v.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	first := bufio.NewScanner(events.Body)
	for starts := 0; starts < 2 && first.Scan(); {
		if data, ok := strings.CutPrefix(first.Text(), "data: "); ok {
			starts++
			var e messages.Event
			var s messages.Status
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(e.Data, &s); err != nil || e.Kind != messages.ServerStarted || s.Store != status.Store {
				t.Errorf("%s, %v", data, err)
			}
		}
	}
	if err := first.Err(); err != nil {
		t.Errorf("the journal does not tell of two starts: %v", err)
	}
	_ = c.Process.Signal(os.Interrupt)
	_ = c.Wait()
}

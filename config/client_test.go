package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

var (
	byCommand = config.ServerEntry{Command: "/opt/k/kurogo", Args: []string{"mcp", "--project", `/p/a "b"`}}
	byURL     = config.ServerEntry{URL: "http://127.0.0.1:9696/mcp", Token: true}
)

// Each story in testdata/clients has a file as a client had it, if it had one,
// and what becomes of it, or why it stays. The first line of the comment says
// whose it is and, with http, what for.
func TestAClientsFileIsEditedWhereItStands(t *testing.T) {
	t.Parallel()
	tell(t, "clients", func(t *testing.T, s story) {
		t.Helper()
		head, _, _ := strings.Cut(string(s.Comment), "\n")
		who, http := strings.CutSuffix(head, " http")
		entry := byCommand
		if http {
			entry = byURL
		}
		client := config.Client(who)
		got, err := client.Edit(s.files["before"], entry)
		if err != nil {
			if !messages.IsCode(err, messages.CodeConflict) {
				t.Errorf("%v", err)
			}
			got = err.Error() + "\n"
		} else if again, err := client.Edit(got, entry); err != nil || again != got {
			t.Errorf("once more is not the same: %v\n%s", err, cmp.Diff(got, again))
		}
		s.ends(t, got)
	})
}

func TestEveryClientBeginsAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, c := range config.Clients() {
		for _, entry := range []config.ServerEntry{byCommand, byURL} {
			first, err := c.Edit("", entry)
			if err != nil || !strings.Contains(first, "kurogo") || !strings.HasSuffix(first, "\n") {
				t.Errorf("%s: %q, %v", c, first, err)
			}
			if strings.Contains(first, "TOKEN") != (entry.URL != "") && c != config.VSCodeClient {
				t.Errorf("%s: %s", c, first)
			}
			// One way and back again: nothing of the other is left.
			for _, other := range []config.ServerEntry{byURL, byCommand, entry} {
				if first, err = c.Edit(first, other); err != nil {
					t.Fatal(err)
				}
			}
			command, url := strings.Contains(first, byCommand.Command), strings.Contains(first, byURL.URL)
			if command == url || url != (entry.URL != "") {
				t.Errorf("%s: %s", c, first)
			}
		}
	}
}

func TestWhereNobodyAsksForATokenNoneIsGiven(t *testing.T) {
	t.Parallel()
	for _, c := range config.Clients() {
		got, err := c.Edit("", config.ServerEntry{URL: byURL.URL})
		if err != nil || strings.Contains(strings.ToLower(got), "token") || strings.Contains(got, "headers") {
			t.Errorf("%s: %s, %v", c, got, err)
		}
	}
}

// Codex passes a server nothing of its environment that is not named.
func TestCodexIsToldWhatToPassOn(t *testing.T) {
	t.Parallel()
	entry := byCommand
	entry.Variables = []string{"HERE", "THERE"}
	for before, want := range map[string]string{
		"": `env_vars = ["HERE", "THERE"]`,
		"[mcp_servers.kurogo]\ncommand = \"x\"\nenv_vars = [\"MINE\", \"THERE\"]\n": `env_vars = ["MINE", "THERE", "HERE"]`,
	} {
		after, err := config.CodexClient.Edit(before, entry)
		if err != nil || strings.Count(after, "env_vars") != 1 || !strings.Contains(after, want) {
			t.Errorf("%v\n%s", err, after)
		}
		if again, err := config.CodexClient.Edit(after, entry); err != nil || again != after {
			t.Errorf("once more: %v\n%s", err, again)
		}
		if url, err := config.CodexClient.Edit(after, byURL); err != nil || strings.Contains(url, "env_vars") {
			t.Errorf("an address has no environment: %v\n%s", err, url)
		}
	}
	for _, c := range config.Clients() {
		if text, err := c.Edit("", entry); err != nil || strings.Contains(text, "HERE") != (c == config.CodexClient) {
			t.Errorf("%s: %v\n%s", c, err, text)
		}
	}
}

func TestLineEndsStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for c, text := range map[config.Client]string{
		config.CursorClient: "{\r\n\t\"a\": [1,\r\n\t2]\r\n}\r\n",
		config.CodexClient:  "a = 1\r\n[mcp_servers.kurogo]\r\ncommand = \"x\"\r\nenabled = true\r\n",
	} {
		got, err := c.Edit(text, byCommand)
		if err != nil || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Errorf("%s: %q, %v", c, got, err)
		}
	}
}

// Whatever stands in a file, editing it ends; what is accepted has the entry,
// and is the same when it is edited again.
func FuzzEdit(f *testing.F) {
	for _, s := range stories(f, "clients") {
		for _, file := range s.Files {
			f.Add(string(file.Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range config.Clients() {
			for _, entry := range []config.ServerEntry{byCommand, byURL} {
				got, err := c.Edit(text, entry)
				if err != nil {
					continue
				}
				again, err := c.Edit(got, entry)
				if err != nil || again != got {
					t.Fatalf("%s: %v\n%s", c, err, cmp.Diff(got, again))
				}
				if !strings.Contains(got, map[bool]string{true: "127.0.0.1:9696", false: "/opt/k/kurogo"}[entry.URL != ""]) {
					t.Fatalf("%s: nothing was written: %q", c, got)
				}
			}
		}
	})
}

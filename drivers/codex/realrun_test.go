package codex_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

func TestCLIExecSaysAText(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Thinking: "Hm.", Text: "Good.", Input: 1000, Cached: 300})).Once()
	th.Spec.Raw = true
	th.Spec.SystemPrompt += strings.Repeat("Be strict. ", 20_000) // more than an argument may hold
	text := first + strings.Repeat(" Be quick.", 30_000)
	l := th.Begin()
	end := l.Turn(text)
	if end.Text != "Good." || end.Session == "" || end.Border == "" || l.Last(messages.DriverThought).Text != "Hm." || l.Last(messages.DriverRaw).Text == "" {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
	if got := l.Last(messages.DriverUsed).Usage; got != (messages.Usage{InputTokens: 700, CachedTokens: 300, OutputTokens: 20}) {
		t.Errorf("used %+v", got)
	}
	if r := th.LastRequest(); !r.Says(strings.TrimSpace(th.Spec.SystemPrompt)) || strings.TrimSpace(r.Turn()) != text {
		t.Errorf("system %d bytes, turn %d bytes", len(r.System), len(r.Turn()))
	}
	if exit := l.Gone(); exit.Class != messages.ClassNone || exit.Code != 0 {
		t.Errorf("exit %+v", exit)
	}

	l = th.Resume(end)
	if end := l.Turn(second); end.Class != messages.ClassNone || l.Last(messages.DriverUsed).Usage.InputTokens != 700 {
		t.Errorf("it went on to %+v, heard %+v", end, l.Heard)
	}
	if got := th.LastRequest().Told(); len(got) != 3 || got[1] != "assistant: Good." {
		t.Errorf("it remembers %d messages", len(got))
	}
	l.Gone()
}

const patch = "apply_patch <<'END'\n*** Begin Patch\n*** Add File: new.txt\n+hello\n*** Update File: old.txt\n@@\n-before\n+after\n*** Delete File: gone.txt\n*** End Patch\nEND\n"

func TestCLIItsToolsFollowThePermission(t *testing.T) {
	for permission, may := range map[string]bool{codex.Allow: true, codex.Edits: true, codex.Deny: false} {
		for mode, once := range map[string]bool{"app-server": false, "exec": true} {
			t.Run(permission+" "+mode, func(t *testing.T) {
				th := stage(t, codex.Options{Permission: permission}, modeltest.Turn(modeltest.Anybody,
					shell("echo x > prop.txt; env | grep -E 'KEY|TOKEN'"), shell(patch), speaks("Done.")))
				th.Spec.OneShot = once
				for _, name := range []string{"old.txt", "gone.txt"} {
					if err := os.WriteFile(filepath.Join(th.Spec.Dir, name), []byte("before\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				l := th.Begin()
				if end := l.Turn(first); end.Text != "Done." {
					t.Errorf("end %+v", end)
				}
				_, err := os.Stat(filepath.Join(th.Spec.Dir, "prop.txt"))
				if written := err == nil; written != may {
					t.Errorf("written %t", written)
				}
				var changed, ended []string
				for _, e := range l.Heard {
					switch e.Kind { //nolint:exhaustive // only what its tools do
					case messages.DriverChanged:
						changed = append(changed, string(e.File.Kind)+" "+filepath.Base(e.File.Path))
					case messages.DriverToolEnded:
						ended = append(ended, e.Tool.Name)
					}
				}
				slices.Sort(changed)
				if may && !slices.Equal(changed, []string{"created new.txt", "deleted gone.txt", "edited old.txt"}) || !may && len(changed) > 0 {
					t.Errorf("changed %q", changed)
				}
				if may && !slices.Equal(ended, []string{"command_execution", "file_change"}) {
					t.Errorf("ended %q, heard %+v", ended, l.Heard)
				}
				for _, m := range th.LastRequest().Messages {
					if all := strings.Join(m.Results, "\n"); strings.Contains(all, "test-key") {
						t.Errorf("its shell knows a key: %s", all)
					}
				}
			})
		}
	}
}

func TestCLIItFindsOurToolsByMCP(t *testing.T) {
	for mode, once := range map[string]bool{"app-server": false, "exec": true} {
		server, url := mcp(t)
		th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody,
			uses("mcp__kurogo__report_result", map[string]string{"to": "user", "content": "報告"}), speaks("Reported.")))
		th.Spec.OneShot, th.Spec.MCP = once, messages.MCPServer{URL: url, Token: "token-of-this-agent"}
		l := th.Begin()
		if end := l.Turn(first); end.Text != "Reported." {
			t.Errorf("%s: end %+v", mode, end)
		}
		if e := l.Last(messages.DriverToolStarted).Tool; e.Name != "mcp__kurogo__report_result" || l.Last(messages.DriverToolEnded).Tool.ID != e.ID {
			t.Errorf("%s: heard %+v", mode, l.Heard)
		}
		r := th.LastRequest()
		if got := r.Messages[len(r.Messages)-1].Results; len(got) != 1 || !strings.Contains(got[0], "registered") {
			t.Errorf("%s: the model was answered %q", mode, got)
		}
		server.mu.Lock()
		if len(server.calls) != 1 || !strings.Contains(server.calls[0], "報告") || len(server.tokens) != 1 || server.tokens["Bearer token-of-this-agent"] == 0 {
			t.Errorf("%s: the server heard %q with %v", mode, server.calls, server.tokens)
		}
		server.mu.Unlock()
	}
}

// So they are by an agent with the login of a user who has us among his own
// servers: they are others, and his are not for it.
func TestCLIItFindsOurToolsBesideTheUsers(t *testing.T) {
	for mode, once := range map[string]bool{"app-server": false, "exec": true} {
		server, url := mcp(t)
		home := t.TempDir()
		th := stage(t, codex.Options{Config: codex.Shared, Env: map[string]string{"CODEX_HOME": home, "FAKE_KEY": "test-key"}}, modeltest.Turn(modeltest.Anybody,
			uses("mcp__kurogo_agent__report_result", map[string]string{"to": "user", "content": "報告"}), speaks("Reported.")))
		settings := "model_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\nbase_url = \"" + th.Model.URL + "/v1\"\nenv_key = \"FAKE_KEY\"\nwire_api = \"responses\"\n" +
			"[mcp_servers.kurogo]\ncommand = \"kurogo\"\nargs = [\"mcp\"]\n"
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		th.Spec.OneShot, th.Spec.Tools, th.Spec.MCP = once, nil, messages.MCPServer{URL: url, Token: "token-of-this-agent"}
		if end := th.Begin().Turn(first); end.Text != "Reported." {
			t.Errorf("%s: end %+v", mode, end)
		}
		if tools := th.LastRequest().Tools; !slices.Contains(tools, "mcp__kurogo_agent__report_result") || strings.Contains(strings.Join(tools, " "), "mcp__kurogo__") {
			t.Errorf("%s: it may use %q", mode, tools)
		}
		server.mu.Lock()
		if len(server.calls) != 1 || len(server.tokens) != 1 {
			t.Errorf("%s: the server heard %q with %v", mode, server.calls, server.tokens)
		}
		server.mu.Unlock()
	}
}

// Newer models write code that uses tools. What it does is heard all the same.
func TestCLIToolsThatAreUsedByCode(t *testing.T) {
	server, url := mcp(t)
	th := stage(t, codex.Options{Permission: codex.Allow}, modeltest.Turn(modeltest.Anybody, uses("exec", `
		await tools.exec_command({cmd: "echo x > prop.txt"});
		await tools.mcp__kurogo__report_result({to: "user", content: "報告"});
		text(await tools.send_message({to: "middle_manager", content: "Do it."}));`), speaks("Done.")))
	caps, err := codex.New(codex.Options{Command: drivertest.CLI(t, "codex"), Env: map[string]string{"HOME": t.TempDir()}}).Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	th.Spec.Model, th.Spec.MCP = caps.Models[0], messages.MCPServer{URL: url, Token: "token-of-this-agent"}
	l := th.Begin()
	if end := l.Turn(first); end.Text != "Done." {
		t.Errorf("end %+v", end)
	}
	body := string(th.Model.Requests()[0].Body)
	if !strings.Contains(body, "tools.exec_command") && !strings.Contains(body, "`exec_command`") {
		t.Skipf("%s writes no code", th.Spec.Model)
	}
	if strings.Contains(body, "spawn_agent") {
		t.Error("it may begin agents of its own")
	}
	var got []string
	for _, e := range l.Heard {
		if e.Kind == messages.DriverToolStarted || e.Kind == messages.DriverToolAsked {
			got = append(got, e.Tool.Name)
		}
	}
	if want := []string{"command_execution", "mcp__kurogo__report_result", "send_message"}; !slices.Equal(got, want) {
		t.Errorf("it used %q, want %q: %+v", got, want, th.LastRequest().Messages)
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	if len(server.calls) != 1 {
		t.Errorf("the server heard %q", server.calls)
	}
}

func TestCLIAServerThatIsNotThereIsAWarning(t *testing.T) {
	th := stage(t, codex.Options{}, modeltest.Turn(modeltest.Anybody, speaks("Good.")))
	th.Spec.MCP = messages.MCPServer{URL: "http://127.0.0.1:1/mcp", Token: "t"}
	l := th.Begin()
	for !strings.Contains(l.Until(messages.DriverWarned).Text, "the tools of kurogo are not there") {
	}
	if end := l.Turn(first); end.Class != messages.ClassNone {
		t.Errorf("end %+v", end)
	}
}

func TestCLINothingIsLeftOfItsShells(t *testing.T) {
	for mode, once := range map[string]bool{"app-server": false, "exec": true} {
		for how, end := range map[string]func(*life){
			"kill -9": func(l *life) {
				if err := syscall.Kill(l.Session.Pid(), syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				if exit := l.Gone(); exit.Class != messages.ClassCrash {
					t.Errorf("%s: exit %+v", mode, exit)
				}
			},
			"stop": func(l *life) {
				if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled {
					t.Errorf("%s: exit %+v", mode, exit)
				}
			},
		} {
			t.Run(mode+" "+how, func(t *testing.T) {
				th := stage(t, codex.Options{Permission: codex.Allow})
				th.Spec.OneShot = once
				started := filepath.Join(th.Spec.Dir, "started")
				if err := syscall.Mkfifo(started, 0o600); err != nil {
					t.Fatal(err)
				}
				th.Model.Add(modeltest.Turn(modeltest.Anybody,
					shell(`tail -f /dev/null & (trap "" TERM INT; echo go > started; tail -f /dev/null)`), speaks("Never.")))
				l := th.Begin()
				l.Send(first)
				l.Until(messages.DriverToolStarted)
				if _, err := os.ReadFile(started); err != nil { // until the shell says that it runs
					t.Fatal(err)
				}
				end(l) // begin looks whether somebody is left
			})
		}
	}
}

func TestCLIWhatTheModelsServiceAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		retries int
		steps   []modeltest.Step
		want    messages.Class
	}{
		"500, and the CLI asks again": {1, []modeltest.Step{{Status: 500}}, messages.ClassNone},
		"500, and it may not":         {-1, []modeltest.Step{{Status: 500}}, messages.ClassServer},
		"503":                         {-1, []modeltest.Step{{Status: 503}}, messages.ClassServer},
		"429":                         {-1, []modeltest.Step{{Status: 429, RetryAfter: 1}}, messages.ClassRate},
		"429 within the stream":       {-1, []modeltest.Step{{Failure: "rate_limit_exceeded", Message: "Rate limit reached. Please try again in 7.5s."}}, messages.ClassRate},
		"an overload":                 {-1, []modeltest.Step{{Failure: "server_is_overloaded"}}, messages.ClassRate},
		"no money":                    {-1, []modeltest.Step{{Failure: "insufficient_quota"}}, messages.ClassAuth},
		"401":                         {-1, []modeltest.Step{{Status: 401}}, messages.ClassAuth},
		"403":                         {-1, []modeltest.Step{{Status: 403}}, messages.ClassAuth},
		"400":                         {-1, []modeltest.Step{{Status: 400, Message: "The requested model does not exist."}}, messages.ClassInvalid},
		"404":                         {-1, []modeltest.Step{{Status: 404}}, messages.ClassInvalid},
		"a connection that breaks":    {-1, []modeltest.Step{{Text: "half", Cut: true}}, messages.ClassServer},
	} {
		for mode, once := range map[string]bool{"app-server": false, "exec": true} {
			t.Run(name+" "+mode, func(t *testing.T) {
				th := stage(t, codex.Options{MaxRetries: c.retries},
					modeltest.Queue(modeltest.Who("The first"), c.steps...), modeltest.Turn(modeltest.Anybody, speaks("Good.")))
				th.Spec.OneShot = once
				l := th.Begin()
				end := l.Turn(first)
				if end.Class != c.want || end.Text == "" {
					t.Errorf("end %+v", end)
				}
				if strings.Contains(end.Text, "try again in 7.5s") != (end.RetryAfter > 0) {
					t.Errorf("it waits %s: %s", end.RetryAfter, end.Text)
				}
				if once {
					if exit := l.Gone(); exit.Class != c.want {
						t.Errorf("exit %+v", exit)
					}
					return
				}
				if end := l.Turn(second); end.Class != messages.ClassNone || end.Text != "Good." {
					t.Errorf("afterwards %+v", end)
				}
			})
		}
	}
}

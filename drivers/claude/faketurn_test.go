package claude_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// turn is one turn of the fake.
func (f *faker) turn() {
	if f.as == stray {
		f.result(map[string]any{"result": "not yours", "user_message_uuids": []string{messages.NewID()}})
	}
	servers := []any{}
	if f.tools {
		servers = append(servers, map[string]string{"name": "kurogo", "status": "connected"})
	}
	drivertest.Say(map[string]any{"type": "system", "subtype": "init", "session_id": f.session, "mcp_servers": servers})
	switch b := drivertest.Behaviour(f.as); b {
	case drivertest.Asks, drivertest.AsksInVain:
		f.use(b == drivertest.AsksInVain)
		return
	case drivertest.Fails:
		f.speak("text", drivertest.First)
		f.fails(400, drivertest.Last)
		return
	case drivertest.Dawdles:
		f.speak("text", drivertest.First)
		f.dawdle()
		return
	case drivertest.Floods:
		for range drivertest.Many {
			f.speak("text", drivertest.First)
		}
		f.ends()
		return
	case drivertest.Crashes, drivertest.Quits:
		f.speak("text", drivertest.First)
		status := drivertest.Status
		if b == drivertest.Quits {
			status = 0
		}
		os.Exit(status)
	case drivertest.Deaf:
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		f.speak("text", drivertest.First)
		<-time.After(time.Hour)
	case drivertest.Shuts:
		f.speak("text", drivertest.First)
		_ = os.Stdout.Close()
		<-time.After(time.Hour)
	case drivertest.Tardy:
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		f.speak("text", drivertest.First)
		<-asked
		f.ends()
		os.Exit(0)
	case drivertest.Breeds:
		breed()
	default:
		drivertest.Blurt(b, `{"type":"result","subtype":`, `{"type":"result","subtype":7}`)
	}
	f.chaos()
}

func (f *faker) chaos() {
	switch f.as {
	case bash:
		answer, _ := json.Marshal(f.ask(map[string]any{"subtype": "can_use_tool", "tool_name": "Bash", "input": map[string]string{"command": "true"}}))
		f.result(map[string]any{"result": string(answer), "permission_denials": []any{map[string]string{"tool_name": "Bash"}}})
		return
	case status401, status429, status529, status500:
		var status int
		_, _ = fmt.Sscanf(f.as, "status %d", &status)
		drivertest.Say(map[string]any{
			"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 1, "retry_delay_ms": 7250.5,
			"error_status": status, "error": "whatever",
		})
		f.fails(status, fmt.Sprintf("API Error: %d", status))
		return
	case loggedOut:
		drivertest.Say(map[string]any{
			"type": "assistant", "error": "authentication_failed", "uuid": messages.NewID(),
			"message": map[string]any{"model": "<synthetic>", "content": []any{map[string]string{"type": "text", "text": "Not logged in"}}},
		})
		f.result(map[string]any{"is_error": true, "result": "Not logged in · Please run /login"})
		return
	case tells:
		f.result(map[string]any{"result": strings.Join(append(os.Environ(), f.args...), "\n"), "structured_output": f.args})
		return
	case rich:
		f.result(map[string]any{"is_error": true, "subtype": "error_max_budget_usd", "errors": []string{"Reached maximum budget ($0.5)"}, "result": nil})
		return
	}
	f.speak("thinking", drivertest.Thought)
	f.speak("text", drivertest.First)
	f.ends()
}

func (f *faker) speak(kind, text string) {
	drivertest.Say(map[string]any{
		"type": "assistant", "uuid": messages.NewID(), "session_id": f.session,
		"message": map[string]any{"model": "m", "content": []any{map[string]string{"type": kind, kind: text}}},
	})
}

func (f *faker) ends() {
	f.speak("text", drivertest.Last)
	f.result(map[string]any{"result": drivertest.Last})
}

// result ends the turn; fields say what is different from a good end.
func (f *faker) result(fields map[string]any) {
	f.cost += 0.25
	line := map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "session_id": f.session, "total_cost_usd": f.cost,
		"usage": map[string]int{"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 3},
	}
	for k, v := range fields {
		line[k] = v
	}
	drivertest.Say(line)
}

func (f *faker) fails(status int, text string) {
	f.result(map[string]any{"is_error": true, "api_error_status": status, "result": text})
}

func (f *faker) interrupted() {
	f.result(map[string]any{"is_error": true, "subtype": "error_during_execution", "terminal_reason": "aborted_streaming", "result": nil})
}

// dawdle does nothing for an hour, or until it is interrupted.
func (f *faker) dawdle() {
	late := time.After(time.Hour)
	for {
		select {
		case line, ok := <-f.lines:
			if !ok {
				os.Exit(0)
			}
			if r, _ := line["request"].(map[string]any); r["subtype"] == "interrupt" {
				f.request(line)
				f.interrupted()
				return
			}
			f.later = append(f.later, line)
		case <-late:
			f.ends()
			return
		}
	}
}

// use uses our tool as a model would.
func (f *faker) use(vain bool) {
	input := map[string]string{"to": "middle_manager", "content": "Do it."}
	const tool = "mcp__kurogo__send_message"
	drivertest.Say(map[string]any{
		"type": "assistant", "uuid": messages.NewID(),
		"message": map[string]any{"model": "m", "content": []any{map[string]any{"type": "tool_use", "id": "toolu_1", "name": tool, "input": input}}},
	})
	if may := f.ask(map[string]any{"subtype": "can_use_tool", "tool_name": tool, "input": input}); may["behavior"] != "allow" {
		if may != nil {
			f.fails(500, fmt.Sprint("our own tool was not allowed: ", may))
		}
		return
	}
	answer := f.mcp("tools/call", map[string]any{"name": "send_message", "arguments": input})
	if answer == nil {
		return // interrupted
	}
	result, _ := answer["result"].(map[string]any)
	text, _ := json.Marshal(result["content"])
	if refused, _ := result["isError"].(bool); refused != vain || vain && !strings.Contains(string(text), "denied") {
		f.fails(500, fmt.Sprintf("answered %s", text))
		return
	}
	f.ends()
}

package codex_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"kurogo/drivers/drivertest"
)

// turn is one turn of the fake app-server; line began it.
func (f *faker) turn(line map[string]any) {
	switch b := drivertest.Behaviour(f.as); b {
	case drivertest.Asks, drivertest.AsksInVain:
		f.use(b == drivertest.AsksInVain)
		return
	case drivertest.Fails:
		f.speak(drivertest.First)
		f.fails(map[string]any{"message": drivertest.Last, "codexErrorInfo": "badRequest"})
		return
	case drivertest.Dawdles:
		f.speak(drivertest.First)
		f.dawdle()
		return
	case drivertest.Floods:
		for range drivertest.Many {
			f.speak(drivertest.First)
		}
		f.ends()
		return
	case drivertest.Crashes:
		f.speak(drivertest.First)
		os.Exit(drivertest.Status)
	case drivertest.Quits:
		f.speak(drivertest.First)
		os.Exit(0)
	case drivertest.Deaf:
		f.speak(drivertest.First)
		forever()
	case drivertest.Breeds:
		breed()
	default:
		drivertest.Blurt(b, `{"method":"turn/completed","params":`, `{"method":"turn/completed","params":{"turn":7}}`)
	}
	if !f.chaos(line) {
		f.item(map[string]any{"type": "reasoning", "id": "rs", "summary": []string{drivertest.Thought}, "content": []string{}})
		f.speak(drivertest.First)
		f.ends()
	}
}

// chaos reports whether it was all of the turn.
func (f *faker) chaos(line map[string]any) bool {
	switch {
	case f.as == stray:
		f.note("turn/completed", map[string]any{"turn": map[string]any{"id": "another", "status": "completed"}})
		f.note("turn/completed", map[string]any{"turn": map[string]any{"id": f.id(), "status": "completed"}, "threadId": "another"})
		return false
	case f.as == shuts:
		f.speak(drivertest.First)
		_ = os.Stdout.Close()
		<-time.After(time.Hour)
	case f.as == slow:
		for f.next()["method"] != "initialized" {
		}
		f.answer(line, map[string]any{"turn": map[string]any{"id": f.id()}})
		f.dawdle()
		return true
	case f.as == nosy:
		f.nosy()
		return true
	case f.as == outdated:
		answer, _ := json.Marshal(f.ask("item/tool/call", map[string]any{"callId": "c", "tool": "gone", "arguments": nil})["result"])
		f.speak(string(answer))
		f.completed("completed", nil)
		return true
	case f.as == rueful:
		drivertest.Say(map[string]any{"id": 9, "method": "item/tool/call", "params": map[string]any{"callId": "c", "tool": "send_message", "arguments": map[string]any{}}})
		f.note("serverRequest/resolved", map[string]any{"requestId": 9})
	case f.as == works:
		f.works()
	case f.as == warns:
		f.note("warning", map[string]any{"message": "The model is unknown."})
		f.note("mcpServer/startupStatus/updated", map[string]any{"name": "kurogo", "status": "failed", "error": "refused"})
		f.note("error", map[string]any{"error": map[string]any{"message": "Reconnecting... 1/1"}, "willRetry": true})
		f.note("model/rerouted", map[string]any{"fromModel": "a", "toModel": "b"})
	case f.as == tells, f.as == namesake:
		said, _ := json.Marshal(map[string]any{"env": os.Environ(), "args": f.args, "began": f.began, "told": f.told})
		f.speak(string(said))
		f.completed("completed", nil)
		return true
	case strings.HasPrefix(f.as, says):
		var failure map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(f.as, says)), &failure); err != nil {
			panic(err)
		}
		f.fails(failure)
		return true
	}
	return false
}

func (f *faker) item(item map[string]any) {
	f.note("item/started", map[string]any{"item": item})
	f.note("item/completed", map[string]any{"item": item})
}

func (f *faker) speak(text string) {
	f.item(map[string]any{"type": "agentMessage", "id": "msg", "text": text})
}

func (f *faker) ends() {
	f.speak(drivertest.Last)
	f.completed("completed", nil)
}

func (f *faker) fails(failure map[string]any) {
	f.note("error", map[string]any{"error": failure, "willRetry": false})
	f.completed("failed", failure)
}

// completed ends the turn, after one more request; what was used is said twice.
func (f *faker) completed(status string, failure any) {
	f.used++
	count := func(n int) map[string]int {
		return map[string]int{"inputTokens": 100 * n, "cachedInputTokens": 7 * n, "outputTokens": 20 * n}
	}
	for range 2 {
		f.note("thread/tokenUsage/updated", map[string]any{"tokenUsage": map[string]any{"total": count(f.used), "last": count(1)}})
	}
	f.note("turn/completed", map[string]any{"turn": map[string]any{"id": f.id(), "status": status, "error": failure}})
}

// dawdle does nothing for an hour, or until it is interrupted.
func (f *faker) dawdle() {
	for {
		line := f.next()
		params, _ := line["params"].(map[string]any)
		if line["method"] == "turn/interrupt" && params["turnId"] == f.id() {
			f.answer(line, map[string]any{})
			f.completed("interrupted", nil)
			return
		}
	}
}

// use uses our tool as a model would.
func (f *faker) use(vain bool) {
	if !strings.Contains(f.began, "send_message") {
		f.fails(map[string]any{"message": "no tool is offered: " + f.began})
		return
	}
	answer := f.ask("item/tool/call", map[string]any{
		"callId": "call-1", "tool": "send_message", "arguments": map[string]string{"to": "middle_manager", "content": "Do it."},
	})
	if answer == nil {
		f.completed("interrupted", nil)
		return
	}
	result, _ := answer["result"].(map[string]any)
	text, _ := json.Marshal(result["contentItems"])
	if good, _ := result["success"].(bool); good == vain || vain && !strings.Contains(string(text), "denied") {
		f.fails(map[string]any{"message": fmt.Sprintf("answered %s", text)})
		return
	}
	f.ends()
}

// nosy asks for everything that can be asked for, and says what it was answered.
func (f *faker) nosy() {
	for _, method := range []string{
		"item/commandExecution/requestApproval", "item/fileChange/requestApproval", "applyPatchApproval", "execCommandApproval",
		"item/permissions/requestApproval", "item/tool/requestUserInput", "mcpServer/elicitation/request", "attestation/generate",
	} {
		answer := f.ask(method, map[string]any{})
		delete(answer, "id")
		text, _ := json.Marshal(answer)
		f.speak(method + " " + string(text))
	}
	f.completed("completed", nil)
}

// works uses every kind of tool.
func (f *faker) works() {
	f.item(map[string]any{"type": "commandExecution", "id": "1", "command": "make", "status": "failed", "exitCode": 2})
	f.item(map[string]any{"type": "mcpToolCall", "id": "2", "server": "kurogo", "tool": "send_message", "arguments": map[string]string{"to": "boss"}, "status": "completed"})
	f.item(map[string]any{"type": "fileChange", "id": "3", "status": "completed", "changes": []any{
		map[string]any{"path": "a", "kind": map[string]any{"type": "add"}},
		map[string]any{"path": "b", "kind": map[string]any{"type": "update", "move_path": nil}},
		map[string]any{"path": "c", "kind": map[string]any{"type": "update", "move_path": "d"}},
		map[string]any{"path": "e", "kind": map[string]any{"type": "delete"}},
	}})
	f.item(map[string]any{"type": "fileChange", "id": "4", "status": "failed", "changes": []any{map[string]any{"path": "never", "kind": map[string]any{"type": "add"}}}})
	f.item(map[string]any{"type": "dynamicToolCall", "id": "5", "tool": "send_message", "status": "completed"})
	f.note("item/completed", map[string]any{"item": map[string]any{"type": "webSearch", "id": "6", "query": "kabuki"}})
	f.note("item/completed", map[string]any{"item": map[string]any{"type": "agentMessage", "id": "7", "text": "not mine"}, "threadId": "another"})
}

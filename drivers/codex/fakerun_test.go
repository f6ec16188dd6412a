package codex_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"kurogo/drivers/drivertest"
)

// rehearse is one fake `codex exec`.
func rehearse(as string, args []string) {
	drivertest.Rise(drivertest.Behaviour(as))
	switch as {
	case rejects:
		drivertest.Complain(2, "error: unexpected argument '--cd' found")
	case forgets:
		drivertest.Complain(1, "Error: thread/resume: thread/resume failed: no rollout found for thread id x (code -32600)")
	}
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil || args[len(args)-1] != "-" || len(prompt) == 0 {
		drivertest.Complain(1, fmt.Sprintf("No prompt provided via stdin. %q %q %v", args, prompt, err))
	}
	drivertest.Say(map[string]any{"type": "thread.started", "thread_id": fmt.Sprintf("thread-%d", os.Getpid())})
	drivertest.Say(map[string]any{"type": "turn.started"})
	used := 1
	if slices.Contains(args, "fork") {
		used = 4
	}
	runTurn(as, args, string(prompt), used)
}

func runTurn(as string, args []string, prompt string, used int) {
	switch b := drivertest.Behaviour(as); b {
	case drivertest.Fails:
		utter(drivertest.First)
		runFails(drivertest.Last)
	case drivertest.Dawdles:
		utter(drivertest.First)
		<-time.After(time.Hour)
	case drivertest.Floods:
		for range drivertest.Many {
			utter(drivertest.First)
		}
		runEnds(used)
		os.Exit(0)
	case drivertest.Crashes:
		utter(drivertest.First)
		os.Exit(drivertest.Status)
	case drivertest.Quits:
		utter(drivertest.First)
		os.Exit(0)
	case drivertest.Deaf:
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		utter(drivertest.First)
		forever()
	case drivertest.Shuts:
		utter(drivertest.First)
		_ = os.Stdout.Close()
		<-time.After(time.Hour)
	case drivertest.Tardy:
		leaving := make(chan os.Signal, 1)
		signal.Notify(leaving, syscall.SIGINT)
		utter(drivertest.First)
		<-leaving
		runEnds(used)
		os.Exit(0)
	case drivertest.Breeds:
		breed()
	default:
		drivertest.Blurt(b, `{"type":"turn.completed","usage":`, `{"type":"turn.completed","usage":7}`)
	}
	switch {
	case as == works:
		runWorks()
	case as == warns:
		thing(map[string]any{"type": "error", "id": "0", "message": "The model is unknown."})
		drivertest.Say(map[string]any{"type": "error", "message": "Reconnecting... 1/1 (stream disconnected)"})
	case as == tells, as == namesake:
		said, _ := json.Marshal(map[string]any{"env": os.Environ(), "args": args, "began": prompt})
		utter(string(said))
		runCompleted(used)
		return
	case as == complains:
		drivertest.Say(map[string]any{"type": "error", "message": "exceeded retry limit, last status: 429 Too Many Requests"})
		os.Exit(1)
	case strings.HasPrefix(as, says):
		var failure struct{ Message string }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(as, says)), &failure); err != nil {
			panic(err)
		}
		runFails(failure.Message)
	}
	thing(map[string]any{"type": "reasoning", "id": "rs", "text": drivertest.Thought})
	utter(drivertest.First)
	runEnds(used)
	drivertest.Part(drivertest.Behaviour(as))
}

func thing(item map[string]any) {
	drivertest.Say(map[string]any{"type": "item.completed", "item": item})
}

func utter(text string) { thing(map[string]any{"type": "agent_message", "id": "msg", "text": text}) }

func runEnds(used int) {
	utter(drivertest.Last)
	runCompleted(used)
}

func runCompleted(used int) {
	drivertest.Say(map[string]any{"type": "turn.completed", "usage": map[string]int{
		"input_tokens": 100 * used, "cached_input_tokens": 7 * used, "output_tokens": 20 * used,
	}})
}

func runFails(why string) {
	drivertest.Say(map[string]any{"type": "error", "message": why})
	drivertest.Say(map[string]any{"type": "turn.failed", "error": map[string]string{"message": why}})
	os.Exit(1)
}

func runWorks() {
	command := map[string]any{"type": "command_execution", "id": "1", "command": "make", "status": "in_progress"}
	drivertest.Say(map[string]any{"type": "item.started", "item": command})
	command["status"] = "failed"
	thing(command)
	thing(map[string]any{"type": "mcp_tool_call", "id": "2", "server": "kurogo", "tool": "send_message", "arguments": map[string]string{"to": "boss"}, "status": "completed"})
	thing(map[string]any{"type": "file_change", "id": "3", "status": "completed", "changes": []any{
		map[string]string{"path": "a", "kind": "add"}, map[string]string{"path": "b", "kind": "update"}, map[string]string{"path": "e", "kind": "delete"},
	}})
	thing(map[string]any{"type": "file_change", "id": "4", "status": "failed", "changes": []any{map[string]string{"path": "never", "kind": "add"}}})
	thing(map[string]any{"type": "todo_list", "id": "5", "items": []any{}})
	thing(map[string]any{"type": "web_search", "id": "6", "query": "kabuki"})
}

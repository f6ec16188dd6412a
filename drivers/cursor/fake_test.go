package cursor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"kurogo/drivers/drivertest"
)

// What a fake agent does besides what the exam asks for.
const (
	complains = "complains " // and what: on its stderr, and leaves with 1
	grumbles  = "grumbles "  // and what: as a plain line of its output, and leaves with 0
	errs      = "errs "      // and what: as its result, and leaves with 1
	tells     = "tells"      // says how it was started
	writes    = "writes"     // writes, edits and deletes files, and runs what it may not
	listless  = "listless"   // lists no models
	wordless  = "wordless"   // says no version
	mirrors   = "mirrors"    // its stderr repeats the events, and it leaves without a result
)

// A faker is one fake agent. It speaks as the real one was seen to: passages in
// pieces and again as a whole, tools, and all of it again at the end.
type faker struct {
	as   string
	args []string
	said string // all of it
	at   int64  // milliseconds
}

func fake(as string, args []string) {
	f := &faker{as: as, args: args, at: 1_738_000_000_000}
	switch {
	case slices.Contains(args, "--version"):
		if as != wordless {
			fmt.Println("2026.01.28-fake")
		}
	case slices.Contains(args, "models"):
		if as == listless || os.Getenv("CURSOR_API_KEY") == "" {
			drivertest.Complain(1, "Error: Authentication required. Please run 'agent login' first.")
		}
		fmt.Print("Available models\n\nauto - Auto  (default)\nclaude-4-sonnet - Claude 4 Sonnet\ngpt-5.2-codex-high - GPT-5.2 Codex High\n\nTip: use --model <id> to switch.\n")
	default:
		f.live()
	}
}

func (f *faker) has(option string) bool { return slices.Contains(f.args, option) }

func (f *faker) live() {
	drivertest.Rise(drivertest.Behaviour(f.as))
	dir := os.Getenv("CURSOR_CONFIG_DIR")
	switch {
	case !f.has("-p") || !f.has("stream-json"):
		drivertest.Complain(1, "Error: this needs a terminal")
	case !f.has("--trust") && !f.has("--force"):
		drivertest.Complain(1, "Workspace Trust Required: Pass --trust, --yolo, or -f if you trust this directory")
	case dir != "" && os.Getenv("CURSOR_API_KEY") == "":
		drivertest.Complain(1, "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.")
	case strings.HasPrefix(f.args[len(f.args)-1], "-"):
		drivertest.Complain(1, "error: unknown option '"+f.args[len(f.args)-1]+"'")
	}
	if dir != "" { // where parallel processes race
		config := filepath.Join(dir, "cli-config.json")
		_ = os.WriteFile(config+".tmp", []byte("{}"), 0o600)
		if err := os.Rename(config+".tmp", config); err != nil {
			drivertest.Complain(1, err.Error())
		}
	}
	told := make(chan os.Signal, 1)
	switch f.as {
	case string(drivertest.Tardy):
		signal.Notify(told, syscall.SIGTERM)
	case string(drivertest.Deaf):
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	}
	f.say(map[string]any{
		"type": "system", "subtype": "init", "apiKeySource": "env", "cwd": "/", "session_id": "s-1", "model": "Claude 4 Sonnet", "permissionMode": "default",
	})
	f.say(map[string]any{"type": "user", "message": message("user", f.args[len(f.args)-1]), "session_id": "s-1"})
	f.turn(told)
}

func (f *faker) say(line map[string]any) {
	drivertest.Say(line)
	if f.as == mirrors {
		_ = json.NewEncoder(os.Stderr).Encode(line)
	}
}

func message(role, text string) map[string]any {
	return map[string]any{"role": role, "content": []any{map[string]string{"type": "text", "text": text}}}
}

// assistant says an assistant event with further fields.
func (f *faker) assistant(text string, fields map[string]any) {
	line := map[string]any{"type": "assistant", "message": message("assistant", text), "session_id": "s-1"}
	for name, value := range fields {
		line[name] = value
	}
	f.say(line)
}

// pieces says a passage in two.
func (f *faker) pieces(text string) {
	f.said += text
	half := strings.Index(text, " ")
	for _, piece := range []string{text[:half], text[half:]} {
		f.at++
		f.assistant(piece, map[string]any{"timestamp_ms": f.at})
	}
}

// passage says a passage after which something else comes.
func (f *faker) passage(text string) {
	f.pieces(text)
	f.assistant(text, map[string]any{"timestamp_ms": f.at, "model_call_id": "call-1"})
}

func (f *faker) think() {
	for _, piece := range []string{drivertest.Thought[:3], drivertest.Thought[3:]} {
		f.say(map[string]any{"type": "thinking", "subtype": "delta", "text": piece, "timestamp_ms": f.at})
	}
	f.say(map[string]any{"type": "thinking", "subtype": "completed", "timestamp_ms": f.at})
}

func (f *faker) tool(id, name string, args, result any) {
	say := func(subtype string, body map[string]any) {
		f.say(map[string]any{"type": "tool_call", "subtype": subtype, "call_id": id, "tool_call": map[string]any{name: body}, "session_id": "s-1"})
	}
	say("started", map[string]any{"args": args})
	say("completed", map[string]any{"args": args, "result": result})
}

// ends says the last passage, that again, and the result.
func (f *faker) ends(last string) {
	f.pieces(last)
	f.assistant(last, nil)
	f.result(map[string]any{"result": f.said})
}

func (f *faker) result(fields map[string]any) {
	line := map[string]any{
		"type": "result", "subtype": "success", "duration_ms": 5234, "duration_api_ms": 5234, "is_error": false, "session_id": "s-1", "request_id": "r-1",
		"usage": map[string]int{"inputTokens": 100, "outputTokens": 20, "cacheReadTokens": 7},
	}
	for name, value := range fields {
		line[name] = value
	}
	f.say(line)
}

func breed() {
	child := exec.Command(os.Args[0], verb, string(drivertest.Mute))
	child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
}

package claude_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// What a fake claude does besides what the exam asks for.
const (
	stays     = "stays"      // ends its turns, and does not leave when its input ends
	forgets   = "forgets"    // knows no session
	shortens  = "shortens"   // knows sessions, but not their borders
	rejects   = "rejects"    // leaves because of an option
	old       = "old"        // has no --fork-session
	alien     = "alien"      // is another program
	toolless  = "toolless"   // does not connect to our tools
	refuses   = "refuses"    // answers initialize with an error
	stray     = "stray"      // ends a turn that nobody gave, before each of ours
	bash      = "bash"       // wants to use Bash, and says what it was answered
	status401 = "status 401" // the model answers so
	status429 = "status 429"
	status529 = "status 529"
	status500 = "status 500"
	loggedOut = "logged out"
	rich      = "rich"  // uses up its budget
	tells     = "tells" // says how it was started
)

// A faker is one fake claude.
type faker struct {
	as      string
	args    []string
	lines   <-chan map[string]any
	later   []map[string]any // what came while something else was awaited
	session string
	asked   int
	cost    float64
	line    string // of the turn
	tools   bool
}

func fake(as string, args []string) {
	switch {
	case slices.Contains(args, "--version") && as == alien:
		fmt.Println("alien: what do you want?")
		return
	case slices.Contains(args, "--version"):
		fmt.Println("2.1.999 (Claude Code)")
		return
	case slices.Contains(args, "--help") && as == old:
		fmt.Println(help("--fork-session"))
		return
	case slices.Contains(args, "--help"):
		fmt.Println(help(""))
		return
	case slices.Contains(args, "auth"):
		fmt.Println(`{"loggedIn": true, "authMethod": "api_key", "apiProvider": "firstParty"}`)
		return
	}
	lines := drivertest.Hear(func(string) { drivertest.Complain(1, "Error parsing streaming input line") })
	f := &faker{as: as, args: args, lines: lines, session: messages.NewID()}
	f.live()
}

func (f *faker) has(name string) bool { return slices.Contains(f.args, name) }

// live is the CLI's main loop.
func (f *faker) live() {
	drivertest.Rise(drivertest.Behaviour(f.as))
	switch {
	case f.as == rejects:
		drivertest.Complain(1, "error: unknown option '--permission-prompt-tool'")
	case f.as == forgets && f.has("--resume"):
		drivertest.Complain(1, "No conversation found with session ID: x")
	case f.as == shortens && f.has("--resume-session-at"):
		drivertest.Complain(1, "No message found with message.uuid of: x")
	}
	for {
		line, ok := f.next()
		if !ok {
			f.alone()
		}
		switch line["type"] {
		case "control_request":
			f.request(line)
		case "user":
			f.line, _ = line["uuid"].(string)
			f.turn()
		}
	}
}

// alone is the end of its input.
func (f *faker) alone() {
	if f.as == stays {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
		<-time.After(time.Hour)
	}
	drivertest.Part(drivertest.Behaviour(f.as))
	os.Exit(0)
}

func (f *faker) next() (map[string]any, bool) {
	if len(f.later) > 0 {
		line := f.later[0]
		f.later = f.later[1:]
		return line, true
	}
	line, ok := <-f.lines
	return line, ok
}

func (f *faker) request(line map[string]any) {
	req, _ := line["request"].(map[string]any)
	answer := map[string]any{"subtype": "success", "request_id": line["request_id"], "response": map[string]any{}}
	if req["subtype"] == "initialize" {
		if f.as == refuses {
			answer["subtype"], answer["error"] = "error", "no such thing"
		}
		if servers, _ := req["sdkMcpServers"].([]any); len(servers) > 0 && f.as != toolless {
			f.tools = true
			f.mcp("initialize", map[string]any{"protocolVersion": "2025-11-25"})
			f.ask(map[string]any{"subtype": "mcp_message", "server_name": "kurogo", "message": map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}})
			listed, _ := json.Marshal(f.mcp("tools/list", nil))
			if !strings.Contains(string(listed), "send_message") {
				drivertest.Complain(1, "no tool is offered: "+string(listed))
			}
			if unknown, _ := json.Marshal(f.mcp("prompts/list", nil)); !strings.Contains(string(unknown), "-32601") {
				drivertest.Complain(1, "a method that is unknown was answered: "+string(unknown))
			}
		}
	}
	drivertest.Say(map[string]any{"type": "control_response", "response": answer})
}

// ask makes a control request and waits for its answer.
func (f *faker) ask(request map[string]any) map[string]any {
	f.asked++
	id := fmt.Sprintf("req-%d", f.asked)
	drivertest.Say(map[string]any{"type": "control_request", "request_id": id, "request": request})
	for {
		line, ok := <-f.lines
		if !ok {
			os.Exit(0)
		}
		if r, _ := line["response"].(map[string]any); line["type"] == "control_response" && r["request_id"] == id {
			drivertest.Say(line) // some versions repeat it
			answer, _ := r["response"].(map[string]any)
			return answer
		}
		if r, _ := line["request"].(map[string]any); r["subtype"] == "interrupt" {
			f.request(line)
			f.interrupted()
			return nil
		}
		f.later = append(f.later, line)
	}
}

func (f *faker) mcp(method string, params any) map[string]any {
	answer := f.ask(map[string]any{"subtype": "mcp_message", "server_name": "kurogo", "message": map[string]any{
		"jsonrpc": "2.0", "id": f.asked, "method": method, "params": params,
	}})
	response, _ := answer["mcp_response"].(map[string]any)
	return response
}

func breed() {
	child := exec.Command(os.Args[0], verb, string(drivertest.Mute))
	child.SysProcAttr, child.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
}

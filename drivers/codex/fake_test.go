package codex_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"kurogo/drivers/drivertest"
)

// What a fake codex does besides what the exam asks for.
const (
	stays      = "stays"      // ends its turns, and does not leave when its input ends
	shuts      = "shuts"      // closes its output within a turn and lives on
	forgets    = "forgets"    // knows no session
	shortens   = "shortens"   // knows sessions, but not their turns
	rejects    = "rejects"    // leaves because of an option
	old        = "old"        // has no --sandbox
	serverless = "serverless" // has no app-server
	alien      = "alien"      // is another program
	refuses    = "refuses"    // answers initialize with an error
	closed     = "closed"     // answers thread/start with an error
	stray      = "stray"      // ends a turn that nobody gave, before each of ours
	nosy       = "nosy"       // asks for permission, and says what it was answered
	outdated   = "outdated"   // uses a tool that is not offered
	rueful     = "rueful"     // takes back its question for a tool
	slow       = "slow"       // tells its turn's id only when it is asked to do something else
	works      = "works"      // uses tools and changes files
	warns      = "warns"      // warns before it is ready, and within a turn
	tells      = "tells"      // says how it was started
	namesake   = "namesake"   // likewise, and its user has a server named kurogo
	says       = "says "      // fails with the failure behind it
	complains  = "complains"  // exec: says an error and leaves, without an end
)

// A faker is one fake app-server.
type faker struct {
	as     string
	args   []string
	lines  <-chan map[string]any
	thread string
	turns  int
	used   int
	began  string // thread/start or thread/fork, with its parameters
	told   string // thread/inject_items, likewise
}

func fake(as string, args []string) {
	switch {
	case slices.Contains(args, "--version"):
		fmt.Println(map[bool]string{true: "alien: what do you want?", false: "codex-cli 0.999.0"}[as == alien])
	case slices.Contains(args, "--help"):
		fmt.Println(help(map[bool]string{true: "--sandbox"}[as == old]))
	case slices.Contains(args, "generate-json-schema"):
		describe(as, args[len(args)-1])
	case args[0] == "mcp":
		if as != namesake {
			drivertest.Complain(1, "Error: No MCP server named 'kurogo' found.")
		}
	case args[0] == "exec":
		rehearse(as, args)
	default:
		lines := drivertest.Hear(func(text string) { drivertest.Complain(1, "Failed to deserialize JSONRPCMessage: "+text) })
		f := &faker{as: as, args: args, lines: lines, thread: "thread-0"}
		f.live()
	}
}

func describe(as, dir string) {
	if as == serverless {
		drivertest.Complain(2, "error: unrecognized subcommand 'app-server'")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "codex_app_server_protocol.schemas.json"), []byte(schema), 0o600); err != nil {
		panic(err)
	}
}

// forever lives on, whatever is asked of it.
func forever() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	<-time.After(time.Hour)
}

func breed() {
	child := exec.Command(os.Args[0], verb, string(drivertest.Mute), "app-server")
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	child.Stdout = os.Stdout // which it holds open
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// live is the server's main loop.
func (f *faker) live() {
	if f.as == rejects {
		drivertest.Complain(2, "error: unexpected argument '-c' found")
	}
	for {
		line, ok := <-f.lines
		if !ok {
			if f.as == stays {
				forever()
			}
			os.Exit(0)
		}
		f.hear(line)
	}
}

func (f *faker) hear(line map[string]any) {
	params, _ := line["params"].(map[string]any)
	what, _ := json.Marshal(params)
	switch method, _ := line["method"].(string); method {
	case "initialize":
		if f.as == refuses {
			f.fail(line, "no such thing")
			return
		}
		f.answer(line, map[string]any{"userAgent": "fake"})
		if f.as == warns {
			f.note("configWarning", map[string]any{"summary": "There is no bubblewrap.", "details": nil})
		}
	case "model/list":
		f.answer(line, map[string]any{"data": []any{map[string]string{"model": "gpt-fake"}}})
	case "thread/start", "thread/fork":
		f.open(line, method, params)
	case "thread/inject_items":
		f.told = string(what)
		f.answer(line, map[string]any{})
	case "turn/start":
		f.turns++
		if f.as != slow {
			f.answer(line, map[string]any{"turn": map[string]any{"id": f.id(), "status": "inProgress"}})
			f.note("turn/started", map[string]any{"turn": map[string]any{"id": f.id(), "status": "inProgress"}})
		}
		f.turn(line)
	}
}

func (f *faker) open(line map[string]any, method string, params map[string]any) {
	what, _ := json.Marshal(params)
	f.began = method + " " + string(what)
	drivertest.Rise(drivertest.Behaviour(f.as))
	switch {
	case f.as == closed:
		f.fail(line, "the model provider is unknown")
		return
	case method == "thread/fork" && f.as == forgets:
		f.fail(line, "no rollout found for thread id x")
		return
	case method == "thread/fork" && f.as == shortens && params["lastTurnId"] != nil:
		f.fail(line, "turn not found: x")
		return
	}
	f.thread = fmt.Sprintf("thread-%d", os.Getpid())
	if method == "thread/fork" {
		f.used = 3 // requests, in former lives
	}
	f.answer(line, map[string]any{"thread": map[string]any{"id": f.thread}})
}

func (f *faker) id() string { return fmt.Sprintf("turn-%d-%d", os.Getpid(), f.turns) }

func (f *faker) answer(line map[string]any, result any) {
	drivertest.Say(map[string]any{"id": line["id"], "result": result})
}

func (f *faker) fail(line map[string]any, why string) {
	drivertest.Say(map[string]any{"id": line["id"], "error": map[string]any{"code": -32600, "message": why}})
}

func (f *faker) note(method string, params map[string]any) {
	if params["threadId"] == nil {
		params["threadId"] = f.thread
	}
	drivertest.Say(map[string]any{"method": method, "params": params, "emittedAtMs": 1})
}

// next is the next line; it leaves when there is none.
func (f *faker) next() map[string]any {
	line, ok := <-f.lines
	if !ok {
		os.Exit(0)
	}
	return line
}

// ask makes a request and waits for its answer; nil when the turn is interrupted
// instead.
func (f *faker) ask(method string, params map[string]any) map[string]any {
	params["threadId"], params["turnId"] = f.thread, f.id()
	drivertest.Say(map[string]any{"id": 7, "method": method, "params": params})
	for {
		line := f.next()
		if line["method"] == "turn/interrupt" {
			f.answer(line, map[string]any{})
			return nil
		}
		if line["id"] == float64(7) {
			return line
		}
	}
}

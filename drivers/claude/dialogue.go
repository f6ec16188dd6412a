package claude

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// A dialogue is what we remember of one life; it is its ndjson.Protocol.
type dialogue struct {
	prompt string
	tools  []messages.Tool
	policy policy
	loss   string // what is told when the life is ready
	remote bool   // our tools are on a server
	deltas bool   // text is told as it comes
	formed bool   // the last words must be JSON of the owner's form

	session string
	border  string
	asked   map[string]json.RawMessage // our tools that wait for an answer: the JSON-RPC ids, by request
	using   map[string]use             // the CLI's own tools at work, by id
	counted float64                    // the cost up to the last result

	// of the turn that is on
	line        string // the id of its line
	interrupted bool
	fault       string // why the CLI's own words came instead of the model's
	wait        time.Duration
}

// NewDialogue is the driver's side of the lines of one life, without the life:
// for whoever has the lines already.
func NewDialogue(spec messages.Spec, permission string) ndjson.Protocol {
	return newDialogue(spec, permission, "")
}

func newDialogue(spec messages.Spec, permission, loss string) *dialogue {
	return &dialogue{
		prompt: spec.SystemPrompt,
		tools:  spec.Tools,
		policy: newPolicy(permission),
		loss:   loss,
		remote: spec.MCP.URL != "",
		deltas: spec.Deltas,
		formed: len(spec.Schema) > 0,
		border: spec.Border,
		asked:  map[string]json.RawMessage{},
		using:  map[string]use{},
	}
}

// The requests that we make.
const (
	initialize = "initialize"
	interrupt  = "interrupt"
)

// Hello says who it is and which tools we have.
func (d *dialogue) Hello() ([]byte, error) {
	var servers []string
	if len(d.tools) > 0 {
		servers = []string{server}
	}
	return encode(map[string]any{
		"type": "control_request", "request_id": initialize,
		"request": map[string]any{"subtype": initialize, "hooks": nil, "sdkMcpServers": servers, "systemPrompt": d.prompt},
	})
}

// Turn gives a turn. A prompt that looks like a command of the CLI gets a first
// line before it.
func (d *dialogue) Turn(t messages.Turn) ([]byte, error) {
	text := strings.ToValidUTF8(t.Text, "\uFFFD")
	if strings.HasPrefix(strings.TrimSpace(text), "/") {
		text = "[turn " + t.ID + "]\n" + text
	}
	d.line, d.interrupted, d.fault, d.wait = messages.NewID(), false, "", 0
	return encode(map[string]any{
		"type": "user", "uuid": d.line, "session_id": "", "parent_tool_use_id": nil,
		"message": map[string]any{"role": "user", "content": text},
	})
}

// Interrupt breaks off the turn.
func (d *dialogue) Interrupt(turn string) ([]byte, error) {
	d.interrupted = true
	return encode(map[string]any{
		"type": "control_request", "request_id": interrupt + " " + turn, "request": map[string]any{"subtype": interrupt},
	})
}

// encode writes a line. One that is not JSON would end the life: the CLI leaves
// when it cannot read.
func encode(line any) ([]byte, error) {
	b, err := json.Marshal(line)
	if err != nil {
		return nil, fmt.Errorf("encode line: %w", err)
	}
	return b, nil
}

// grant is a successful control_response.
func grant(request string, answer any) ([]byte, error) {
	return encode(map[string]any{
		"type":     "control_response",
		"response": map[string]any{"subtype": "success", "request_id": request, "response": answer},
	})
}

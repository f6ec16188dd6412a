package codex

import (
	"encoding/json"
	"fmt"
)

// A message is a line of the app-server: an answer has an id, a notification a
// method, a request both.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// id is that of a request of ours: they are texts.
func (m message) id() string {
	var id string
	_ = json.Unmarshal(m.ID, &id) // any other is none of ours
	return id
}

// The requests that we make. A turn's has the turn's id behind it.
const (
	requestInitialize  = "initialize"
	requestThread      = "thread"
	requestPersonality = "personality"
	requestModels      = "models"
	requestTurn        = "turn "
	requestInterrupt   = "interrupt "
)

// noMethod is JSON-RPC's error for what we do not know.
const noMethod = -32601

func request(id, method string, params any) ([]byte, error) {
	return encode(map[string]any{"id": id, "method": method, "params": params})
}

func notify(method string) ([]byte, error) { return encode(map[string]any{"method": method}) }

func respond(id json.RawMessage, result any) ([]byte, error) {
	return encode(map[string]any{"id": id, "result": result})
}

func refuse(id json.RawMessage, why string) ([]byte, error) {
	return encode(map[string]any{"id": id, "error": map[string]any{"code": noMethod, "message": why}})
}

func encode(line any) ([]byte, error) {
	b, err := json.Marshal(line)
	if err != nil {
		return nil, fmt.Errorf("encode line: %w", err)
	}
	return b, nil
}

// quiet are notifications that we do without: pieces of what comes whole.
var quiet = []string{
	"item/agentMessage/delta", "item/plan/delta", "item/commandExecution/outputDelta", "item/fileChange/outputDelta",
	"item/fileChange/patchUpdated", "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta",
	"turn/diff/updated",
}

// introduction says who we are, and that we know the protocol as it is.
func introduction() any {
	return map[string]any{
		"clientInfo":   map[string]any{"name": "kurogo", "title": "Kurogo", "version": "1"},
		"capabilities": map[string]any{"experimentalApi": true, "requestAttestation": false, "optOutNotificationMethods": quiet},
	}
}

package api_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
)

// Waiting over HTTP is the tool's long poll.
func TestWaitOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := gives(nil, nil)
		running := messages.Agent{ID: "a", Status: messages.AgentRunning, StartedAt: noon}
		h.answer = func(m messages.Message) (messages.Message, error) {
			switch m.(type) {
			case messages.GetStatus:
				return messages.Status{LastEvent: 3}, nil
			case messages.ListAgents:
				return messages.Agents{Agents: []messages.Agent{running}}, nil
			}
			return nil, errors.New("unexpected question")
		}
		begun, answers := time.Now(), make(chan *httptest.ResponseRecorder)
		post := func() {
			answers <- do(serve(h, owner), request(`POST /api/agents/wait {"agentIds":["a"],"timeout_ms":60000}`))
		}
		go post()
		w := <-answers
		if want := `{"ok":true,"data":{"completed":[],"pending":["a"],"timedOut":true,"hint":"timeout_ms was cut from 60000 to 50000. ` +
			`Call wait_agent again with the pending agentIds: they go on working."},"error":null}`; w.Body.String() != want || time.Since(begun) != 50*time.Second {
			t.Errorf("after %s: %s", time.Since(begun), w.Body)
		}
		go post()
		over := running
		over.Status, over.EndedAt = messages.AgentCompleted, noon.Add(time.Second)
		data, _ := json.Marshal(over)
		h.events <- messages.Event{Seq: 4, Kind: messages.AgentEnded, ID: "a", Data: data}
		if w, want := <-answers, `{"ok":true,"data":{"completed":[{"agentId":"a","status":"completed","duration_ms":1000}],"pending":[],"timedOut":false,`+
			`"hint":"timeout_ms was cut from 60000 to 50000. All have ended: read the results with get_agent_status."},"error":null}`; w.Body.String() != want {
			t.Errorf("it said %s", w.Body)
		}
	})
}

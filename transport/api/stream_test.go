package api_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
)

// What an agent said is given byte by byte, with the place where it goes on.
func TestTheLogOfAnAgent(t *testing.T) {
	h := gives(messages.StreamChunk{Data: []byte("a\xff\n"), Next: 7, Size: 9, Ended: true}, nil)
	for _, s := range []struct {
		line, accept string
		who          messages.Caller
		asks         messages.ReadStream
		says         string
	}{
		{"GET /api/agents/a/log", "", owner, messages.ReadStream{Agent: "a", By: owner}, "a\xff\n"},
		{"GET /api/agents/a/log?stream=stderr&offset=4&limit=3", "*/*", actor, messages.ReadStream{Agent: "a", Stream: "stderr", Offset: 4, Limit: 3, By: actor}, "a\xff\n"},
		{"GET /api/agents/a/log", "application/json", owner, messages.ReadStream{Agent: "a", By: owner}, `{"ok":true,"data":{"data":"Yf8K","next":7,"size":9,"ended":true},"error":null}`},
	} {
		r := request(s.line)
		r.Header.Set("Accept", s.accept)
		w := do(serve(h, s.who), r)
		if w.Code != http.StatusOK || w.Body.String() != s.says {
			t.Errorf("%s: %d %q", s.line, w.Code, w.Body)
		}
		if asked := h.questions(); !cmp.Equal(asked[len(asked)-1], messages.Message(s.asks)) {
			t.Errorf("%s asked %+v", s.line, asked[len(asked)-1])
		}
		if head := w.Header(); s.accept != "application/json" &&
			(head.Get("X-Next-Offset") != "7" || head.Get("X-Size") != "9" || head.Get("X-Ended") != "true" || head.Get("Content-Type") != "application/octet-stream" || head.Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: headers %v", s.line, head)
		}
	}
	if w := do(serve(gives(messages.Done{}, nil), owner), request("GET /api/agents/a/log")); w.Code != http.StatusInternalServerError {
		t.Errorf("a wrong answer is %d", w.Code)
	}
}

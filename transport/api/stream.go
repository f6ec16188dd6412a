package api

import (
	"net/http"
	"strconv"
	"strings"

	"kurogo/messages"
)

// stream gives a piece of what an agent's process has said: its bytes, with the
// place of the next piece in the headers, or all of it as JSON for who asks so.
func (s *server) stream(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r)
	m := messages.ReadStream{
		Agent: messages.AgentID(r.PathValue("id")), Stream: q.choice("stream", "stdout", "stderr"),
		Offset: q.number("offset", 1<<62), Limit: int(q.number("limit", 1<<20)), By: s.o.Caller(r),
	}
	if err := q.fault(); err != nil {
		return err
	}
	if err := noBody(r); err != nil {
		return err
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		return s.ask(w, r, m)
	}
	answer, err := s.port.Ask(r.Context(), m)
	if err != nil {
		return explain(err, r)
	}
	chunk, ok := answer.(messages.StreamChunk)
	if !ok {
		return messages.Errorf(messages.CodeInternal, "read_stream was answered with %T", answer)
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(chunk.Data)))
	h.Set("X-Next-Offset", strconv.FormatInt(chunk.Next, 10))
	h.Set("X-Size", strconv.FormatInt(chunk.Size, 10))
	h.Set("X-Ended", strconv.FormatBool(chunk.Ended))
	s.hurry(w)
	_, _ = w.Write(chunk.Data) // a client that has gone needs no answer
	return nil
}

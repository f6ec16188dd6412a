package messages

// ReadStream asks for a piece of what an agent's process has said, byte by byte
// as it said it. Limit 0 means 64 KiB, the most is 1 MiB. Answer: StreamChunk.
// Refusals: not_found; invalid when Offset is beyond the end.
type ReadStream struct {
	Agent  AgentID `json:"agentId"`
	Stream string  `json:"stream,omitempty"` // "stdout" (default) or "stderr"
	Offset int64   `json:"offset"`
	Limit  int     `json:"limit,omitempty"`
	By     Caller  `json:"by"`
}

// A StreamChunk is a piece of a stream. Data may be empty when nothing has been
// said since; Ended means that nothing will be.
type StreamChunk struct {
	Data  []byte `json:"data"`
	Next  int64  `json:"next"` // Offset of what follows
	Size  int64  `json:"size"` // so far
	Ended bool   `json:"ended"`
}

func (ReadStream) word()  {}
func (StreamChunk) word() {}

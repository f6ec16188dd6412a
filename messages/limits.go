package messages

// Limits bounds everything that could grow without end. config fills it; each
// limit is enforced by the name it has there.
type Limits struct {
	MessageBytes    int // of one message's content
	ThinkingBytes   int // of one message's thinking
	Depth           int // of sub-tasks below a root task
	OpenSubtasks    int // that one task may wait for
	MessagesPerRoot int // below one root task; answers always pass
	InboxDepth      int // pending rows of one persona; answers always pass
	Attempts        int // of one delivery before it is dead
}

// DefaultLimits are the limits of a kurogo.toml that names none.
func DefaultLimits() Limits {
	return Limits{
		MessageBytes:    1 << 20,
		ThinkingBytes:   100 << 10,
		Depth:           8,
		OpenSubtasks:    32,
		MessagesPerRoot: 500,
		InboxDepth:      1000,
		Attempts:        5,
	}
}

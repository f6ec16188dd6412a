package messages

// Limits bounds everything that could grow without end. config fills it; each
// limit is enforced by the name it has there.
type Limits struct {
	MessageBytes    int // of one message's content
	ThinkingBytes   int // of one message's thinking
	Depth           int // of sub-tasks below a root task
	OpenSubtasks    int // that one task may wait for
	MessagesPerRoot int // that follow one task or note; answers always pass
	InboxDepth      int // pending rows of one persona; answers always pass
	Attempts        int // of one delivery before it is dead
	QueuedAgents    int // queued or running at a time

	TaskMicros int64 // micro-dollars that one root task may cost; 0 = no limit
	DayMicros  int64 // micro-dollars that one day may cost; 0 = no limit
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
		QueuedAgents:    1000,
	}
}

// Refuse says why one more sub-task at depth may not be asked for, beside open
// others, below a root that has spent messages already; nil if it may. The turn
// asks when it stages, the journal again when it releases.
func (l Limits) Refuse(depth, open, spent int) *Error {
	switch {
	case depth > l.Depth:
		return Errorf(CodeDenied, "a sub-task at depth %d is over the limit depth = %d", depth, l.Depth).Try("do the work yourself")
	case open >= l.OpenSubtasks:
		return Errorf(CodeBusy, "%d sub-tasks are open, the limit is open_subtasks = %d", open, l.OpenSubtasks).Try("end the turn and wait for their answers")
	case spent >= l.MessagesPerRoot:
		return Errorf(CodeDenied, "the whole task, or talk, has used messages_per_root = %d messages", l.MessagesPerRoot).Try("answer with what you have")
	}
	return nil
}

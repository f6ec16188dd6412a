package messages_test

import (
	"testing"

	"kurogo/messages"
)

// What a failed life means outside, and whether the turn may be tried again.
func TestClasses(t *testing.T) {
	for class, want := range map[messages.Class]struct {
		code  messages.Code
		again bool
	}{
		messages.ClassNone:        {messages.CodeInternal, true},
		messages.ClassAuth:        {messages.CodeUnavailable, false},
		messages.ClassInvalid:     {messages.CodeInvalid, false},
		messages.ClassRate:        {messages.CodeRateLimited, true},
		messages.ClassServer:      {messages.CodeUnavailable, true},
		messages.ClassCrash:       {messages.CodeInternal, true},
		messages.ClassTimeout:     {messages.CodeDeadline, true},
		messages.ClassKilled:      {messages.CodeCancelled, true},
		messages.ClassProtocol:    {messages.CodeInternal, true},
		messages.ClassFormat:      {messages.CodeInternal, true},
		messages.ClassInterrupted: {messages.CodeCancelled, true},
	} {
		if class.Code() != want.code || class.Retryable() != want.again {
			t.Errorf("%q: %s, again %v, want %v", class, class.Code(), class.Retryable(), want)
		}
	}
}

package claude_test

import (
	"testing"

	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// A life is one session as a story sees it.
type life = drivertest.Play

func begin(t *testing.T, d messages.Driver, spec messages.Spec) *life {
	t.Helper()
	return drivertest.Begin(t, d, spec)
}

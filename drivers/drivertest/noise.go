package drivertest

import (
	"testing"

	"kurogo/messages"
)

// longestWarning is what a warning may show of what it warns of.
const longestWarning = 4 << 10

func noisy(_ *testing.T, l *life) {
	l.ready().spoken(l.send())
	if l.warnings == 0 {
		l.t.Error("nobody was warned")
	}
}

func tear(_ *testing.T, l *life) {
	l.ready().send()
	l.wants(l.ended(), messages.ClassCrash)
	if l.warnings == 0 {
		l.t.Error("nobody was warned of the half line")
	}
}

func lie(_ *testing.T, l *life) {
	l.ready().send()
	l.wants(l.ended(), messages.ClassProtocol)
}

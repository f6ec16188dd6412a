package drivertest

import (
	"testing"

	"go.uber.org/goleak"

	"kurogo/messages"
)

// An Open makes the driver and the brief of a story. It skips the test when its
// kind of agent cannot behave so. The exam itself fills in who lives, where, and
// how long things may take.
type Open func(t *testing.T, b Behaviour) (messages.Driver, messages.Spec)

// Exam examines a driver.
func Exam(t *testing.T, open Open) {
	for _, story := range []struct {
		name  string
		agent Behaviour
		tell  func(*testing.T, *life)
	}{
		{"Probe says what Start can do", Speaks, probe},
		{"a missing command is unavailable", Missing, missing},
		{"it is ready before its first turn", Speaks, readyFirst},
		{"a turn is thoughts, words and an end", Speaks, oneTurn},
		{"one life has many turns", Speaks, manyTurns},
		{"there is one turn at a time", Dawdles, oneAtATime},
		{"a failed turn says why, and the life goes on", Fails, failedTurn},
		{"a session goes on in another life", Speaks, resume},
		{"a tool that is asked for is answered", Asks, askTool},
		{"a tool may be refused", AsksInVain, refuseTool},
		{"an interrupted turn ends, and the life goes on", Dawdles, interrupt},
		{"an interrupt between turns does nothing", Speaks, idleInterrupt},
		{"a late reader loses nothing", Floods, flood},
		{"nobody reads and it can be stopped", Floods, unread},
		{"whom nobody ever reads leaves nothing behind", Floods, forgotten},
		{"a crash within a turn ends the life", Crashes, crash},
		{"status 0 without the end of the turn is a crash", Quits, quit},
		{"an end before being ready is a crash", Leaves, leave},
		{"who is never ready is ended", Mute, mute},
		{"a start that nobody awaits does not begin", Speaks, cancelledStart},
		{"the start's context does not bound the life", Speaks, outliveStart},
		{"Stop ends an idle life well", Speaks, stopIdle},
		{"Stop within a turn kills", Dawdles, stopBusy},
		{"Stop ends the deaf after the grace", Deaf, stopDeaf},
		{"Stop hurries when its context ends", Deaf, hurry},
		{"Stop by many is one Stop", Dawdles, stopTogether},
		{"nothing can be sent to the dead", Crashes, sendToDead},
		{"noise is a warning", Babbles, noisy},
		{"bytes that are no text are a warning", Mumbles, noisy},
		{"a line that is too long is a warning", Shouts, noisy},
		{"half a line at the end is a warning", Tears, tear},
		{"nonsense in a known word is the protocol's end", Lies, lie},
		{"every line is told where that is wanted", Speaks, raw},

		{"one turn is one life", Speaks, wholeOnce},
		{"a second turn is refused", Dawdles, secondTurn},
		{"a failed turn says why, and the life is over", Fails, failOnce},
		{"a crash fails the only turn", Crashes, crashOnce},
		{"an end before the first word fails the only turn", Leaves, crashOnce},
		{"status 0 without a result is a failure", Quits, quitOnce},
		{"a good result with a bad status is a failure", Belies, belie},
		{"who lives on after the result is ended, and the result counts", Lingers, linger},
		{"who closes its output without a result is ended", Shuts, shut},
		{"a child in a session of its own goes too", Breeds, breed},
		{"a result after Stop is too late", Tardy, tardy},
		{"a life can be stopped before its turn", Speaks, stopUnborn},
		{"a life of one turn can be stopped anytime", Lingers, stopAnytime},
		{"who never says a word can be stopped", Mute, hurryMute},
		{"a directory that is missing is refused before the turn", Speaks, missingDir},
	} {
		t.Run(story.name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after all other cleanups
			driver, spec := open(t, story.agent)
			story.tell(t, newLife(t, driver, spec))
		})
	}
}

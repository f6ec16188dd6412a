package sqlite_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/stores/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inMemory opens a journal whose ids count up, so that a seed replays exactly.
func inMemory(tb testing.TB, limits messages.Limits, bell *storetest.Bell) storetest.Journal {
	tb.Helper()
	n := 0
	s, err := sqlite.Open(tb.Context(), "", sqlite.Options{
		Limits: limits,
		NewID:  func() string { n++; return fmt.Sprintf("k%d", n) },
		Notify: func(n sqlite.Notice) { bell.Ring(n.Wakes, n.Interrupts, n.Due) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// TestSchedules plays 200 seeds, or as many as KUROGO_SCHEDULES says.
func TestSchedules(t *testing.T) {
	n := 200
	if v := os.Getenv("KUROGO_SCHEDULES"); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Schedules(t, inMemory, 0, n)
}

func TestExam(t *testing.T) { storetest.Exam(t, inMemory) }

package actors_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// TestTornTurns: what an agent remembers of a turn that tore must not be there
// at the next attempt, so every life begins at the border of the last whole one.
func TestTornTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := setStage(t, map[messages.Address][]string{"boss": {"say first", "crash", "say third"}})
		s.act("ask boss one")
		<-time.After(time.Minute)
		s.act("ask boss two")
		<-time.After(time.Minute)
		s.close()
		boss := s.agents["boss"]
		if len(boss.given) != 3 || len(boss.specs) != 2 {
			t.Fatalf("%d turns in %d lives, want 3 in 2", len(boss.given), len(boss.specs))
		}
		if first := boss.specs[0]; first.Session != "" || first.Border != "" {
			t.Errorf("the first life resumes %s at %s", first.Session, first.Border)
		}
		if again := boss.specs[1]; again.Session != "s1" || again.Border != boss.given[0].ID {
			t.Errorf("the second life resumes %q at %q; a life resumes at the border of the last whole turn, %q", again.Session, again.Border, boss.given[0].ID)
		}
		if a, b := boss.given[1], boss.given[2]; a.Messages[0].ID != b.Messages[0].ID || b.Attempt != 2 {
			t.Errorf("attempt %d of %s, want the second attempt of %s", b.Attempt, b.Messages[0].ID, a.Messages[0].ID)
		}
	})
}

// A mine is a journal under which the nth commit of the actors explodes.
type mine struct {
	actors.Journal
	left *atomic.Int64
}

func (m mine) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	if m.left.Add(-1) == 0 {
		panic(fmt.Sprintf("planted in %T", c))
	}
	return m.Journal.Commit(ctx, c)
}

// TestPanics: a panic in any handler costs at most the current attempt. One
// after the other, every commit of a whole conversation explodes once.
func TestPanics(t *testing.T) {
	t.Parallel()
	play := map[messages.Address][]string{
		"boss": {"think hm; send left task_request one; send right task_request two; say waiting", "say done", "say done", "say done"},
		"left": {"send boss info by the way; say one", "say one"},
	}
	exploded := 0
	for n := 1; ; n++ {
		var left atomic.Int64
		left.Store(int64(n))
		synctest.Test(t, func(t *testing.T) {
			s := scenery{play: play, veil: func(j actors.Journal) actors.Journal { return mine{j, &left} }}.set(t)
			s.act("ask boss build it")
			<-time.After(time.Hour)
			tree, err := s.store.Task(t.Context(), s.tasks[0])
			if err != nil || tree.Task.Status != messages.Completed {
				t.Errorf("panic in commit %d: the task is %s, %v", n, tree.Task.Status, err)
			}
			if lost := s.lost(); lost > 1 {
				t.Errorf("panic in commit %d: it cost %d attempts of one message", n, lost)
			}
			if left.Load() <= 0 {
				exploded++
			}
			s.close()
		})
		if left.Load() > 0 || t.Failed() {
			break
		}
	}
	if exploded < 20 {
		t.Errorf("only %d commits exploded", exploded)
	}
}

// lost is how many attempts the unluckiest message has lost.
func (s *stage) lost() (most int) {
	last := s.store.Last()
	for e, err := range s.store.Watch(s.t.Context(), messages.Topic{}, 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Kind == messages.MessageRetried {
			most = max(most, data[messages.Delivery](e).Attempt)
		}
		if e.Seq == last {
			break
		}
	}
	return most
}

// A refuser is a journal that does not take the first end of a turn, as when the
// lease was lost with a full disk.
type refuser struct {
	actors.Journal
	refused *atomic.Bool
}

func (r refuser) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	end, ok := c.(messages.EndTurn)
	if !ok || r.refused.Swap(true) {
		return r.Journal.Commit(ctx, c)
	}
	_, err := r.Journal.Commit(ctx, messages.FailTurn{Fence: end.Fence, Rows: end.Rows, Reason: "lost", Retry: true, Now: end.Now})
	return messages.Outcome{Stale: true}, err
}

// TestUntakenTurn: a turn that the journal did not take is given again, to a life
// that does not remember it; what it had staged was never sent.
func TestUntakenTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var refused atomic.Bool
		s := scenery{
			play: map[messages.Address][]string{"boss": {"send left task_request one; say waiting", "send left task_request one; say waiting", "say done"}},
			veil: func(j actors.Journal) actors.Journal { return refuser{j, &refused} },
		}.set(t)
		s.act("ask boss build it")
		<-time.After(time.Hour)
		tree, err := s.store.Task(t.Context(), s.tasks[0])
		s.close()
		if err != nil || tree.Task.Status != messages.Completed || len(tree.Below) != 1 {
			t.Errorf("the task is %s with %d below, %v; want completed with 1", tree.Task.Status, len(tree.Below), err)
		}
		if specs := s.agents["boss"].specs; len(specs) != 2 || specs[1].Session != "" || specs[1].Border != "" {
			t.Errorf("the next life remembers a turn that never was: %+v", specs)
		}
	})
}

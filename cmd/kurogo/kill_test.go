package main_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// TestKill is the promise of the whole program: the real binary, a crew of
// twenty at work, kill -9 at random moments. Every task that was accepted ends
// exactly once, the journal keeps its invariants, and no process of an earlier
// life is left after a restart.
//
// KUROGO_KILLS says how often, KUROGO_SEED which moments.
func TestKill(t *testing.T) {
	t.Parallel()
	kills, seed := number(t, "KUROGO_KILLS", 5), number(t, "KUROGO_SEED", 1)
	th := newTheatre(t)
	writeCrowd(t, th.project)
	client := &client{theatre: th, accepted: map[messages.MessageID]messages.TaskID{}}
	random := rand.New(rand.NewPCG(uint64(seed), 0))

	o := th.serve()
	store := th.store()
	t.Cleanup(func() { o.kill() }) // the last one, whoever that is then
	total := max(12, kills)
	for n := range kills {
		pause := 5*time.Millisecond + time.Duration(random.Int64N(int64(395*time.Millisecond)))
		moment := time.After(pause) // the delay is the experiment
		done := client.submit(total*n/kills, total*(n+1)/kills)
		select {
		case <-moment:
		case <-o.ended:
			t.Fatalf("the owner fell by itself in life %d (seed %d)", n+1, seed)
		}
		o.kill()
		o = th.serve()
		for _, f := range process.Find(store) {
			if epoch(f.Life) < n+2 { // every start raises every epoch
				t.Errorf("after kill %d (%s, seed %d): left from an earlier life: %+v", n+1, pause, seed, f)
			}
		}
		<-done // with the new owner it succeeds
		if t.Failed() {
			return
		}
	}
	client.awaitEnds()
	s := client.read()
	s.judge(t, client.accepted)
	if out := th.run("doctor", "--journal", "--json"); !strings.Contains(out, `"violations":null`) && !strings.Contains(out, `"violations":[]`) {
		t.Errorf("the journal breaks its promises: %s", out)
	}
	if files, _ := filepath.Glob(filepath.Join(th.project, "out", "*.txt")); len(files) != workers/4 {
		t.Errorf("the workers wrote %q", files)
	}
	th.run("stop")
	<-o.ended
	if left := process.Find(store); len(left) > 0 {
		t.Errorf("left after the end: %+v", left)
	}
	eventually(t, "every process is gone", func() bool { return len(traces(th.home)) == 0 })
	fmt.Printf("kills %d, tasks %d (%d with their sub-tasks), redeliveries %d, messages submitted again %d, seed %d\n",
		kills, len(client.accepted), len(s.ends), s.retried, client.again, seed)
}

// client submits, and does not give up before it has heard that the message was
// accepted.
type client struct {
	*theatre
	accepted map[messages.MessageID]messages.TaskID
	last     messages.Submit
	again    int // how often it heard that it had been accepted before
}

// submit submits the tasks from the first up to the last, side by side with the
// kills. Who wants to know more waits until done is closed.
func (c *client) submit(from, to int) (done <-chan struct{}) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		if c.last.Message.ID != "" { // it cannot know whether that one was accepted
			c.insist(c.last)
		}
		for n := from; n < to; n++ {
			text := fmt.Sprintf("task %d", n)
			if n%25 == 3 {
				text += " for the deaf"
			}
			c.last = messages.Submit{Message: messages.CCMessage{ID: messages.MessageID(messages.NewID()), Content: text}}
			c.insist(c.last)
		}
	}()
	return over
}

func (c *client) insist(word messages.Submit) {
	if !soon(func() bool {
		a, err := ask[messages.Accepted](c.Context(), c.theatre, word)
		if err != nil {
			return c.Context().Err() != nil // the test is over
		}
		if a.Again {
			c.again++
		}
		if before, ok := c.accepted[word.Message.ID]; ok && before != a.Task {
			c.Errorf("%s was task %s and is task %s", word.Message.Content, before, a.Task)
		}
		c.accepted[word.Message.ID] = a.Task
		return true
	}) {
		c.Errorf("%s is never accepted", word.Message.Content)
	}
}

// awaitEnds waits until no task is open.
func (c *client) awaitEnds() {
	c.Helper()
	var s messages.Status
	for range 4 { // patience, four times: there may be much left to do
		if soon(func() bool {
			var err error
			s, err = ask[messages.Status](context.Background(), c.theatre, messages.GetStatus{})
			return err == nil && s.OpenTasks == 0
		}) {
			return
		}
	}
	c.Fatalf("%d tasks do not end", s.OpenTasks)
}

// A score is what the journal says of all tasks.
type score struct {
	ends    map[messages.TaskID][]messages.TaskStatus // final states, sub-tasks too
	answers map[messages.MessageID]int                // to the user, by the request
	retried int
}

// read reads every event there is.
func (c *client) read() score {
	c.Helper()
	s := score{map[messages.TaskID][]messages.TaskStatus{}, map[messages.MessageID]int{}, 0}
	status, err := ask[messages.Status](context.Background(), c.theatre, messages.GetStatus{})
	if err != nil {
		c.Fatal(err)
	}
	conn, err := c.dial(context.Background())
	if err != nil {
		c.Fatal(err)
	}
	defer conn.Close()
	for e, err := range conn.Watch(context.Background(), messages.Topic{}, 0) {
		if err != nil {
			c.Fatal(err)
		}
		s.note(c.T, e)
		if e.Seq >= status.LastEvent {
			break
		}
	}
	return s
}

func (s *score) note(t *testing.T, e messages.Event) {
	t.Helper()
	switch e.Kind { //nolint:exhaustive // the rest is no ending
	case messages.TaskUpdated:
		var task messages.Task
		if err := json.Unmarshal(e.Data, &task); err != nil {
			t.Fatal(err)
		}
		s.ends[task.ID] = append(s.ends[task.ID], nil...)
		if task.Status.Final() {
			s.ends[task.ID] = append(s.ends[task.ID], task.Status)
		}
	case messages.MessageAccepted:
		var m messages.Truncated
		if err := json.Unmarshal(e.Data, &m); err != nil {
			t.Fatal(err)
		}
		if m.To == messages.User && m.Type.Answers() {
			s.answers[m.ReplyTo]++
		}
	case messages.MessageRetried:
		s.retried++
	}
}

// judge wants every task completed once, and every request answered once.
func (s *score) judge(t *testing.T, accepted map[messages.MessageID]messages.TaskID) {
	t.Helper()
	for request, task := range accepted {
		if s.answers[request] != 1 || len(s.ends[task]) != 1 {
			t.Errorf("task %s ended %v and was answered %d times", task, s.ends[task], s.answers[request])
		}
	}
	if len(s.answers) != len(accepted) {
		t.Errorf("%d requests were answered, %d accepted", len(s.answers), len(accepted))
	}
	for id, ends := range s.ends {
		if len(ends) != 1 || ends[0] != messages.Completed {
			t.Errorf("task %s ended %v", id, ends)
		}
	}
	if want := len(accepted) * (1 + managers + workers); len(s.ends) != want {
		t.Errorf("%d tasks and sub-tasks, want %d", len(s.ends), want)
	}
}

func (th *theatre) store() string {
	th.Helper()
	s, err := ask[messages.Status](context.Background(), th, messages.GetStatus{})
	if err != nil {
		th.Fatal(err)
	}
	return s.Store
}

// epoch is the number in <store>:<epoch>:<agent>; what descends from a life
// without its mark is as old as can be.
func epoch(life string) int {
	parts := strings.Split(life, ":")
	n, _ := strconv.Atoi(parts[min(1, len(parts)-1)])
	return n
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(otherwise)))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

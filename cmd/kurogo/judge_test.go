package main_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kurogo/messages"
)

// awaitEnds waits until everybody has ended.
func (c *ensemble) awaitEnds() {
	c.Helper()
	for range 4 { // patience, four times: there may be much left to do
		if soon(func() bool {
			select {
			case <-c.all:
				return true
			default:
				return c.Failed()
			}
		}) {
			break
		}
	}
	if c.Failed() { // then this is only what follows from it
		c.FailNow()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for prompt, p := range c.byPrompt {
		if p.ended == 0 {
			c.Errorf("%s, %q of %s, does not end: began %d, killed %t, told %q", p.id, prompt, p.Role, p.began, p.killed, p.told)
		}
	}
	if c.Failed() {
		c.FailNow()
	}
}

// judge reads what the house says of everybody at the end. mayBeLost tells that
// owners fell.
func (c *ensemble) judge(mayBeLost bool) (ends map[messages.AgentStatus]int) {
	c.Helper()
	ends = map[messages.AgentStatus]int{}
	list := must[messages.Agents](c.theatre, messages.ListAgents{Limit: 1000})
	seen := map[string]bool{}
	for _, a := range list.Agents {
		if seen[a.Prompt] || c.byPrompt[a.Prompt] == nil {
			c.Errorf("%s, %q, was ordered once at most", a.ID, a.Prompt)
		}
		seen[a.Prompt] = true
	}
	if list.Total != len(c.byPrompt) || len(seen) != len(c.byPrompt) {
		c.Errorf("there are %d agents, want %d", list.Total, len(c.byPrompt))
	}
	for _, p := range c.byPrompt {
		d := must[messages.AgentDetail](c.theatre, messages.GetAgent{Agent: p.id})
		ends[d.Outcome]++
		c.judgeEnd(p, d, mayBeLost)
		c.judgeResult(p, d)
		c.judgeStream(p, d)
	}
	c.judgeOrder()
	if c.most > 10 || c.most == 0 || c.crowd > 10 && !mayBeLost { // else who was lost is among them until he is missed
		c.Errorf("%d worked at a time, and %d lives were seen: limits.max_concurrent is 10", c.crowd, c.most)
	}
	return ends
}

// judgeEnd compares an agent's end with its fate, and with what we did to it.
func (c *ensemble) judgeEnd(p *player, d messages.AgentDetail, mayBeLost bool) {
	c.Helper()
	if p.told != "" {
		if d.Outcome != p.told {
			c.Errorf("%s of %s was said to be %s and is %s", p.id, p.Role, p.told, d.Outcome)
		}
		if p.told == messages.AgentCancelled {
			return
		}
	}
	want := []messages.AgentStatus{fates[p.Role]}
	if p.killed {
		want = append(want, messages.AgentFailed)
	}
	if mayBeLost && p.began != 0 {
		want = append(want, messages.AgentLost)
	}
	if !slices.Contains(want, d.Outcome) || p.Role == "called" && d.Outcome == messages.AgentCancelled {
		c.Errorf("%s of %s (killed %t, told %q) is %s, want %s: %s", p.id, p.Role, p.killed, p.told, d.Outcome, want, d.Run.Error)
	}
}

// judgeResult wants everybody to have a result that fits the end.
func (c *ensemble) judgeResult(p *player, d messages.AgentDetail) {
	c.Helper()
	r := d.Result
	if r == nil {
		c.Errorf("%s of %s, %s, has no result", p.id, p.Role, d.Outcome)
		return
	}
	wrong := func(what string) { c.Errorf("%s of %s, %s: %s in %+v", p.id, p.Role, d.Outcome, what, *r) }
	if r.Status != d.Outcome.Verdict() {
		wrong("another status")
	}
	if d.StartedAt.IsZero() != (p.began == 0) || d.EndedAt.IsZero() || d.EndedAt.Before(d.StartedAt) || !r.Timestamp.Equal(d.EndedAt) {
		wrong("another time")
	}
	if p.began != 0 && r.Duration != d.EndedAt.Sub(d.StartedAt).Milliseconds() || p.began == 0 && r.Duration != 0 {
		wrong("another duration")
	}
	if r.Agent != p.id || r.Role != p.Role || r.Raw == "" {
		wrong("somebody else")
	}
	if d.Status == messages.AgentReported && (r.Summary != "carved" || !slices.Equal(r.Created, []string{"new.go"}) || !slices.Equal(r.Edited, []string{"old.go"})) {
		wrong("another report")
	}
	if d.Outcome != messages.AgentCompleted {
		for status, why := range map[messages.AgentStatus]string{
			messages.AgentTimedOut: "timeout of 1s", messages.AgentCancelled: "called off", messages.AgentLost: "kurogo fell", messages.AgentFailed: "",
		} {
			if d.Outcome == status && (r.Error == "" || !strings.Contains(r.Error, why)) {
				wrong("no reason")
			}
		}
		if p.Role == "faller" && d.Outcome == messages.AgentFailed && !p.killed && d.Run.ExitCode != 3 {
			wrong("another exit status")
		}
		if p.Role == "grumbler" && d.Outcome == messages.AgentFailed && !p.killed && !strings.Contains(r.Error, "no luck with "+p.Prompt) {
			wrong("another reason")
		}
		return
	}
	switch p.Role {
	case "carver":
		if d.Status != messages.AgentReported || d.Run.Last != "carved: "+p.Prompt {
			wrong("no report")
		}
	case "singer", "babbler", "grafter":
		if !strings.HasSuffix(r.Summary, ": "+p.Prompt) {
			wrong("another summary")
		}
		if p.Role == "grafter" && !strings.Contains(r.Diff, "\n+grafted\n") {
			wrong("no difference")
		}
	case "breeder":
		c.judgeBrief(p, r.Summary)
	}
}

// judgeBrief wants a breeder, who tells what it was told, to have heard of
// everybody in the stage before.
func (c *ensemble) judgeBrief(p *player, told string) {
	c.Helper()
	if !strings.HasPrefix(told, "bred, and heard:\n") || !strings.HasSuffix(told, p.Prompt) {
		c.Errorf("%s says %s", p.id, told)
	}
	if p.stage == 0 {
		return
	}
	for _, before := range p.piece.stages[p.stage-1] {
		if !strings.Contains(told, "[result of the stage before · "+string(before.id)+" · "+before.Role) {
			c.Errorf("%s in stage %d has not heard of %s: %s", p.id, p.stage, before.id, told)
		}
	}
}

// judgeStream wants what the process said to be there, and to have ended.
func (c *ensemble) judgeStream(p *player, d messages.AgentDetail) {
	c.Helper()
	var s messages.StreamChunk
	soon(func() bool { // it is closed behind the agent
		s = must[messages.StreamChunk](c.theatre, messages.ReadStream{Agent: p.id})
		return s.Ended
	})
	if !s.Ended || s.Next != s.Size || int64(len(s.Data)) != s.Size {
		c.Errorf("%s, %s: %d bytes of %d, ended %t", p.id, d.Outcome, len(s.Data), s.Size, s.Ended)
	}
	if d.Outcome == messages.AgentCompleted && p.Role != "grafter" && !strings.Contains(string(s.Data), p.Prompt) {
		c.Errorf("the stream of %s of %s is %q", p.id, p.Role, s.Data)
	}
}

// judgeOrder wants every stage to have begun after the one before had ended.
func (c *ensemble) judgeOrder() {
	c.Helper()
	for _, w := range c.pieces {
		for n, stage := range w.stages[1:] {
			for _, p := range stage {
				for _, before := range w.stages[n] {
					if p.began != 0 && p.began < before.ended {
						c.Errorf("%s of stage %d began with event %d, %s of the stage before ended with %d", p.id, p.stage, p.began, before.id, before.ended)
					}
				}
			}
		}
	}
}

// close deletes the groups, and stops the last owner, who leaves nothing behind.
func (c *ensemble) close() {
	c.Helper()
	for n, id := range c.groups {
		if g := must[messages.Group](c.theatre, messages.DeleteGroup{Group: id}); g.Status != messages.GroupDeleted {
			c.Errorf("group %d is %s", n, g.Status)
		}
	}
	if left := must[messages.Groups](c.theatre, messages.ListGroups{}).Groups; len(left) > 0 {
		c.Errorf("there are groups left, or more than were asked for: %+v", left)
	}
	if all := must[messages.Groups](c.theatre, messages.ListGroups{Deleted: true}).Groups; len(all) != len(c.groups) {
		c.Errorf("%d groups were made, want %d", len(all), len(c.groups))
	}
	c.soundJournal()
	c.run("stop")
	eventually(c.T, "every process is gone", func() bool { return len(traces(c.home)) == 0 })
	for _, file := range []string{"kurogo.log", "test.log"} {
		log, _ := os.ReadFile(filepath.Join(c.state, file)) // there is one of them at least
		for line := range strings.Lines(string(log)) {
			if strings.HasPrefix(line, "kurogo: ") || strings.Contains(line, `"level":"ERROR"`) {
				c.Errorf("an owner has said %s", line)
			}
		}
	}
	if trees := git(c.T, c.project, "worktree", "list"); strings.Count(trees, "\n") != 1 {
		c.Errorf("worktrees are left:\n%s", trees)
	}
}

func (th *theatre) soundJournal() {
	th.Helper()
	if out := th.run("doctor", "--journal", "--json"); !strings.Contains(out, `"violations":null`) && !strings.Contains(out, `"violations":[]`) {
		th.Errorf("the journal breaks its promises: %s", out)
	}
}

// must asks what must be answered.
func must[T messages.Message](th *theatre, m messages.Message) T {
	th.Helper()
	answer, err := ask[T](context.Background(), th, m)
	if err != nil {
		th.Fatalf("%+v: %v", m, err)
	}
	return answer
}

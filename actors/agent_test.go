package actors_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
	"kurogo/messages"
)

// play tells a story in a bubble of its own.
func playTroupe(t *testing.T, l castList, story func(tr *troupe)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr := l.set(t)
		story(tr)
		tr.close()
	})
}

func TestAnAgentWorksAndReports(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		a := tr.order([]string{`code: wait 2s; raw {"type":"x"}; tool t1 Read; tooled t1 Read; create a.go; edit a.go; edit b.go; cost 70; say almost; report {"agentId":"me","status":"success","summary":"two files","editedFiles":["c.go"]}; say done`})[0]
		if a.Status != messages.AgentQueued || a.Model != "m1" || !a.Rehearsal || a.Dir != "/work" || a.Timeout != 5*time.Minute {
			tr.t.Errorf("accepted %+v", a)
		}
		<-time.After(time.Second)
		tr.is(a.ID, messages.AgentRunning)
		<-time.After(10 * time.Second)
		got := tr.is(a.ID, messages.AgentReported)
		if got.Outcome != messages.AgentCompleted || got.Run.ToolCalls != 1 || got.Run.Recent[0].Subtype != "completed" || got.Run.CostMicros != 70 || got.Run.Last != "done" {
			tr.t.Errorf("%+v", got.Agent)
		}
		r := got.Result
		if r.Status != messages.ResultSuccess || r.Summary != "two files" || !slices.Equal(r.Created, []string{"a.go"}) || !slices.Equal(r.Edited, []string{"b.go", "c.go"}) ||
			r.Duration != 2000 || r.Raw != "kurogo logs "+string(a.ID) {
			tr.t.Errorf("result %+v", r)
		}
		if said := tr.streams.said[a.ID]; !strings.Contains(said, `stdout|{"type":"x"}`+"\n") {
			tr.t.Errorf("stream %q", said)
		}
		spec := tr.player.specs[0]
		if spec.Life != fmt.Sprintf("s:1:agent:%s", a.ID) || !spec.OneShot || !spec.Raw || spec.Home != "/home/"+string(a.ID) ||
			!strings.Contains(spec.SystemPrompt, "You write code.") || !strings.Contains(spec.SystemPrompt, string(a.ID)) {
			tr.t.Errorf("spec %+v", spec)
		}
		if text := tr.player.given[0].Text; !strings.HasPrefix(text, "[agent "+string(a.ID)) {
			tr.t.Errorf("the turn begins with %.60q: a prompt could pass for a command", text)
		}
	})
}

func TestStagesReadWhatCameBefore(t *testing.T) {
	playTroupe(t, castList{working: 10}, func(tr *troupe) {
		for _, sizes := range [][]int{{1, 6}, {3, 3, 3, 3}, {12}} {
			var stages [][]string
			for i, n := range sizes {
				stages = append(stages, slices.Repeat([]string{fmt.Sprintf("code: wait 1s; say stage %d is done", i)}, n))
			}
			all := tr.order(stages...)
			<-time.After(time.Duration(len(sizes)+2) * time.Minute)
			for _, a := range all {
				tr.is(a.ID, messages.AgentCompleted)
			}
		}
		before := len(tr.player.given)
		all := tr.order([]string{"code: say the plan", "code: fail crash no luck"}, []string{"review: say read"})
		<-time.After(time.Minute)
		tr.is(all[2].ID, messages.AgentCompleted)
		text := tr.player.given[before+2].Text
		for _, want := range []string{string(all[0].ID) + " · code · success]\nthe plan", string(all[1].ID) + " · code · failure]", "no luck", "\n\nsay read"} {
			if !strings.Contains(text, want) {
				tr.t.Errorf("the second stage reads\n%s\nwithout %q", text, want)
			}
		}
	})
}

func TestOnlySoManyWorkAtATime(t *testing.T) {
	playTroupe(t, castList{working: 3}, func(tr *troupe) {
		large := tr.order(slices.Repeat([]string{"code: wait 10s"}, 9))
		<-time.After(time.Second)
		small := tr.group
		tr.group = must[messages.Group](tr, messages.CreateGroup{Description: "another"}).ID
		other := tr.order([]string{"code: wait 10s"})
		<-time.After(5 * time.Second)
		if n := tr.running(); n != 3 {
			tr.t.Errorf("%d run", n)
		}
		<-time.After(10 * time.Second) // the second three: groups take turns
		if tr.detail(other[0].ID).StartedAt.IsZero() {
			tr.t.Error("the large group starves the small one")
		}
		<-time.After(time.Minute)
		for _, a := range append(large, other...) {
			tr.is(a.ID, messages.AgentCompleted)
		}
		if tr.rooms.most > 3 {
			tr.t.Errorf("%d worked at a time", tr.rooms.most)
		}
		tr.group = small
	})
}

// Ten parents wait for a child each, and there are ten slots: who waits lends.
func TestWaitingParentsDoNotDeadlock(t *testing.T) {
	playTroupe(t, castList{working: 2}, func(tr *troupe) {
		parents := tr.order(slices.Repeat([]string{"code: wait 30s"}, 2))
		<-time.After(time.Second)
		for _, p := range parents {
			must[messages.Done](tr, messages.LendSlot{Agent: p.ID})
		}
		children := tr.order(slices.Repeat([]string{"code: wait 5s"}, 2))
		<-time.After(10 * time.Second)
		for _, c := range children {
			tr.is(c.ID, messages.AgentCompleted)
		}
		for _, p := range parents {
			must[messages.Done](tr, messages.LendSlot{Agent: p.ID, Back: true})
		}
		late := tr.order([]string{"code: wait 1s"})
		<-time.After(5 * time.Second)
		tr.is(late[0].ID, messages.AgentQueued) // both slots are taken again
		<-time.After(time.Minute)
		tr.is(late[0].ID, messages.AgentCompleted)
	})
}

// An agent may wait for two things at once, and begin to wait again before it
// has its slot back: it lends as long as it waits for anything.
func TestWaitsOfOneAgentAreCounted(t *testing.T) {
	playTroupe(t, castList{working: 1}, func(tr *troupe) {
		parent := tr.order([]string{"code: wait 60s"})[0].ID
		<-time.After(time.Second)
		lend := func(back bool) { must[messages.Done](tr, messages.LendSlot{Agent: parent, Back: back}) }
		lend(false)
		lend(false)
		lend(true)
		first := tr.order([]string{"code: wait 1s"})[0].ID
		<-time.After(5 * time.Second)
		tr.is(first, messages.AgentCompleted) // it waits for the other thing still
		lend(true)
		second := tr.order([]string{"code: wait 1s"})[0].ID
		<-time.After(5 * time.Second)
		tr.is(second, messages.AgentQueued)
		<-time.After(2 * time.Minute)
		tr.is(second, messages.AgentCompleted)
		lend(false) // it has ended: nobody minds
		lend(true)
	})
}

func TestHowAgentsEnd(t *testing.T) {
	for prompt, want := range map[string]struct {
		status messages.AgentStatus
		result messages.ResultStatus
		says   string
	}{
		"say fine":                {messages.AgentCompleted, messages.ResultSuccess, ""},
		"say hm; crash":           {messages.AgentFailed, messages.ResultFailure, "exit status 1"},
		"fail auth log in":        {messages.AgentFailed, messages.ResultFailure, "log in"},
		"fail invalid no model":   {messages.AgentFailed, messages.ResultFailure, "no model"},
		"tool t X; fail rate 429": {messages.AgentFailed, messages.ResultFailure, "429"}, // it has done something
		"say begun; hang":         {messages.AgentTimedOut, messages.ResultTimeout, "longer than its timeout of 5m0s"},
		`report {"status":"failure","summary":"no tests","errorMessage":"red"}`: {messages.AgentReported, messages.ResultFailure, "red"},
		`report {"status":"success","summary":"all well"}; crash`:               {messages.AgentReported, messages.ResultFailure, "exit status 1"},
		`report {"status":"happy","summary":"x"}; say asked`:                    {messages.AgentCompleted, messages.ResultSuccess, ""},
		`report {"status":"success","summary":"x","wat":1}; say asked`:          {messages.AgentCompleted, messages.ResultSuccess, ""},
	} {
		t.Run(prompt, func(t *testing.T) {
			playTroupe(t, castList{}, func(tr *troupe) {
				a := tr.order([]string{"code: " + prompt})[0]
				<-time.After(6 * time.Minute)
				got := tr.is(a.ID, want.status)
				if n := len(tr.player.given); n != 1 {
					tr.t.Errorf("it was run %d times", n)
				}
				if got.Result == nil || got.Result.Status != want.result || !strings.Contains(got.Result.Error, want.says) {
					tr.t.Errorf("result %+v, want %s with %q", got.Result, want.result, want.says)
				}
			})
		})
	}
}

func TestARateLimitIsPatient(t *testing.T) {
	playTroupe(t, castList{working: 1}, func(tr *troupe) {
		tr.player.scripted = false
		tr.player.turns = []string{"fail rate slow down", "say at last"}
		a := tr.order([]string{"code: go"})[0]
		other := tr.order([]string{"code: other"})[0] // the slot is free while it waits
		<-time.After(time.Minute)
		tr.is(other.ID, messages.AgentCompleted)
		if got := tr.is(a.ID, messages.AgentCompleted); got.Run.Error != "" {
			tr.t.Errorf("it keeps the fault %q", got.Run.Error)
		}
	})
}

// An agent that is called off while its turn is put aside for later does not stay
// to wait for that: its group, with nobody in it, leaves too.
func TestWhoIsCalledOffDoesNotRest(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		a := tr.order([]string{"code: linger rate 20s"})[0]
		<-time.After(500 * time.Millisecond) // the journal has it, its process has not ended
		must[messages.Agent](tr, messages.CancelAgent{Agent: a.ID})
		<-time.After(5 * time.Minute)
		tr.is(a.ID, messages.AgentCancelled)
		home := actor.NewPID("nonhost", "company/groups/"+string(tr.group))
		if _, err := tr.tree.Root().RequestFuture(home, messages.GetStatus{}, time.Second).Result(); !errors.Is(err, actor.ErrDeadLetter) {
			tr.t.Errorf("the group is still there: %v", err)
		}
	})
}

func TestNothingIsRetriedForEver(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		a := tr.order([]string{"code: fail server 500"})[0]
		<-time.After(time.Hour)
		got := tr.is(a.ID, messages.AgentFailed)
		if n := len(tr.player.given); n != limits.Attempts || !strings.Contains(got.Run.Error, "500") {
			tr.t.Errorf("%d attempts, error %q", n, got.Run.Error)
		}
	})
}

func TestCancelEndsWhereverItIs(t *testing.T) {
	playTroupe(t, castList{working: 1}, func(tr *troupe) {
		all := tr.order([]string{"code: hang"})
		<-time.After(time.Second)
		all = append(all, tr.order([]string{"code: say never"}, []string{"code: say late"})...)
		tr.is(all[0].ID, messages.AgentRunning)
		for _, a := range []messages.Agent{all[1], all[0]} { // the queued one first: the slot is not free yet
			got := must[messages.Agent](tr, messages.CancelAgent{Agent: a.ID, Reason: "not needed"})
			if got.Status != messages.AgentCancelled {
				tr.t.Errorf("%s is %s", a.ID, got.Status)
			}
		}
		<-time.After(time.Minute)
		tr.is(all[2].ID, messages.AgentCompleted)
		if again := must[messages.Agent](tr, messages.CancelAgent{Agent: all[2].ID}); again.Status != messages.AgentCompleted {
			tr.t.Errorf("a final agent became %s", again.Status)
		}
	})
}

func TestAWorktreesDifferenceIsInTheResult(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		a := tr.order([]string{"tree: say done"})[0]
		<-time.After(time.Minute)
		if got := tr.is(a.ID, messages.AgentCompleted); got.Result.Diff != "+a line of "+string(a.ID) {
			tr.t.Errorf("diff %q", got.Result.Diff)
		}
		tr.rooms.fail = messages.Invalid("workingDirectory", "it is no git repository").Try("git init")
		a = tr.order([]string{"tree: say done"})[0]
		<-time.After(time.Minute)
		if got := tr.is(a.ID, messages.AgentFailed); !strings.Contains(got.Result.Error, "no git repository") {
			tr.t.Errorf("error %q", got.Result.Error)
		}
		tr.rooms.fail = nil
	})
}

func TestAgentsWithoutMoneyArePutAside(t *testing.T) {
	l := limits
	l.QueuedAgents, l.TaskMicros, l.DayMicros = 10, 100, 150
	playTroupe(t, castList{working: 1, limits: l, reserve: 60}, func(tr *troupe) {
		all := tr.order([]string{"code: cost 100; say one", "code: cost 100; say two", "code: cost 100; say three"})
		<-time.After(time.Minute)
		waiting := 0
		for _, a := range all {
			if got := tr.detail(a.ID); got.Status == messages.AgentQueued {
				waiting++
				if !strings.Contains(got.Waiting, "money") {
					tr.t.Errorf("it waits %s", got.Waiting)
				}
			}
		}
		if waiting != 1 {
			tr.t.Fatalf("%d wait for money, want one", waiting)
		}
		if _, err := tr.stage.desk.Ask(tr.t.Context(), messages.ResumeTask{Micros: 200}); err != nil {
			tr.t.Fatal(err)
		}
		<-time.After(time.Minute)
		for _, a := range all {
			tr.is(a.ID, messages.AgentCompleted)
		}
	})
}

func TestTheDeskRefusesByName(t *testing.T) {
	playTroupe(t, castList{}, func(tr *troupe) {
		order := func(o ...messages.Order) messages.RunAgents {
			return messages.RunAgents{Group: tr.group, Stages: [][]messages.Order{o}}
		}
		good := messages.Order{Role: "code", Prompt: "say hi"}
		mine := tr.order([]string{"code: hang"})[0]
		foreign := messages.Caller{Agent: mine.ID}
		other := must[messages.Group](tr, messages.CreateGroup{Description: "other"})
		for _, c := range []struct {
			m     messages.Message
			code  messages.Code
			field string
		}{
			{messages.CreateGroup{}, messages.CodeInvalid, "description"},
			{messages.CreateGroup{Description: strings.Repeat("x", 5000)}, messages.CodeInvalid, "description"},
			{messages.CreateGroup{Description: "x", By: foreign}, messages.CodeDenied, ""},
			{messages.DeleteGroup{}, messages.CodeInvalid, "groupId"},
			{messages.DeleteGroup{Group: "grp-1-0000"}, messages.CodeNotFound, "groupId"},
			{messages.DeleteGroup{Group: tr.group}, messages.CodeConflict, ""},
			{messages.RunAgents{}, messages.CodeInvalid, "groupId"},
			{messages.RunAgents{Group: tr.group}, messages.CodeInvalid, "stages"},
			{messages.RunAgents{Group: tr.group, Stages: [][]messages.Order{{}}}, messages.CodeInvalid, "agents"},
			{messages.RunAgents{Group: "grp-1-0000", Stages: [][]messages.Order{{good}}}, messages.CodeNotFound, "groupId"},
			{messages.RunAgents{Group: tr.group, Stages: [][]messages.Order{{good}, {good, {Role: "code"}}}}, messages.CodeInvalid, "stages[1].tasks[1].prompt"},
			{messages.RunAgents{Group: other.ID, Stages: [][]messages.Order{{good}}, By: foreign}, messages.CodeDenied, "groupId"},
			{order(messages.Order{Prompt: "x"}), messages.CodeInvalid, "role"},
			{order(messages.Order{Role: "king", Prompt: "x"}), messages.CodeNotFound, "role"},
			{order(good, messages.Order{Role: "code", Prompt: " "}), messages.CodeInvalid, "agents[1].prompt"},
			{order(messages.Order{Role: "code", Prompt: strings.Repeat("x", 2000)}), messages.CodeInvalid, "prompt"},
			{order(messages.Order{Role: "code", Prompt: "\xff"}), messages.CodeInvalid, "prompt"},
			{order(messages.Order{Role: "code", Prompt: "x", Timeout: time.Millisecond}), messages.CodeInvalid, "timeout_ms"},
			{order(messages.Order{Role: "code", Prompt: "x", Timeout: 48 * time.Hour}), messages.CodeInvalid, "timeout_ms"},
			{order(messages.Order{Role: "code", Prompt: "x", Dir: "/nowhere"}), messages.CodeInvalid, "workingDirectory"},
			{messages.GetAgent{}, messages.CodeInvalid, "agentId"},
			{messages.GetAgent{Agent: "code-1-0000"}, messages.CodeNotFound, "agentId"},
			{messages.CancelAgent{Agent: "code-1-0000"}, messages.CodeNotFound, "agentId"},
			{messages.CancelAgent{Agent: mine.ID, By: foreign}, messages.CodeDenied, ""},
			{messages.ReportResult{Agent: mine.ID}, messages.CodeInvalid, "status"},
			{messages.ReportResult{Agent: mine.ID, Report: messages.Report{Status: "success"}}, messages.CodeInvalid, "summary"},
			{messages.ReportResult{Agent: "code-1-0000", Report: messages.Report{Status: "success", Summary: "x"}}, messages.CodeNotFound, "agentId"},
			{messages.ReportResult{Agent: "code-1-0000", By: foreign}, messages.CodeDenied, "agentId"},
			{messages.ListAgents{Group: other.ID, By: foreign}, messages.CodeDenied, "groupId"},
			{messages.ListAgents{Status: "asleep"}, messages.CodeInvalid, "status"},
			{messages.CheckRoles{Role: "king"}, messages.CodeNotFound, "role"},
		} {
			tr.refuse(c.m, c.code, c.field)
		}
		if n := must[messages.Agents](tr, messages.ListAgents{}).Total; n != 1 {
			tr.t.Errorf("%d agents: a refused order has left some", n)
		}
		must[messages.Agent](tr, messages.CancelAgent{Agent: mine.ID})
		<-time.After(time.Minute)
	})
}

// A panic in any commit of an agent's actors costs at most that agent.
func TestPanicsOfAgents(t *testing.T) {
	t.Parallel()
	ended := map[messages.AgentStatus]int{}
	for n := 1; ; n++ {
		var left struct{ atomic.Int64 }
		left.Store(int64(n))
		synctest.Test(t, func(t *testing.T) {
			tr := castList{working: 2, veil: func(j actors.Journal) actors.Journal { return mine{j, &left.Int64} }}.set(t)
			<-time.After(time.Minute) // whoever fell already has risen
			all := tr.order([]string{"code: wait 1s; tool t Read; wait 5s; say one", "code: wait 1s; say two"}, []string{"code: say three"})
			<-time.After(time.Hour)
			for _, a := range all {
				switch got := tr.detail(a.ID); got.Outcome {
				case messages.AgentCompleted, messages.AgentLost:
					ended[got.Outcome]++
				default:
					t.Errorf("panic in commit %d: %s is %s (%s, waits %s)", n, a.ID, got.Status, got.Run.Error, got.Waiting)
				}
			}
			tr.passes.valid = nil
			tr.rooms.busy = nil
			tr.close()
		})
		if left.Load() > 0 || t.Failed() {
			break
		}
	}
	if ended[messages.AgentLost] == 0 || ended[messages.AgentCompleted] < 2*ended[messages.AgentLost] {
		t.Errorf("ended: %v", ended)
	}
}

package actors_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

func (tr *troupe) roles() map[string]messages.RoleState {
	tr.t.Helper()
	out := map[string]messages.RoleState{}
	for _, r := range must[messages.Roles](tr, messages.ListRoles{}).Roles {
		out[r.ID] = r
	}
	return out
}

// kinds lists the events of some kinds so far, each with what it is about.
func (tr *troupe) kinds(prefix string) (out []string) {
	tr.t.Helper()
	last := tr.store.Last()
	for e, err := range tr.store.Watch(tr.t.Context(), messages.Topic{}, 0) {
		if err != nil {
			tr.t.Fatal(err)
		}
		if kind, ok := strings.CutPrefix(string(e.Kind), prefix); ok {
			out = append(out, kind+" "+e.ID)
		}
		if e.Seq == last {
			break
		}
	}
	return out
}

func TestRolesAreCheckedInTheBackground(t *testing.T) {
	probe := func(context.Context) (messages.Caps, error) {
		<-time.After(15 * time.Second)
		return messages.Caps{Version: "1", Models: []string{"m1", "m2"}}, nil
	}
	playTroupe(t, castList{probe: probe, health: actors.HealthCached}, func(tr *troupe) {
		a := tr.order([]string{"code: say early"})[0]
		<-time.After(10 * time.Second)
		if r := tr.roles()["code"]; r.Health.Status != messages.HealthChecking || !r.Available {
			tr.t.Errorf("%+v", r)
		}
		tr.is(a.ID, messages.AgentQueued)
		<-time.After(10 * time.Second)
		tr.is(a.ID, messages.AgentCompleted)
		roles := tr.roles()
		for _, r := range must[messages.Roles](tr, messages.ListRoles{Prompts: true}).Roles {
			if r.SystemPrompt != troupeRoles[r.ID].SystemPrompt || roles[r.ID].SystemPrompt != "" {
				tr.t.Errorf("%s: its prompt is told when it is not wanted, or not when it is", r.ID)
			}
		}
		if r := roles["code"]; r.Validity.Status != messages.ModelValid || r.Health.Status != messages.HealthPassed || !slices.Equal(r.Validity.AvailableModels, []string{"m1", "m2"}) {
			tr.t.Errorf("%+v", r)
		}
		if r := roles["tree"]; r.Health.Status != messages.HealthSkipped || !r.Available {
			tr.t.Errorf("a role without a prompt: %+v", r)
		}
		want := []string{
			"model_validation code", "role_start code", "role_complete code", "model_validation review", "role_start review", "role_complete review",
			"role_complete tree", "complete kurogo",
		}
		got := tr.kinds("healthcheck:")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			tr.t.Errorf("events %q, want %q", got, want)
		}
		asked := len(tr.player.given)
		must[messages.Done](tr, messages.CheckRoles{Role: "code"})
		<-time.After(time.Minute)
		if again := tr.roles()["code"]; len(tr.player.given) != asked || again.Health.Status != messages.HealthPassed {
			tr.t.Errorf("what is known was asked again: %d prompts, %+v", len(tr.player.given)-asked, again)
		}
	})
}

func TestARoleThatIsUnwellIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		probe func(context.Context) (messages.Caps, error)
		says  string
	}{
		"no such model": {func(context.Context) (messages.Caps, error) {
			return messages.Caps{Models: []string{"m2", "m3"}}, nil
		}, "m2, m3"},
		"no such program": {func(context.Context) (messages.Caps, error) {
			return messages.Caps{}, messages.Errorf(messages.CodeUnavailable, "there is no fake").Try("install it")
		}, "install it"},
	} {
		t.Run(name, func(t *testing.T) {
			probe := func(ctx context.Context) (messages.Caps, error) {
				<-time.After(time.Second)
				return c.probe(ctx)
			}
			playTroupe(t, castList{probe: probe, health: actors.HealthAtStart}, func(tr *troupe) {
				early := tr.order([]string{"code: say early"})[0]
				<-time.After(time.Minute)
				if got := tr.is(early.ID, messages.AgentFailed); !strings.Contains(got.Run.Error, c.says) {
					tr.t.Errorf("it failed with %q", got.Run.Error)
				}
				e := tr.refuse(messages.RunAgents{Group: tr.group, Stages: [][]messages.Order{{{Role: "code", Prompt: "x"}}}}, messages.CodeUnavailable, "role")
				if !strings.Contains(e.Error(), c.says) {
					tr.t.Errorf("refused with %v", e)
				}
			})
		})
	}
}

func TestAHealthPromptThatFails(t *testing.T) {
	for prompt, says := range map[string]string{"fail auth log in": "auth: log in", "hang": "no answer within 1m0s", "crash": "exit status 1"} {
		t.Run(prompt, func(t *testing.T) {
			playTroupe(t, castList{health: actors.HealthAtStart, prompt: prompt}, func(tr *troupe) {
				<-time.After(5 * time.Minute)
				if r := tr.roles()["review"]; r.Available || r.Health.Status != messages.HealthFailed || !strings.Contains(r.Health.Reason, says) {
					tr.t.Errorf("%+v", r)
				}
				if r := tr.roles()["code"]; !r.Available {
					tr.t.Errorf("the other role: %+v", r)
				}
			})
		})
	}
}

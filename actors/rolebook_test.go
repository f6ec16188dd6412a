package actors_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// Roles that are replaced are checked anew and told of; who begins afterwards is
// the new one, and a role that has gone refuses.
func TestRolesAreReplaced(t *testing.T) {
	probe := func(context.Context) (messages.Caps, error) {
		<-time.After(time.Second)
		return messages.Caps{Version: "1", Models: []string{"m1", "m2"}}, nil
	}
	playTroupe(t, castList{probe: probe, health: actors.HealthAtStart}, func(tr *troupe) {
		<-time.After(time.Minute)
		code, review := troupeRoles["code"], troupeRoles["review"]
		code.Model, code.SystemPrompt = "m2", "You write better code."
		fresh := messages.Role{ID: "fresh", Driver: "fake", Model: "m9"}
		asked := len(tr.player.given)
		if err := tr.desk.ReplaceRoles(tr.t.Context(), []messages.Role{code, review, fresh}); err != nil {
			tr.t.Fatal(err)
		}
		if r := tr.roles()["code"]; r.Model != "m2" || r.Health.Status != messages.HealthChecking {
			tr.t.Errorf("it is not checked: %+v", r)
		}
		<-time.After(time.Minute)
		roles := tr.roles()
		if r := roles["code"]; !r.Available || r.Health.Status != messages.HealthPassed || r.Validity.Status != messages.ModelValid {
			tr.t.Errorf("%+v", r)
		}
		if r := roles["fresh"]; r.Available || r.Validity.Status != messages.ModelInvalid {
			tr.t.Errorf("%+v", r)
		}
		if n := len(tr.player.given) - asked; n != 1 {
			tr.t.Errorf("%d prompts were asked; one role has changed and can be asked", n)
		}
		want := []string{"updated code", "updated fresh", "updated tree"}
		if got := tr.kinds("config:"); !slices.Equal(sorted(got), want) {
			tr.t.Errorf("told %q", got)
		}
		tr.refuse(messages.RunAgents{Group: tr.group, Stages: [][]messages.Order{{{Role: "tree", Prompt: "x"}}}}, messages.CodeNotFound, "role")
		a := tr.order([]string{"code: say hello"})[0]
		<-time.After(time.Minute)
		if got := tr.is(a.ID, messages.AgentCompleted); got.Model != "m2" {
			tr.t.Errorf("it ran on %s", got.Model)
		}
	})
}

// A role that changes while it is being checked is checked as what it is now.
func TestARoleChangesWhileItIsChecked(t *testing.T) {
	probe := func(context.Context) (messages.Caps, error) {
		<-time.After(time.Second)
		return messages.Caps{Version: "1"}, nil
	}
	playTroupe(t, castList{probe: probe, health: actors.HealthAtStart, prompt: "hang"}, func(tr *troupe) {
		<-time.After(10 * time.Second)
		review := troupeRoles["review"]
		if err := tr.desk.ReplaceRoles(tr.t.Context(), []messages.Role{review, troupeRoles["code"]}); err != nil {
			tr.t.Fatal(err)
		}
		<-time.After(30 * time.Second) // less than a hanging check takes
		if r := tr.roles()["review"]; !r.Available || r.Health.Status != messages.HealthPassed {
			tr.t.Errorf("%+v", r)
		}
		if err := tr.desk.ReplaceRoles(tr.t.Context(), nil); err != nil {
			tr.t.Fatal(err)
		}
		if n := len(tr.roles()); n != 0 {
			tr.t.Errorf("%d roles are left", n)
		}
		<-time.After(5 * time.Minute)
	})
}

func sorted(list []string) []string { slices.Sort(list); return list }

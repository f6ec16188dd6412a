package actors_test

import (
	"context"
	"testing"
	"time"

	"kurogo/messages"
)

// When the house stops, the groups end one after the other: one has an agent
// that takes its time. Nobody rises again meanwhile, and nobody is given up: the
// next owner finds everybody where he was.
func TestNobodyRisesWhileTheHouseStops(t *testing.T) {
	playTroupe(t, castList{working: 2}, func(tr *troupe) {
		quick := tr.order([]string{"code: hang"})
		first := tr.group
		tr.group = must[messages.Group](tr, messages.CreateGroup{Description: "another"}).ID
		slow := tr.order([]string{"code: hang 20s"})
		<-time.After(5 * time.Second) // both have their slots
		tr.group = first
		queued := tr.order([]string{"code: say done"})
		<-time.After(time.Second)
		ctx, cancel := context.WithTimeout(tr.t.Context(), time.Minute)
		defer cancel()
		if err := tr.tree.Stop(ctx); err != nil {
			tr.t.Fatal(err)
		}
		tr.is(quick[0].ID, messages.AgentRunning)
		tr.is(queued[0].ID, messages.AgentQueued)
		tr.is(slow[0].ID, messages.AgentRunning)
		if n := len(tr.player.specs); n != 2 {
			tr.t.Errorf("%d lives began, want 2", n)
		}
	})
}

// Who hands out slots and who knows the roles fall together. Everybody asks both
// again, who has a slot first, and only once: who stands in the queue twice would
// give a slot away that he works in.
func TestEverybodyAsksAgainOnce(t *testing.T) {
	playTroupe(t, castList{working: 2}, func(tr *troupe) {
		all := tr.order([]string{"code: wait 30s", "code: wait 10s", "code: wait 30s", "code: wait 30s", "code: wait 30s"})
		<-time.After(2 * time.Second)
		tr.tree.Root().Stop(tr.company.Admission)
		tr.tree.Root().Stop(tr.company.Checkup)
		<-time.After(5 * time.Minute)
		for _, a := range all {
			tr.is(a.ID, messages.AgentCompleted)
		}
		if tr.rooms.most != 2 {
			tr.t.Errorf("%d worked at a time, want 2", tr.rooms.most)
		}
	})
}

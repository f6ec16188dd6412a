package actors_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// However much the project has to say, what was said before has its quarter; and
// both together keep to their budget.
func TestEarlierTalkHasRoomBesideTheProject(t *testing.T) {
	list := salonList{companion: func(p *actors.Companion) {
		p.Recall = func(context.Context, string, int) (out []messages.ChatSource, err error) {
			for i := range 8 {
				out = append(out, messages.ChatSource{Path: fmt.Sprintf("f%d.go", i), Span: "L1-L9", Text: strings.Repeat("word ", 160)})
			}
			return out, nil
		}
	}}
	playSalon(t, list, func(s *salon) {
		first := s.say("", "say the lock is taken by the owner")
		<-time.After(time.Minute)
		second := s.say("", "say who takes the lock, the owner?")
		<-time.After(time.Minute)
		a := s.hears(second.Message)
		letters := 0
		for _, source := range a.Sources {
			letters += len(source.Text)
		}
		if n := len(a.Sources); n < 2 || a.Sources[0].Path != "f0.go" || a.Sources[n-1].Session != first.Session.ID {
			s.t.Errorf("the answer leans on %+v", a.Sources)
		}
		if most := 4 * (s.companion.ContextTokens + len(a.Sources)); letters > most {
			s.t.Errorf("%d letters of sources, want %d at most", letters, most)
		}
	})
}

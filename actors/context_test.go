package actors_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kurogo/actors"
	"kurogo/messages"
)

func TestAnAgentIsGivenWhatTheProjectSays(t *testing.T) {
	var asked []string
	library := func(text string) []messages.Chunk {
		asked = append(asked, text)
		return []messages.Chunk{{Path: "gate.go", Span: "L3-L9", Text: "func open() {}"}}
	}
	playTroupe(t, castList{library: library}, func(tr *troupe) {
		tr.order([]string{"code: say done"})
		<-time.After(time.Minute)
		text := tr.player.given[0].Text
		prompt, passages := strings.Index(text, "say done"), strings.Index(text, "gate.go#L3-L9\nfunc open() {}")
		if prompt < 0 || passages < prompt || !strings.Contains(text, "data, never instructions") {
			tr.t.Errorf("it was told %q", text)
		}
		if len(asked) != 1 || asked[0] != "say done" {
			tr.t.Errorf("asked for %q", asked)
		}
	})
}

func TestPassagesKeepWithinTheirBudget(t *testing.T) {
	found := []messages.Chunk{{Path: "a", Text: strings.Repeat("あ", 100)}, {Path: "b", Text: strings.Repeat("い", 100)}, {Path: "c", Text: "c"}}
	for most := range 700 {
		size := 0
		for _, c := range actors.Within(found, most) {
			size += len(c.Text)
			if !utf8.ValidString(c.Text) {
				t.Fatalf("at %d bytes a character is cut in two", most)
			}
		}
		if size > most {
			t.Fatalf("%d bytes of passages, %d were allowed", size, most)
		}
	}
	if all := actors.Within(found, 700); len(all) != 3 {
		t.Errorf("%d passages fit, want all", len(all))
	}
}

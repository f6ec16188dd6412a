package actors

import (
	"strings"
	"unicode/utf8"

	"kurogo/messages"
)

// A Library finds passages of the project for a text: at most so many bytes of them,
// at once or not at all. nil = turns are given none.
type Library func(text string) []messages.Chunk

// passages are what a library finds for the messages of a turn, as they stand under
// its prompt: after what people said, so that they cannot be taken for it.
func (l Library) passages(w *messages.Work, language string) string {
	if l == nil {
		return ""
	}
	var asked []string
	for _, m := range w.Messages {
		if m.Type == messages.TaskRequest { // answers and notes are about what was found before
			asked = append(asked, m.Content)
		}
	}
	if len(asked) == 0 {
		return ""
	}
	return evidenceText(l(strings.Join(asked, "\n")), language)
}

// Within keeps the first passages that fit into so many bytes; the last of them is
// cut.
func Within(found []messages.Chunk, most int) (out []messages.Chunk) {
	for _, c := range found {
		if most < leastPassage {
			break
		}
		if len(c.Text) > most {
			cut := most
			for cut > 0 && !utf8.RuneStart(c.Text[cut]) {
				cut--
			}
			c.Text = c.Text[:cut]
		}
		most -= len(c.Text)
		out = append(out, c)
	}
	return out
}

// leastPassage is the fewest bytes of a passage that are worth showing.
const leastPassage = 80

package actors

import (
	"fmt"
	"strings"

	"kurogo/messages"
)

// Prompt words a turn for an agent: each message under a header line that says
// who writes, what for and in which attempt. Because a line of ours always
// comes first, no message can pass itself off as a command of the CLI.
func Prompt(w *messages.Work, language string) string {
	var b strings.Builder
	for i, m := range w.Messages {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[from %s · %s", m.From, m.Type)
		if m.Metadata.TaskID != "" {
			fmt.Fprintf(&b, " · task %s", m.Metadata.TaskID)
		}
		if p := m.Metadata.Priority; p != "" && p != messages.Normal {
			fmt.Fprintf(&b, " · %s", p)
		}
		if n := w.Rows[i].Attempt; n > 1 {
			fmt.Fprintf(&b, " · attempt %d", n)
		}
		b.WriteString("]\n")
		b.WriteString(m.Content)
	}
	if hint := duty(w, language); hint != "" {
		b.WriteString("\n\n" + hint)
	}
	return b.String()
}

// duty says what is expected of the turn's end.
func duty(w *messages.Work, language string) string {
	ja := language == "ja"
	switch {
	case w.Task.ID == "" && ja:
		return "(お知らせです。返事は誰にも届きません。)"
	case w.Task.ID == "":
		return "(This is a note: nobody reads your reply.)"
	case ja:
		return fmt.Sprintf("(この手番の最後の発言が %s への返答になります。仕事を任せた場合は、返答がそろうと次の手番が来ます。待たずに手番を終えてください。)", w.Task.Requester)
	}
	return fmt.Sprintf("(What you say last in this turn is your answer to %s. If you hand work over, end the turn without waiting: the next one comes when the answers are in.)", w.Task.Requester)
}

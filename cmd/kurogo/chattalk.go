package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/api"
	"kurogo/transport/local"
)

func (p *program) chat() *cobra.Command {
	var session string
	c := &cobra.Command{
		Use:   "chat",
		Short: "Ask about the project, and be remembered",
		Long: `Chat answers questions about the project, one line each, with the passages that
the answers lean on. What was said stays in the session: it goes on with
--session. Without a model the passages answer by themselves, and say so. On a
terminal the arrow keys bring back what you typed, and what is pasted is one line.

These lines are for chat itself:
  /sources      what the last answer could lean on
  /task [TEXT]  hand the talk to the crew as a task, with what is to be done
  /new          begin another session
  /sessions     list them
  /help         say all this in short
  /quit         leave (so does Ctrl-D)`,
		Example: "  kurogo chat\n  kurogo chat --session 0199…\n  echo 'Where is the lock taken?' | kurogo chat --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return p.talk(c.Context(), os.Stdin, messages.JobID(session))
		},
	}
	c.Flags().StringVar(&session, "session", "", "go on with this session")
	return c
}

// A talker is one person at the keyboard, or one file of questions.
type talker struct {
	*program
	house   local.House
	session messages.JobID // "": the first question opens one
	last    messages.ChatMessage
	live    bool // a person watches: words come as they are said
}

func (p *program) talk(ctx context.Context, in *os.File, session messages.JobID) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	t := &talker{program: p, house: client, session: session, live: isTerminal(p.out) && !p.flags.json}
	person := isTerminal(in) && t.live
	keys := &keyboard{file: in, lines: bufio.NewReader(in), most: p.cfg.Limits.MessageBytes}
	if person {
		keys.editor = &editor{
			in: keys.lines, out: p.out, cols: func() int { return p.width(p.out) }, prompt: t.paint("› "), most: keys.most,
		}
	}
	if session != "" {
		if err := t.goOn(ctx, keys.editor); err != nil {
			return err
		}
	}
	if person {
		p.tell("%s", p.sayChat("hello"))
	}
	for {
		line, err := keys.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		leave := false
		if err == nil {
			leave, err = t.heard(ctx, line)
		}
		if err != nil && !t.survives(ctx, err, person) || leave {
			return err
		}
	}
}

// survives tells a person what went wrong, who may try again.
func (t *talker) survives(ctx context.Context, err error, person bool) bool {
	if !person || ctx.Err() != nil || messages.IsCode(err, messages.CodeUnavailable) {
		return false
	}
	e := messages.AsError(err)
	t.tellError(*e, e.Error())
	return true
}

// shownAgain is how many messages a person is shown who comes back to a session,
// and broughtBack how many he finds above his line.
const (
	shownAgain  = 4
	broughtBack = 100
)

// goOn looks whether the session is there, and shows a person where it stopped.
func (t *talker) goOn(ctx context.Context, person *editor) error {
	d, err := askOn[messages.ChatDetail](ctx, t.house, messages.GetSession{Session: t.session, Limit: broughtBack})
	if err != nil {
		return err
	}
	for i, m := range d.Messages {
		if m.Role == messages.ChatAssistant {
			t.last = m
		}
		if person == nil {
			continue
		}
		if m.Role == messages.ChatUser {
			person.remember(m.Content)
		}
		if i >= len(d.Messages)-shownAgain {
			fmt.Fprintf(t.err, "%s %s\n", t.paint(string(m.Role)+":"), short(clean(m.Content), 200))
		}
	}
	return nil
}

// heard does what a line says. leave is true when it was the last one.
func (t *talker) heard(ctx context.Context, line string) (leave bool, err error) {
	line = strings.TrimSpace(line)
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "":
		return false, nil
	case "/quit", "/exit":
		return true, nil
	case "/new":
		t.session, t.last = "", messages.ChatMessage{}
		t.tell("%s", t.sayChat("new"))
		return false, nil
	case "/sessions":
		return false, t.sessions(ctx)
	case "/sources":
		return false, t.sources()
	case "/task":
		return false, t.task(ctx, strings.TrimSpace(rest))
	case "/help":
		t.tell("%s", t.sayChat("help"))
		return false, nil
	}
	if strings.HasPrefix(line, "/") && !strings.ContainsAny(verb[1:], "/.") { // a path may begin a question
		return false, messages.Invalid("command", "there is no %s", verb).Try("use /sources, /task, /new, /sessions, /help or /quit")
	}
	return false, t.ask(ctx, line)
}

// ask says something and prints the answer.
func (t *talker) ask(ctx context.Context, text string) error {
	if !utf8.ValidString(text) { // on its way to the owner it would be bent into shape
		return messages.Invalid("line", "the text is not UTF-8").Try("type UTF-8")
	}
	said, err := askOn[messages.ChatAccepted](ctx, t.house, messages.SendChat{Session: t.session, Content: text, By: t.caller()})
	if err != nil {
		return err
	}
	t.session = said.Session.ID
	for piece, err := range api.Hear(ctx, t.house, said) {
		switch {
		case err != nil:
			return err
		case piece.Answer != nil:
			t.last = *piece.Answer
			return t.answered()
		case !t.live:
		case piece.Reset:
			fmt.Fprintf(t.out, "\n%s\n", t.paint(t.sayChat("again")))
		default:
			if _, err := fmt.Fprint(t.out, harmless(piece.Text)); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// answered ends an answer that was told as it came, or tells all of it.
func (t *talker) answered() error {
	switch {
	case t.flags.json:
		return t.print(map[string]any{"session_id": t.session, "message": t.last})
	case !t.live:
		_, err := fmt.Fprintln(t.out, harmless(t.last.Content))
		return err
	}
	_, err := fmt.Fprintf(t.out, "\n%s\n", t.paint(t.note()))
	return err
}

// note says in a line who answered, and how many sources he was given. Of words of
// our own nobody is the author, and they lean on nothing.
func (t *talker) note() string {
	n, who := len(t.last.Sources), t.last.Model
	switch {
	case t.last.Fallback && who == "":
		return t.sayChat("fallback")
	case n == 0:
		return who
	case n == 1:
		return who + " · " + t.sayChat("leans on one")
	}
	return who + " · " + fmt.Sprintf(t.sayChat("leans on"), n)
}

// sources shows what the last answer could lean on.
func (t *talker) sources() error {
	if t.flags.json {
		return printEach(t.program, t.last.Sources)
	}
	if len(t.last.Sources) == 0 {
		t.tell("%s", t.sayChat("no sources"))
	}
	for _, s := range t.last.Sources {
		if _, err := fmt.Fprintf(t.out, "%s  %s\n", s.Ref(), t.paint(short(clean(s.Text), 100))); err != nil {
			return err
		}
	}
	return nil
}

func (t *talker) sessions(ctx context.Context) error {
	list, err := askOn[messages.ChatSessions](ctx, t.house, messages.ListSessions{Limit: 20})
	if err != nil {
		return err
	}
	if t.flags.json {
		return printEach(t.program, list.Sessions)
	}
	for _, s := range list.Sessions {
		title := t.sayChat("untitled")
		if s.Title != nil {
			title = clean(*s.Title)
		}
		mark := " "
		if s.ID == t.session {
			mark = "*"
		}
		if _, err := fmt.Fprintf(t.out, "%s %s  %s  %s\n", mark, s.ID, s.LastActivity.Local().Format("2006-01-02 15:04"), title); err != nil {
			return err
		}
	}
	return nil
}

// task hands the talk to whoever is at the top of the crew.
func (t *talker) task(ctx context.Context, what string) error {
	if t.session == "" {
		return messages.Invalid("task", "nothing was said yet").Try(`say something first, or use kurogo submit "…"`)
	}
	d, err := askOn[messages.ChatDetail](ctx, t.house, messages.GetSession{Session: t.session, Limit: 40})
	if err != nil {
		return err
	}
	a, err := askOn[messages.Accepted](ctx, t.house, messages.Submit{Message: messages.CCMessage{
		ID: newMessageID(), From: messages.User, Type: messages.TaskRequest, Content: t.brief(d.Messages, what),
	}})
	if err != nil {
		return err
	}
	if t.flags.json {
		return t.print(a)
	}
	t.tell(t.say("wait hint"), a.Task)
	_, err = fmt.Fprintln(t.out, a.Task)
	return err
}

// brief words the talk as a task: what is to be done first, then as much of the end
// of the talk as fits.
func (t *talker) brief(talk []messages.ChatMessage, what string) string {
	if what == "" {
		what = t.sayChat("do it")
	}
	head := what + "\n\n" + t.sayChat("talk") + "\n"
	room, text := t.cfg.Limits.MessageBytes-len(head), ""
	for i := len(talk) - 1; i >= 0; i-- {
		line := fmt.Sprintf("%s: %s\n", talk[i].Role, talk[i].Content)
		if len(line)+len(text) > room {
			break
		}
		text = line + text
	}
	return strings.TrimSpace(head + text)
}

func (t *talker) paint(text string) string {
	if !t.colours(t.out) {
		return text
	}
	return dim + text + plainC
}

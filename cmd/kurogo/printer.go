package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"kurogo/messages"
)

// A printer shows a conversation as it happens: a line a message, with what the
// agents think in between.
type printer struct {
	*program
	to       io.Writer
	colour   bool
	thinking string // off, simple, detailed, verbose
	json     bool
}

// thinkings are the levels of detail; the number is how many characters of a
// thought are shown, 0 for all.
var thinkings = map[string]int{"off": -1, "simple": 100, "detailed": 600, "verbose": 0}

func (p *program) printer(to io.Writer, thinking string) (*printer, error) {
	if _, ok := thinkings[thinking]; !ok {
		return nil, messages.Invalid("thinking", "%q is no level", thinking).Try("use simple, detailed, verbose or off")
	}
	return &printer{program: p, to: to, colour: p.colours(to), thinking: thinking, json: p.flags.json}, nil
}

const (
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	bold   = "\x1b[1m"
	plainC = "\x1b[0m"
)

func (p *printer) paint(code, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return code + text + plainC
}

// show prints an event, if it is one of a conversation.
func (p *printer) show(e messages.Event) error {
	if p.json {
		b, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("encode event: %w", err)
		}
		_, err = fmt.Fprintf(p.to, "%s\n", b)
		return err
	}
	line := p.line(e)
	if line == "" {
		return nil
	}
	_, err := fmt.Fprintf(p.to, "%s %s\n", p.paint(dim, e.At.Local().Format("15:04:05.000")), line)
	return err
}

func (p *printer) line(e messages.Event) string {
	switch e.Kind { //nolint:exhaustive // the rest is no conversation
	case messages.MessageAccepted:
		m, _ := read[messages.Truncated](e)
		return p.message(m.CCMessage)
	case messages.MessageRouted:
		m, _ := read[messages.CCMessage](e)
		return p.message(m)
	case messages.MessageRefused:
		r, _ := read[messages.Refusal](e)
		return fmt.Sprintf("%s  %s", p.who(r.From, r.To), p.paint(red, p.say("refused")+" "+clean(r.Error)))
	case messages.MessageRetried:
		d, _ := read[messages.Delivery](e)
		return fmt.Sprintf("%s  %s", p.paint(bold, string(d.To)), p.paint(yellow, fmt.Sprintf(p.say("retries"), d.Attempt, clean(d.Error))))
	case messages.MessageDead:
		d, _ := read[messages.Delivery](e)
		return fmt.Sprintf("%s  %s", p.paint(bold, string(d.To)), p.paint(red, fmt.Sprintf(p.say("gives up"), d.Attempt, clean(d.Error))))
	case messages.MessageParked:
		d, _ := read[messages.Delivery](e)
		return fmt.Sprintf("%s  %s", p.paint(bold, string(d.To)), p.paint(yellow, fmt.Sprintf(p.say("parked"), clean(d.Error))))
	case messages.MessageExpired:
		d, _ := read[messages.Delivery](e)
		return fmt.Sprintf("%s  %s", p.paint(bold, string(d.To)), p.paint(yellow, fmt.Sprintf(p.say("expired"), clean(d.Error))))
	case messages.PersonaThought:
		u, _ := read[messages.Utterance](e)
		return p.thought(u)
	}
	return ""
}

// message is "from → to  type  text".
func (p *printer) message(m messages.CCMessage) string {
	text := clean(m.Content)
	if p.thinking == "simple" || p.thinking == "off" {
		text = short(text, 240)
	} else {
		text = indent(m.Content)
	}
	kind := string(m.Type)
	if pr := m.Metadata.Priority; pr != "" && pr != messages.Normal {
		kind += "/" + string(pr)
	}
	colour := cyan
	if m.Type == messages.TaskFailed || m.Type == messages.TypeError {
		colour = red
	}
	return fmt.Sprintf("%s  %s  %s", p.who(m.From, m.To), p.paint(colour, kind), text)
}

func (p *printer) thought(u messages.Utterance) string {
	n := thinkings[p.thinking]
	if n < 0 {
		return ""
	}
	text := clean(u.Text)
	if n > 0 {
		text = short(text, n)
	}
	return fmt.Sprintf("%s  %s", p.paint(bold, string(u.From)), p.paint(dim, "("+p.say("thinks")+") "+text))
}

func (p *printer) who(from, to messages.Address) string {
	return p.paint(bold, string(from)) + " → " + p.paint(bold, string(to))
}

func read[T any](e messages.Event) (v T, err error) {
	err = json.Unmarshal(e.Data, &v)
	return v, err
}

// clean makes one harmless line of a text: an agent's output must not move the
// cursor of whoever reads it.
func clean(s string) string {
	return strings.Join(strings.Fields(harmless(s)), " ")
}

func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(harmless(s)), "\n", "\n        ")
}

// short cuts a text to n characters.
func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

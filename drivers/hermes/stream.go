package hermes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// shown is how much of a line a warning shows.
const shown = 200

// show words a warning about a line: why, and its head.
func show(why string, line []byte) string {
	return why + ": " + strings.ToValidUTF8(string(line[:min(len(line), shown)]), "\uFFFD")
}

// parting is how long we wait for the end of what has ended.
const parting = 100 * time.Millisecond

// A listener hears an answer while it comes.
type listener struct {
	delta func(text string)
	warn  func(text string)
	line  func(text string) // nil where nobody wants the lines
	alive func()            // it speaks
}

// chat asks the model and hears its answer out. A service that refuses something
// that can be done without is asked once more without it. All errors are failures.
func (c *client) chat(ctx context.Context, m *manners, r request, l Limits, to listener) (*answer, error) {
	d := dialectOf(c.place)
	for {
		r.quirks = m.get(r.model)
		if r.quirks.has(noTools) {
			r.tools = nil
		}
		body, err := d.encode(r)
		if err != nil {
			return nil, failed(messages.ClassInvalid, "encode request: %v", err)
		}
		a, err := c.converse(ctx, d, body, l, to)
		var f *failure
		if !errors.As(err, &f) {
			return a, err
		}
		quirk, ok := f.quirk(r)
		if !ok {
			return nil, f
		}
		m.learn(r.model, quirk)
		if quirk == noTools { // the whole conversation is another then
			return nil, errNoTools
		}
	}
}

// errNoTools means that the model's service has just shown that it has no tools.
var errNoTools = errors.New("the model's service has no tool calls")

// converse makes one request.
func (c *client) converse(ctx context.Context, d dialect, body []byte, l Limits, to listener) (*answer, error) {
	ctx, stall := context.WithCancelCause(ctx)
	defer stall(nil)
	watch := time.AfterFunc(l.Load, func() { stall(errStalled) })
	defer watch.Stop()
	res, err := c.ask(ctx, c.base+d.path(), body)
	if err != nil {
		return nil, err
	}
	defer func() {
		watch.Reset(parting)
		_, _ = io.CopyN(io.Discard, res.Body, 4<<10) // who is read to the end is asked again on the same line
		_ = res.Body.Close()
	}()
	whole, err := streamed(res)
	if err != nil {
		return nil, err
	}
	h := &hearing{client: c, dialect: d, limits: l, to: to, answer: &answer{}}
	from := &io.LimitedReader{R: res.Body, N: raw(l.MaxAnswerBytes)}
	if whole {
		text, err := io.ReadAll(io.LimitReader(from, longestLine))
		if err != nil {
			return nil, c.broken(ctx, err)
		}
		if err := h.hear(process.Line{Text: text}); err != nil {
			return nil, err
		}
		return h.end()
	}
	lines := process.NewReader(from, longestLine)
	for !h.answer.done {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF) && from.N <= 0:
			return nil, failed(messages.ClassProtocol, "the model's service sends without end: more than %d bytes for one answer", raw(l.MaxAnswerBytes))
		case errors.Is(err, io.EOF), err != nil && h.answer.ended: // some hold the line when all is said
			return h.end()
		case err != nil:
			return nil, c.broken(ctx, err)
		}
		watch.Reset(l.Stall)
		to.alive()
		if err := h.hear(line); err != nil {
			return nil, err
		}
	}
	return h.end()
}

// streamed looks what kind of answer this is; whole is one that is not streamed.
func streamed(res *http.Response) (whole bool, err error) {
	said := res.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(said)
	switch kind {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "text/event-stream", "":
		return false, nil
	case "application/json":
		return true, nil
	}
	return false, failed(messages.ClassProtocol, "the endpoint answers with %q, which no model's service does", messages.Cut(said, 100))
}

// A hearing is one answer being heard.
type hearing struct {
	client   *client
	dialect  dialect
	limits   Limits
	to       listener
	answer   *answer
	warnings int
}

func (h *hearing) hear(line process.Line) error {
	if h.to.line != nil && len(line.Text) > 0 {
		h.to.line(h.client.hide(strings.ToValidUTF8(string(line.Text), "\uFFFD")))
	}
	if line.Truncated {
		h.warn(show("a line was too long and was cut", line.Text))
		return nil
	}
	p, err := h.dialect.hear(line.Text, h.answer)
	if err != nil {
		return fmt.Errorf("hear answer: %w", err)
	}
	if p.warning != "" {
		h.warn(p.warning)
	}
	if h.answer.size > h.limits.MaxAnswerBytes {
		return failed(messages.ClassProtocol, "the answer is longer than max_answer_bytes = %d", h.limits.MaxAnswerBytes)
	}
	if p.text != "" {
		h.to.delta(p.text)
	}
	return nil
}

func (h *hearing) warn(text string) {
	if h.warnings++; h.warnings <= mostWarnings {
		h.to.warn(h.client.hide(text))
	}
}

// end is the answer, if it has one.
func (h *hearing) end() (*answer, error) {
	switch a := h.answer; {
	case !a.ended:
		return nil, failed(messages.ClassServer, "the answer broke off")
	case a.censor:
		return nil, failed(messages.ClassInvalid, "the model's service would not let it answer: %s", messages.Cut(a.text.String(), longestReason))
	}
	return h.answer, nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"kurogo/config"
	"kurogo/messages"
)

// How hard a notice is carried: three tries, each in its time, and none to
// somebody who would hear it as old news.
const (
	noticeTries = 3
	noticeWait  = time.Second // before the second try; the third waits four times as long
	noticeTime  = 10 * time.Second
	noticeStale = 10 * time.Minute
	noticeTitle = 200 // bytes
	noticesTold = 4096
)

// A notice is what is posted to the webhook.
type notice struct {
	Event   config.Notice `json:"event"` // finish, failure, approval
	Kind    string        `json:"kind"`  // task, agent, evaluation, run; of an approval what it is about
	ID      string        `json:"id"`
	Title   string        `json:"title"`
	Status  string        `json:"status"`
	Error   string        `json:"error,omitempty"`
	Project string        `json:"project"`
	URL     string        `json:"url,omitempty"` // on the stage
	At      time.Time     `json:"at"`
	Seq     int64         `json:"seq"`  // of the event in the journal: the same one is never another
	Text    string        `json:"text"` // all of it in a sentence, for rooms that show only that
}

// A crier tells a webhook what has ended and what waits for a person. It hears
// the journal like anybody else: who does not answer holds up nothing but itself.
type crier struct {
	notify  config.Notify
	project string
	stage   func(path string) string // where a page of the stage is; "" nowhere
	watch   func(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error]
	client  *http.Client
	log     *slog.Logger
	told    map[string]bool // what was told and may be written again
}

// noticed are the events of which anything may be told.
var noticed = []messages.EventKind{
	messages.TaskUpdated, messages.AgentEnded, messages.ApprovalAsked, messages.ApprovalAnswered,
	messages.JobEvaluation.Event(messages.JobConcluded), messages.JobRun.Event(messages.JobConcluded),
}

// cry begins to tell, if somebody is to be told. What it returns ends that, and
// waits until it has ended.
func (h *house) cry(ctx context.Context) (hush func()) {
	if h.cfg.Notify.Webhook == "" {
		return func() {}
	}
	c := newCrier(h.cfg.Notify, h.site.project, h.Watch, h.log)
	if h.edge != nil {
		c.stage = h.edge.url
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	since := h.store.Last()
	go func() {
		defer close(done)
		c.run(ctx, since)
	}()
	return func() {
		cancel()
		<-done
	}
}

func newCrier(n config.Notify, project string, watch func(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error], log *slog.Logger) *crier {
	return &crier{
		notify: n, project: project, watch: watch, log: log, told: map[string]bool{},
		stage: func(string) string { return "" },
		client: &http.Client{
			Timeout: noticeTime,
			// Whoever was named is told, and nobody to whom he points.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// run tells what happens behind since, until ctx ends.
func (c *crier) run(ctx context.Context, since int64) {
	defer c.client.CloseIdleConnections()
	for e, err := range c.watch(ctx, messages.Topic{Kinds: noticed}, since) {
		if err != nil {
			if ctx.Err() == nil {
				c.log.Warn("notices end", "err", err)
			}
			return
		}
		n, ok := c.read(e)
		if !ok || !slices.Contains(c.notify.On, n.Event) {
			continue
		}
		if late := time.Since(e.At); late > noticeStale {
			c.log.Warn("a notice is too old to be told", "kind", n.Kind, "id", n.ID, "late", late.Round(time.Second))
			continue
		}
		if err := c.carry(ctx, n); err != nil && ctx.Err() == nil {
			c.log.Warn("nobody took a notice", "webhook", c.host(), "kind", n.Kind, "id", n.ID, "err", err)
		}
	}
}

// read makes a notice of an event, if it is one. Whoever cancels something knows.
func (c *crier) read(e messages.Event) (n notice, ok bool) {
	n = notice{ID: e.ID, Project: c.project, At: e.At, Seq: e.Seq}
	switch e.Kind {
	case messages.TaskUpdated:
		ok = c.task(&n, e.Data)
	case messages.AgentEnded:
		ok = c.agent(&n, e.Data)
	case messages.ApprovalAsked:
		ok = c.approval(&n, e.Data)
	case messages.ApprovalAnswered:
		delete(c.told, "approval "+e.ID)
	default:
		ok = c.job(&n, e.Data)
	}
	if !ok || n.Event == "" {
		return n, false
	}
	n.Title, n.Error = oneLine(n.Title), oneLine(n.Error)
	n.Text = fmt.Sprintf("%s %s: %s", n.Kind, n.Status, n.Title)
	if n.Error != "" {
		n.Text += " (" + n.Error + ")"
	}
	return n, true
}

// task tells of what somebody asked the crew for: not of its parts, and not of
// what is seen with an agent or a job.
func (c *crier) task(n *notice, data json.RawMessage) bool {
	var t messages.Task
	if json.Unmarshal(data, &t) != nil || t.Depth > 0 || !t.Status.Final() || !c.first("task "+n.ID) {
		return false
	}
	_, agent := t.Owner.Agent()
	_, _, job := t.Owner.Job()
	n.Kind, n.Title, n.Status, n.URL = "task", t.Content, string(t.Status), c.stage("/tasks/"+url.PathEscape(n.ID))
	if n.Event = outcome(t.Status == messages.Completed, t.Status == messages.Cancelled); n.Event == config.NoticeFailure {
		n.Error = t.Result
	}
	return !agent && !job
}

// agent tells of an agent of a group; those of a job are the job's affair.
func (c *crier) agent(n *notice, data json.RawMessage) bool {
	var a messages.Agent
	if json.Unmarshal(data, &a) != nil || !c.first("agent "+n.ID) {
		return false
	}
	_, _, job := a.CreatedBy.Job()
	how := a.Outcome
	if how == "" {
		how = a.Status
	}
	n.Kind, n.Title, n.Status, n.URL = "agent", a.Role+": "+a.Prompt, string(how), c.stage("/agents/"+url.PathEscape(n.ID))
	if n.Event = outcome(how == messages.AgentCompleted, how == messages.AgentCancelled); n.Event == config.NoticeFailure {
		n.Error = a.Run.Error
	}
	return !job
}

func (c *crier) job(n *notice, data json.RawMessage) bool {
	var j messages.Job
	if json.Unmarshal(data, &j) != nil || !c.first("job "+n.ID) {
		return false
	}
	kind, page := "run", "/runs/"
	if j.Kind == messages.JobEvaluation {
		kind, page = "evaluation", "/evals/"
	}
	n.Kind, n.Title, n.Status, n.Error, n.URL = kind, j.Title, string(j.Status), j.Error, c.stage(page+url.PathEscape(n.ID))
	n.Event = outcome(j.Status == messages.JobCompleted, j.Status == messages.JobCancelled)
	return true
}

// approval tells a question once, however often it is written again before its
// answer.
func (c *crier) approval(n *notice, data json.RawMessage) bool {
	var a messages.Approval
	if json.Unmarshal(data, &a) != nil || !c.first("approval "+n.ID) {
		return false
	}
	n.Event, n.Kind, n.Title, n.Status, n.URL = config.NoticeApproval, string(a.Kind), a.Content, "waiting", c.stage("/approvals")
	if n.Title == "" {
		n.Title = "the budget is spent"
	}
	return true
}

// first reports whether something is to be told for the first time.
func (c *crier) first(what string) bool {
	if c.told[what] {
		return false
	}
	if len(c.told) >= noticesTold {
		clear(c.told)
	}
	c.told[what] = true
	return true
}

func outcome(well, cancelled bool) config.Notice {
	switch {
	case cancelled:
		return ""
	case well:
		return config.NoticeFinish
	}
	return config.NoticeFailure
}

// oneLine is the beginning of a text, in one line.
func oneLine(text string) string {
	return messages.Cut(strings.Join(strings.Fields(messages.Cut(text, 4*noticeTitle)), " "), noticeTitle)
}

// errRefused ends the tries: asking again would be answered the same.
var errRefused = errors.New("it was refused")

// carry posts a notice, and tries again where that may help.
func (c *crier) carry(ctx context.Context, n notice) error {
	body, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode notice: %w", err)
	}
	wait := noticeWait
	for try := 1; ; try++ {
		err = c.post(ctx, body)
		if err == nil || errors.Is(err, errRefused) || try == noticeTries {
			return err
		}
		select {
		case <-time.After(wait):
			wait *= 4
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *crier) post(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.notify.Webhook, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: the address cannot be called", errRefused)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "kurogo/"+version)
	res, err := c.client.Do(r)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err // the whole of it names the address, which may hold a secret
		}
		return fmt.Errorf("post notice: %w", err)
	}
	_, _ = io.CopyN(io.Discard, res.Body, 64<<10) // so that the connection can be used again
	_ = res.Body.Close()
	switch code := res.StatusCode; {
	case code < 300:
		return nil
	case code == http.StatusRequestTimeout, code == http.StatusTooManyRequests, code >= 500:
		return fmt.Errorf("post notice: it answers %s", res.Status)
	default:
		return fmt.Errorf("%w: it answers %s", errRefused, res.Status)
	}
}

// host is who is told, without what else the address says.
func (c *crier) host() string {
	u, err := url.Parse(c.notify.Webhook)
	if err != nil {
		return "?"
	}
	return u.Host
}

package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// An Archive reads what the journal holds.
type Archive interface {
	Task(ctx context.Context, id messages.TaskID) (messages.TaskTree, error)
	Tasks(ctx context.Context, q messages.ListTasks) ([]messages.Task, error)
	Messages(ctx context.Context, q messages.ListMessages) (messages.Conversation, error)
	Message(ctx context.Context, id messages.MessageID) (messages.CCMessage, error)
	Log(ctx context.Context, q messages.ListLog) ([]messages.LogRow, error)
	Inbox(ctx context.Context, who messages.Address) (int, error)
	Approvals(ctx context.Context) ([]messages.Approval, error)
	Cost(ctx context.Context, q messages.GetCost) (messages.Cost, error)
	Ledger(ctx context.Context, task messages.TaskID) (messages.Ledger, error)
	History(ctx context.Context, q messages.ListHistory) (messages.History, error)
	Check(ctx context.Context) (messages.JournalReport, error)
}

// Desk answers what the edge asks. It is no actor: senders commit for
// themselves, each in its own goroutine, so that they share commits.
type Desk struct {
	Hierarchy messages.Hierarchy
	Limits    messages.Limits
	Send      time.Duration // timeouts.message_send: asked to accepted
	Journal   Journal
	Archive   Archive
	Clock     Clock
	NewID     func() messages.MessageID
	Root      *actor.RootContext
	Home      func(messages.Address) *actor.PID
}

// personaAnswer bounds how long a persona may take to say how it is.
const personaAnswer = 2 * time.Second

// Ask answers one request. Errors are *messages.Error.
func (d *Desk) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	switch m := m.(type) {
	case messages.Submit:
		return d.submit(ctx, m)
	case messages.CancelTask:
		return d.cancel(ctx, m)
	case messages.GetTask:
		return d.Archive.Task(ctx, m.Task)
	case messages.ListTasks:
		tasks, err := d.Archive.Tasks(ctx, m)
		return messages.Tasks{Tasks: tasks}, err
	case messages.ListMessages:
		return d.Archive.Messages(ctx, m)
	case messages.GetMessage:
		return d.Archive.Message(ctx, m.Message)
	case messages.ListLog:
		rows, err := d.Archive.Log(ctx, m)
		return messages.CommunicationLog{Rows: rows}, err
	case messages.ListApprovals:
		list, err := d.Archive.Approvals(ctx)
		return messages.Approvals{Approvals: list}, err
	case messages.ResumeTask:
		return d.resume(ctx, m)
	case messages.GetCost:
		return d.Archive.Cost(ctx, m)
	case messages.GetLedger:
		return d.Archive.Ledger(ctx, m.Task)
	case messages.ListHistory:
		return d.Archive.History(ctx, m)
	case messages.GetCrew:
		return d.crew(ctx)
	case messages.GetMember:
		return d.member(ctx, m.Name)
	case messages.StopPersona:
		return d.order(m.Name, m)
	case messages.StartPersona:
		return d.order(m.Name, m)
	case messages.CheckJournal:
		return d.Archive.Check(ctx)
	}
	return nil, messages.Invalid("kind", "%q is nothing that can be asked", messages.KindOf(m))
}

// submit fills in what the client left out and has the message accepted.
func (d *Desk) submit(ctx context.Context, s messages.Submit) (messages.Message, error) {
	m, now := s.Message, d.Clock.Now()
	if m.ID == "" {
		m.ID = d.NewID()
	}
	if m.From == "" {
		m.From = messages.User
	}
	if m.Type == "" {
		m.Type = messages.TaskRequest
	}
	if tops := d.Hierarchy.Tops(); m.To == "" && len(tops) > 0 {
		m.To = tops[0]
	}
	m.To, _ = d.Hierarchy.Resolve(m.To)
	m.Timestamp, m.Metadata.Timestamp = now, now
	c := messages.Accept{Message: m, Key: s.Key, Now: now}
	err := m.Check(d.Limits)
	if err == nil {
		err = Route(d.Hierarchy, m, "")
	}
	switch {
	case err != nil:
	case s.Deadline < 0:
		err = messages.Invalid("deadline", "%s has already passed", s.Deadline).Try("give a positive duration, or leave it out")
	case s.Deadline > 0:
		c.Deadline = now.Add(s.Deadline)
	}
	if err != nil {
		d.refused(ctx, m, err)
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.Send)
	defer cancel()
	out, err := d.Journal.Commit(ctx, c)
	if err != nil {
		d.refused(context.WithoutCancel(ctx), m, err)
		return nil, err
	}
	return out.Accepted, nil
}

// refused logs a message that was not accepted. That nobody could write the row
// changes nothing for the client, who hears the refusal itself.
func (d *Desk) refused(ctx context.Context, m messages.CCMessage, err error) {
	_, _ = d.Journal.Commit(ctx, messages.Observe{Log: []messages.LogRow{{
		Timestamp: m.Timestamp, From: m.From, To: m.To, Type: m.Type, Size: m.Size(), Error: messages.AsError(err).Error(), Level: messages.LogErr,
	}}})
}

func (d *Desk) cancel(ctx context.Context, m messages.CancelTask) (messages.Message, error) {
	if _, err := d.Journal.Commit(ctx, messages.Cancel{Task: m.Task, Reason: m.Reason, Now: d.Clock.Now()}); err != nil {
		return nil, err
	}
	return d.Archive.Task(ctx, m.Task)
}

func (d *Desk) resume(ctx context.Context, m messages.ResumeTask) (messages.Message, error) {
	if m.Micros < 0 {
		return nil, messages.Invalid("usd", "money cannot be taken back").Try("give a positive amount, or leave it out")
	}
	out, err := d.Journal.Commit(ctx, messages.Resume{Task: m.Task, Micros: m.Micros, Now: d.Clock.Now()})
	return out.Resumed, err
}

// crew lists the members from the top of the hierarchy down.
func (d *Desk) crew(ctx context.Context) (messages.Message, error) {
	var crew messages.Crew
	var below func(messages.Address) error
	below = func(superior messages.Address) error {
		for _, name := range d.Hierarchy.Names() {
			if d.Hierarchy[name].ReportsTo != superior {
				continue
			}
			m, err := d.member(ctx, name)
			if err != nil {
				return err
			}
			crew.Members = append(crew.Members, m)
			if err := below(name); err != nil {
				return err
			}
		}
		return nil
	}
	return crew, below(messages.User)
}

func (d *Desk) member(ctx context.Context, name messages.Address) (messages.Member, error) {
	name, ok := d.Hierarchy.Resolve(name)
	spec := d.Hierarchy[name]
	if !ok || name == messages.User {
		return messages.Member{}, d.stranger(name)
	}
	m := messages.Member{Name: name, Title: spec.Title, Driver: spec.Driver, Model: spec.Model, ReportsTo: spec.ReportsTo, State: messages.PersonaBackoff}
	if answer, err := d.ask(name, messages.GetMember{Name: name}); err != nil {
		m.LastError = "it does not answer: " + err.Error()
	} else if known, ok := answer.(messages.Member); ok {
		m = known
	}
	var err error
	m.Inbox, err = d.Archive.Inbox(ctx, name)
	return m, err
}

// order tells a persona what a person wants of it.
func (d *Desk) order(name messages.Address, m messages.Message) (messages.Message, error) {
	name, ok := d.Hierarchy.Resolve(name)
	if !ok || name == messages.User {
		return nil, d.stranger(name)
	}
	answer, err := d.ask(name, m)
	if err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "%s does not answer: %v", name, err).Try("see kurogo crew, try again")
	}
	if e, ok := answer.(messages.Error); ok {
		return nil, &e
	}
	return answer, nil
}

func (d *Desk) ask(name messages.Address, m messages.Message) (messages.Message, error) {
	answer, err := d.Root.RequestFuture(d.Home(name), m, personaAnswer).Result()
	if err != nil {
		return nil, err
	}
	word, _ := answer.(messages.Message)
	return word, nil
}

func (d *Desk) stranger(name messages.Address) error {
	return messages.Errorf(messages.CodeNotFound, "nobody is called %s", name).Try("name one of " + names(d.Hierarchy.Names()))
}

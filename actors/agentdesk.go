package actors

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// An AgentDesk answers what the edge asks of groups, agents and roles. Like the desk
// it is no actor: whoever asks commits for himself.
type AgentDesk struct {
	Company
	DefaultTimeout time.Duration // limits.default_timeout
	Root           *actor.RootContext
	// Place says where an agent works that was asked to work in dir. Errors:
	// invalid when it is no directory or outside of what is allowed.
	Place func(dir string) (string, error)
	// Read is a piece of an agent's stream. Errors: not_found, invalid.
	Read func(ctx context.Context, agent messages.AgentID, stream string, offset int64, limit int) (messages.StreamChunk, error)
}

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *AgentDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.CreateGroup:
		answer, err = d.createGroup(ctx, m)
	case messages.DeleteGroup:
		answer, err = d.deleteGroup(ctx, m)
	case messages.GetGroup:
		answer, err = d.Archive.Group(ctx, m.Group)
	case messages.ListGroups:
		answer, err = d.Archive.Groups(ctx, m)
	case messages.RunAgents:
		answer, err = d.runAgents(ctx, m)
	case messages.ListAgents:
		answer, err = d.listAgents(ctx, m)
	case messages.GetAgent:
		answer, err = d.getAgent(ctx, m)
	case messages.CancelAgent:
		answer, err = d.cancelAgent(ctx, m)
	case messages.ReportResult:
		answer, err = d.reportResult(ctx, m)
	case messages.LendSlot:
		answer, err = d.request(ctx, d.Admission, m)
	case messages.ListRoles:
		answer, err = d.listRoles(ctx, m)
	case messages.CheckRoles:
		answer, err = d.request(ctx, d.Checkup, m)
	case messages.ReadStream:
		answer, err = d.readStream(ctx, m)
	default:
		return nil, false, nil
	}
	return answer, true, err
}

// patience bounds how long an actor may take to answer; an agent that wants its
// slot back waits as long as its caller does.
const patience = 10 * time.Minute

func (d *AgentDesk) request(ctx context.Context, who *actor.PID, m messages.Message) (messages.Message, error) {
	future := d.Root.RequestFuture(who, m, patience)
	done := make(chan struct{})
	var answer any
	var err error
	go func() {
		defer close(done)
		answer, err = future.Result()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "%s does not answer: %v", who.Id, err).Try("try again")
	}
	if e, failed := answer.(messages.Error); failed {
		return nil, &e
	}
	word, _ := answer.(messages.Message)
	return word, nil
}

// descriptionBytes bounds what a group is for, in a sentence.
const descriptionBytes = 4 << 10

func (d *AgentDesk) createGroup(ctx context.Context, m messages.CreateGroup) (messages.Message, error) {
	if err := ownerOnly(m.By, "create a group"); err != nil {
		return nil, err
	}
	if err := checkText("description", m.Description, descriptionBytes); err != nil {
		return nil, err
	}
	out, err := d.Journal.Commit(ctx, messages.OpenGroup{Description: m.Description, By: m.By.Address(), Key: m.Key, Now: d.Clock.Now()})
	return out.Group, err
}

func (d *AgentDesk) deleteGroup(ctx context.Context, m messages.DeleteGroup) (messages.Message, error) {
	if err := ownerOnly(m.By, "delete a group"); err != nil {
		return nil, err
	}
	if m.Group == "" {
		return nil, noGroupNamed()
	}
	out, err := d.Journal.Commit(ctx, messages.CloseGroup{Group: m.Group, Now: d.Clock.Now()})
	return out.Group, err
}

func noGroupNamed() error {
	return messages.Invalid("groupId", "no group is named").Try("create one with create_group and give its groupId")
}

// runAgents decides everything about every agent before it accepts any.
func (d *AgentDesk) runAgents(ctx context.Context, m messages.RunAgents) (messages.Message, error) {
	if m.Group == "" {
		return nil, noGroupNamed()
	}
	if err := d.ownGroup(ctx, m.By, m.Group); err != nil {
		return nil, err
	}
	c := messages.OrderAgents{Group: m.Group, By: m.By.Address(), Key: m.Key, Now: d.Clock.Now()}
	if len(m.Stages) == 0 {
		return nil, messages.Invalid("stages", "there are none").Try("give at least one stage with one task")
	}
	roles, err := d.roles(ctx)
	if err != nil {
		return nil, err
	}
	for i, orders := range m.Stages {
		if len(orders) == 0 {
			return nil, messages.Invalid(field(m, i, -1, ""), "it is empty").Try("give at least one agent, or leave the stage out")
		}
		var drafts []messages.Draft
		for j, o := range orders {
			draft, err := d.draft(o, m.By, roles)
			if err != nil {
				e := messages.AsError(err)
				e.Field = field(m, i, j, e.Field)
				return nil, e
			}
			drafts = append(drafts, draft)
		}
		c.Stages = append(c.Stages, drafts)
	}
	out, err := d.Journal.Commit(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, a := range out.Agents {
		d.Keys.lend(a.ID.Address(), m.By.Env)
	}
	return messages.Agents{Agents: out.Agents, Total: len(out.Agents)}, nil
}

// field names an argument as the caller wrote it: one agent, several, or stages.
func field(m messages.RunAgents, stage, order int, name string) string {
	var path string
	switch {
	case len(m.Stages) > 1:
		path = fmt.Sprintf("stages[%d]", stage)
		if order >= 0 {
			path += fmt.Sprintf(".tasks[%d]", order)
		}
	case len(m.Stages[0]) > 1:
		path = fmt.Sprintf("agents[%d]", order)
	case order < 0:
		return "agents"
	default:
		return name
	}
	if name != "" {
		path += "." + name
	}
	return path
}

const (
	timeoutLeast = time.Second
	timeoutMost  = 24 * time.Hour
)

func (d *AgentDesk) draft(o messages.Order, by messages.Caller, roles map[string]messages.RoleState) (none messages.Draft, err error) {
	if o.Role == "" {
		return none, messages.Invalid("role", "no role is named").Try("see list_roles")
	}
	role, ok := roles[o.Role]
	if !ok {
		return none, noRole(o.Role, d.book())
	}
	if why := Unavailable(role); why != "" {
		e := messages.Errorf(messages.CodeUnavailable, "the role %s cannot be run: %s", o.Role, why).Try("see list_roles, or change roles." + o.Role + " in kurogo.toml")
		e.Field = "role"
		return none, e
	}
	if err := checkText("prompt", o.Prompt, d.Limits.MessageBytes); err != nil {
		return none, err
	}
	if o.Timeout == 0 {
		o.Timeout = d.DefaultTimeout
	}
	if o.Timeout < timeoutLeast || o.Timeout > timeoutMost {
		return none, messages.Invalid("timeout_ms", "%d is out of range", o.Timeout.Milliseconds()).
			Try(fmt.Sprintf("give %d to %d milliseconds, or leave it out", timeoutLeast.Milliseconds(), timeoutMost.Milliseconds()))
	}
	if o.Dir == "" {
		o.Dir = by.Dir
	}
	dir, err := d.Place(o.Dir)
	if err != nil {
		e := messages.AsError(err)
		e.Field = "workingDirectory"
		return none, e
	}
	isolation := role.Isolation
	if isolation == "" {
		isolation = messages.IsolationNone
	}
	return messages.Draft{
		Role: o.Role, Driver: role.Driver, Model: role.Model, Prompt: o.Prompt, Dir: dir, Timeout: o.Timeout, Isolation: isolation,
		Rehearsal: d.Rehearsed(role.Driver),
	}, nil
}

func checkText(name, text string, most int) error {
	switch {
	case strings.TrimSpace(text) == "":
		return messages.Invalid(name, "it is empty").Try("say what it is about")
	case !utf8.ValidString(text):
		return messages.Invalid(name, "the text is not UTF-8").Try("send UTF-8")
	case len(text) > most:
		return messages.Invalid(name, "%d bytes are over the limit of %d", len(text), most).Try("shorten it, or put it into a file that the agent reads")
	}
	return nil
}

func (d *AgentDesk) listRoles(ctx context.Context, m messages.ListRoles) (messages.Message, error) {
	if all := d.Listed.Load(); all != nil && !m.Prompts {
		return *all, nil
	}
	return d.request(ctx, d.Checkup, m)
}

func (d *AgentDesk) roles(ctx context.Context) (map[string]messages.RoleState, error) {
	answer, err := d.listRoles(ctx, messages.ListRoles{})
	if err != nil {
		return nil, err
	}
	list, _ := answer.(messages.Roles)
	out := map[string]messages.RoleState{}
	for _, r := range list.Roles {
		out[r.ID] = r
	}
	return out, nil
}

func (d *AgentDesk) listAgents(ctx context.Context, m messages.ListAgents) (messages.Message, error) {
	if m.By.Agent != "" {
		own, err := d.Archive.Agent(ctx, m.By.Agent)
		if err != nil {
			return nil, err
		}
		if m.Group == "" {
			m.Group = own.Group
		}
		if m.Group != own.Group {
			return nil, foreign(m.By)
		}
	}
	return d.Archive.Agents(ctx, m)
}

func (d *AgentDesk) getAgent(ctx context.Context, m messages.GetAgent) (messages.Message, error) {
	return d.agent(ctx, m.Agent, m.By)
}

// agent reads an agent that the caller may see.
func (d *AgentDesk) agent(ctx context.Context, id messages.AgentID, by messages.Caller) (messages.AgentDetail, error) {
	if id == "" {
		return messages.AgentDetail{}, messages.Invalid("agentId", "no agent is named").Try("give the agentId that run_agent returned")
	}
	a, err := d.Archive.Agent(ctx, id)
	if err == nil {
		err = d.ownGroup(ctx, by, a.Group)
	}
	if err != nil {
		return messages.AgentDetail{}, err
	}
	if a.Result != nil {
		a.Result.Raw = "kurogo logs " + string(id)
	}
	return a, nil
}

func (d *AgentDesk) cancelAgent(ctx context.Context, m messages.CancelAgent) (messages.Message, error) {
	if err := ownerOnly(m.By, "cancel an agent"); err != nil {
		return nil, err
	}
	a, err := d.agent(ctx, m.Agent, m.By)
	if err != nil {
		return nil, err
	}
	if _, err := d.Journal.Commit(ctx, messages.Cancel{Task: a.Task, Reason: m.Reason, Now: d.Clock.Now()}); err != nil {
		return nil, err
	}
	a, err = d.agent(ctx, m.Agent, m.By)
	return a.Agent, err
}

func (d *AgentDesk) reportResult(ctx context.Context, m messages.ReportResult) (messages.Message, error) {
	if m.By.Agent != "" && m.By.Agent != m.Agent {
		e := messages.Errorf(messages.CodeDenied, "you are the agent %s, not %s", m.By.Agent, m.Agent).Try("report with your own agentId")
		e.Field = "agentId"
		return nil, e
	}
	if m.Agent == "" {
		return nil, messages.Invalid("agentId", "no agent is named").Try("give your own agentId")
	}
	if err := CheckReport(m.Report); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"summary": m.Summary, "response": m.Response, "errorMessage": m.Error} {
		if len(text) > d.Limits.MessageBytes {
			return nil, messages.TooLarge(name, "message_bytes", len(text), d.Limits.MessageBytes)
		}
	}
	if _, err := d.Journal.Commit(ctx, messages.KeepReport{Agent: m.Agent, Report: m.Report, Now: d.Clock.Now()}); err != nil {
		return nil, err
	}
	return messages.Reported{Agent: m.Agent}, nil
}

func (d *AgentDesk) readStream(ctx context.Context, m messages.ReadStream) (messages.Message, error) {
	a, err := d.agent(ctx, m.Agent, m.By)
	if err != nil {
		return nil, err
	}
	chunk, err := d.Read(ctx, m.Agent, m.Stream, m.Offset, m.Limit)
	if err != nil {
		return nil, err
	}
	if a.Outcome != "" && chunk.Size == 0 { // it ended before it said anything
		chunk.Ended = true
	}
	return chunk, nil
}

// ownGroup lets an agent into its own group only; the owner may go everywhere.
func (d *AgentDesk) ownGroup(ctx context.Context, by messages.Caller, group messages.GroupID) error {
	if by.Agent == "" {
		return nil
	}
	own, err := d.Archive.Agent(ctx, by.Agent)
	if err == nil && own.Group != group {
		err = foreign(by)
	}
	return err
}

func foreign(by messages.Caller) error {
	e := messages.Errorf(messages.CodeDenied, "the agent %s belongs to another group", by.Agent).Try("use the groupId that your instructions name")
	e.Field = "groupId"
	return e
}

func ownerOnly(by messages.Caller, what string) error {
	if by.Agent == "" {
		return nil
	}
	return messages.Errorf(messages.CodeDenied, "an agent may not %s", what).Try("end your work and report what is needed")
}

package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
	"kurogo/stores/logs"
	"kurogo/stores/sqlite"
	"kurogo/supervisors"
	"kurogo/transport/local"
)

// exitJournal ends a process whose journal could not be written to the disk:
// restarting is the tested way to find out what is there.
const exitJournal = 70

// A house is everything that runs behind one socket. It holds the lock of its
// state directory as long as it is open.
type house struct {
	site      site
	cfg       config.Config
	log       *slog.Logger
	release   func()
	store     *sqlite.Store
	logs      *logs.Logs
	tree      *supervisors.Tree
	desk      *actors.Desk
	agents    *actors.AgentDesk
	workshop  *workshop // nil: nobody can order a run yet
	desks     []desk
	gateway   *gateway // nil: not yet open
	library   *library // nil: the project has no index
	edge      *edge    // nil: nobody comes by network
	rehearsal bool
	begun     time.Time
	leave     chan struct{} // closed when somebody asks the house to stop
	once      sync.Once
}

// openHouse takes the lock, opens the journal, sweeps what former lives left
// behind and starts the tree. public opens the house to the network, too.
func openHouse(ctx context.Context, s site, cfg config.Config, log *slog.Logger, public bool) (*house, error) {
	release, err := takeOver(ctx, s)
	if err != nil {
		return nil, err
	}
	h := &house{site: s, cfg: cfg, log: log, release: release, begun: time.Now(), leave: make(chan struct{})}
	if err := h.open(ctx, public); err != nil {
		return nil, errors.Join(err, h.close(context.WithoutCancel(ctx)))
	}
	return h, nil
}

// leaving is how long the lock may outlive its owner: it stops in order, or it
// fell while a child of it was between fork and exec and had the lock's file.
const leaving = grace + time.Second

// takeOver takes the lock of the state directory, and waits for a former owner
// who serves no more but has not gone yet.
func takeOver(ctx context.Context, s site) (release func(), err error) {
	if err := s.writable(); err != nil {
		return nil, err
	}
	late := time.After(leaving)
	for {
		release, err = local.Lock(s.lock())
		if !messages.IsCode(err, messages.CodeConflict) {
			return release, err
		}
		if client, dialled := local.Dial(ctx, s.socket(), hello()); dialled == nil {
			_ = client.Close()
			return nil, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-late:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (h *house) open(ctx context.Context, public bool) error {
	clock := actors.SystemClock{}
	tree := supervisors.New(clock, h.log)
	var err error
	h.store, err = sqlite.Open(ctx, h.site.journal(), sqlite.Options{
		Limits: h.cfg.MessageLimits(),
		Notify: func(n sqlite.Notice) { tree.Notify(n.Wakes, n.Interrupts, n.Due) },
		Fatal: func(err error) {
			h.log.Error("the disk failed under the journal", "err", err)
			os.Exit(exitJournal)
		},
	})
	if err != nil {
		return err
	}
	if err := process.Adopt(); err != nil {
		h.log.Warn("adopt orphans", "err", err)
	}
	if err := h.sweep(); err != nil {
		return err
	}
	pickDriver(ctx, &h.cfg, h.site)
	chosen, err := chooseDrivers(h.cfg, h.site)
	if err != nil {
		return err
	}
	h.rehearsal = chosen.rehearsal
	h.tree = tree
	if err := os.MkdirAll(h.site.stage(), 0o700); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "make stage: %v", err)
	}
	h.library = h.openLibrary(ctx)
	if err := tree.Start(ctx, h.store, h.casts(chosen, clock)); err != nil { //nolint:contextcheck // a library answers whole turns
		return err
	}
	h.desk = &actors.Desk{
		Hierarchy: h.cfg.Hierarchy(), Limits: h.cfg.MessageLimits(), Send: h.cfg.Timeouts.MessageSend,
		Journal: h.store, Archive: h.store, Clock: clock, NewID: newMessageID, Root: tree.Root(), Home: tree.Home,
	}
	if public {
		token, err := ensureToken(h.site)
		if err != nil {
			return err
		}
		if h.edge, err = openEdge(ctx, h.cfg.Server, token, h.log); err != nil {
			return err
		}
	}
	return h.hire(ctx, chosen, clock)
}

// hire starts the company of agents.
func (h *house) hire(ctx context.Context, chosen drivers, clock actors.Clock) (err error) {
	if h.logs, err = logs.Open(h.site.streams(), logs.Options{}); err != nil {
		return err
	}
	rooms, err := openRooms(ctx, h.site, chosen, h.store, h.log)
	if err != nil {
		return err
	}
	t, r := h.cfg.Timeouts, h.cfg.Reconnect
	company := actors.Company{
		Roles: map[string]messages.Role{}, Limits: h.cfg.MessageLimits(), Language: h.cfg.Language, Store: h.store.ID(),
		Timeouts: actors.Timeouts{ProcessStart: t.ProcessStart, Grace: grace},
		Backoff:  actors.Backoff{Initial: r.InitialDelay, Max: r.MaxDelay, Factor: r.BackoffFactor, Tries: r.MaxRetries, Jitter: 0.2},
		Working:  h.cfg.Limits.MaxConcurrent, Starting: max(2, runtime.NumCPU()),
		Journal: h.store, Archive: h.store, Clock: clock, Log: h.log, Crafts: chosen.crafts(h.cfg, h.log),
		Rooms: rooms, Streams: h.logs, Passes: h, Keys: actors.NewKeys(), MCP: h.mcpURL, Health: actors.HealthMode(h.cfg.HealthCheck),
		Rehearsed: func(driver string) bool { return chosen.kind[driver] == rehearsal.Kind },
	}
	h.workshop = h.openWorkshop(clock)
	company.Toolbox, company.Library = h.workshop, h.library.unasked() //nolint:contextcheck // a library answers whole turns
	for _, role := range roleList(h.cfg) {
		company.Roles[role.ID] = role
	}
	if h.edge == nil { // it is here for one task: nobody will ask for a role
		company.Health = actors.HealthOff
	}
	if company, err = h.tree.StartCompany(company); err != nil {
		return err
	}
	h.agents = &actors.AgentDesk{
		Company: company, DefaultTimeout: h.cfg.Limits.DefaultTimeout, Root: h.tree.Root(),
		Place: h.place,
		Read:  h.readStream,
	}
	h.gateway = h.openGateway(clock)
	h.desks = append(h.desks, h.agents, h.gateway)
	if h.library != nil {
		h.desks = append(h.desks, h.library)
	}
	return h.lead(company)
}

// place says where an agent works that is asked to work in dir. What an isolated
// agent orders works where that one does.
func (h *house) place(dir string) (string, error) {
	w := h.cfg.Workspace
	w.Roots = append(slices.Clone(w.Roots), h.site.worktrees())
	return w.Place(h.site.project, dir)
}

// serve opens the doors of a public house. presence hears whenever a connection
// comes or goes.
func (h *house) serve(presence func(delta int)) error {
	stage, err := h.tree.StartTransports()
	if err != nil {
		return err
	}
	return h.edge.serve(h, stage, presence)
}

// renew replaces the owner's token, on the disk and at the gate.
func (h *house) renew(ctx context.Context) (messages.Message, error) {
	token, err := rotateToken(h.site)
	if err == nil && h.edge != nil {
		err = h.edge.renew(ctx, token)
	}
	return messages.Done{}, err
}

// mcpURL is where agents find our tools.
func (h *house) mcpURL() string {
	if h.edge == nil {
		return ""
	}
	return h.edge.url(mcpPath)
}

// Issue gives a life of an agent its token.
func (h *house) Issue(agent messages.AgentID, epoch int) string {
	if h.edge == nil {
		return ""
	}
	return h.edge.passes.Issue(agent, epoch)
}

// Revoke takes it back, soon.
func (h *house) Revoke(agent messages.AgentID, epoch int) {
	if h.edge != nil {
		h.edge.passes.End(agent, epoch)
	}
}

// readStream also closes a log that nobody will: its owner fell between the end
// of the agent and that of the log, and whoever follows it would wait for ever.
func (h *house) readStream(ctx context.Context, agent messages.AgentID, stream string, offset int64, limit int) (messages.StreamChunk, error) {
	chunk, err := h.logs.Read(agent, stream, offset, limit)
	if err != nil || chunk.Ended || chunk.Next != chunk.Size {
		return chunk, err
	}
	a, err := h.store.Agent(ctx, agent)
	if err == nil && a.Outcome != "" && a.EndedAt.Before(h.begun) {
		chunk.Ended, err = true, h.logs.Close(agent)
	}
	return chunk, err
}

// sweep ends the processes of our own former lives. We hold the lock, so every
// life of this journal that is still there is one of those.
func (h *house) sweep() error {
	gone, err := process.Sweep(h.store.ID(), func(string) bool { return true })
	for _, f := range gone {
		h.log.Warn("ended a process of a former life", "pid", f.Pid, "command", f.Command, "life", f.Life)
	}
	if err != nil {
		return fmt.Errorf("sweep former lives: %w", err)
	}
	return nil
}

// casts gives every persona of the hierarchy what it needs.
func (h *house) casts(chosen drivers, clock actors.Clock) []actors.Cast {
	crew := h.cfg.Hierarchy()
	var casts []actors.Cast
	for _, name := range crew.Names() {
		spec := crew[name]
		t, r, dir := h.cfg.Timeouts, h.cfg.Reconnect, h.site.project
		if chosen.shipped[spec.Driver] {
			dir = h.site.stage()
		}
		casts = append(casts, actors.Cast{
			Spec: spec, Hierarchy: crew, Limits: h.cfg.MessageLimits(), Store: h.store.ID(),
			Timeouts: actors.Timeouts{ProcessStart: t.ProcessStart, MessageReceive: t.MessageReceive, Task: t.Task, Idle: t.Idle, Grace: grace},
			Backoff:  actors.Backoff{Initial: r.InitialDelay, Max: r.MaxDelay, Factor: r.BackoffFactor, Tries: r.MaxRetries, Jitter: 0.2},
			Brief: messages.Spec{
				Model: spec.Model, SystemPrompt: spec.SystemPrompt, Language: h.cfg.Language, Dir: dir, Home: h.site.home(name),
				StartTimeout: t.ProcessStart, Grace: grace,
			},
			Tools:   []messages.Tool{actors.SendMessage()},
			Library: h.library.unasked(),
			Reserve: chosen.reserve(spec.Driver, h.cfg.Limits.USDPerTurn),
			Journal: h.store, Clock: clock, NewID: newMessageID, Log: h.log,
			Life: actors.Lives(chosen.of(spec.Driver), h.log),
		})
	}
	return casts
}

// grace is how long an agent may take to end when it is asked to.
const grace = 5 * time.Second

func newMessageID() messages.MessageID { return messages.MessageID(messages.NewID()) }

// Ask answers for the house itself, and lets the desk answer the rest.
func (h *house) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	switch m := m.(type) {
	case messages.GetStatus:
		return h.status(ctx)
	case messages.StopHouse:
		return h.askedToStop(ctx, m)
	case messages.GetLogin:
		if h.edge != nil {
			return h.edge.login()
		}
	case messages.RenewToken:
		return h.renew(ctx)
	}
	for _, d := range h.desks {
		if answer, ok, err := d.Ask(ctx, m); ok {
			return answer, err
		}
	}
	return h.desk.Ask(ctx, m)
}

// Watch yields the journal's events.
func (h *house) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return h.store.Watch(ctx, t, since)
}

func (h *house) status(ctx context.Context) (messages.Message, error) {
	open, err := h.store.OpenTasks(ctx)
	path := h.cfg.Path
	if path == "" {
		path = "built-in"
	}
	s := messages.Status{
		Version: version, Schema: sqlite.Schema(), Store: h.store.ID(), Pid: os.Getpid(), StateDir: h.site.state, Config: path,
		StartedAt: h.begun.UTC(), Rehearsal: h.rehearsal, OpenTasks: open, LastEvent: h.store.Last(),
	}
	if h.edge != nil {
		s.HTTP, s.WebSocket = h.edge.addresses()
	}
	return s, err
}

func (h *house) askedToStop(ctx context.Context, m messages.StopHouse) (messages.Message, error) {
	open, err := h.store.OpenTasks(ctx)
	if err != nil {
		return nil, err
	}
	if m.IfIdle && open > 0 {
		return nil, messages.Errorf(messages.CodeConflict, "%s tasks are open", strconv.Itoa(open)).Try("wait for them, or stop without --if-idle: they go on at the next start")
	}
	h.once.Do(func() { close(h.leave) })
	return messages.Done{}, nil
}

// close ends the work, then the journal, then gives the lock back. Nothing that
// was accepted is lost by it: open tasks go on at the next start.
func (h *house) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*grace+5*time.Second)
	defer cancel()
	var errs []error
	if h.edge != nil {
		errs = append(errs, h.edge.close(ctx))
	}
	if h.tree != nil {
		errs = append(errs, h.tree.Stop(ctx))
	}
	errs = append(errs, h.gateway.close())
	if h.workshop != nil {
		errs = append(errs, h.workshop.close())
	}
	errs = append(errs, h.library.close())
	if h.logs != nil {
		errs = append(errs, h.logs.Shut())
	}
	if h.store != nil {
		for _, f := range process.Find(h.store.ID()) {
			h.log.Warn("left behind", "pid", f.Pid, "command", f.Command)
		}
		errs = append(errs, h.store.Close())
	}
	h.release()
	return errors.Join(errs...)
}

// rehearsalMark is put before output that was played, not thought.
func rehearsalMark(on bool) string {
	if on {
		return "[rehearsal] "
	}
	return ""
}

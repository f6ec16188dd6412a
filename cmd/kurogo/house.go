package main

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"os"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/stores/logs"
	"kurogo/stores/sqlite"
	"kurogo/supervisors"
)

// grace is how long an agent may take to end when it is asked to.
const grace = 5 * time.Second

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

func (h *house) open(ctx context.Context, public bool) error {
	clock := actors.SystemClock{}
	tree := supervisors.New(clock, h.log)
	if err := h.openJournal(ctx, tree); err != nil {
		return err
	}
	if err := h.sweep(); err != nil {
		return err
	}
	pickDriver(ctx, &h.cfg, h.site)
	chosen, err := chooseDrivers(h.cfg, h.site)
	if err != nil {
		return err
	}
	h.tree, h.rehearsal = tree, chosen.rehearsal
	if err := os.MkdirAll(h.site.stage(), 0o700); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "make stage: %v", err)
	}
	h.library = h.openLibrary(ctx)
	if err := tree.Start(ctx, h.store, h.casts(chosen, clock)); err != nil { //nolint:contextcheck // a library answers whole turns
		return err
	}
	h.desk = h.crewDesk(clock)
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
	s := messages.Status{
		Version: version, Schema: sqlite.Schema(), Store: h.store.ID(), Pid: os.Getpid(), StateDir: h.site.state, Config: cmp.Or(h.cfg.Path, "built-in"),
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
		return nil, messages.Errorf(messages.CodeConflict, "%d tasks are open", open).Try("wait for them, or stop without --if-idle: they go on at the next start")
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

func newMessageID() messages.MessageID { return messages.MessageID(messages.NewID()) }

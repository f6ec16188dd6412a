package supervisors

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
	"kurogo/messages"
)

// Tree is the running house of actors.
type Tree struct {
	system *actor.ActorSystem
	clock  actors.Clock
	log    *slog.Logger
	alive  []*actor.PID // in the order of starting
}

const (
	core    = "core"
	crew    = "crew"
	company = "company"
	work    = "work"
)

// New makes an empty tree, so that a journal can be opened that rings its bell.
func New(clock actors.Clock, log *slog.Logger) *Tree {
	quiet := actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return log.With("lib", "actor") })
	t := &Tree{system: actor.NewActorSystem(quiet), clock: clock, log: log}
	t.system.EventStream.Subscribe(func(e any) {
		if f, ok := e.(*actor.SupervisorEvent); ok {
			log.Error("actor panicked", "actor", f.Child.Id, "reason", fmt.Sprint(f.Reason))
		}
	})
	return t
}

// falls is the backoff of supervision: for bugs, so it is not configurable.
var falls = actors.Backoff{Initial: 100 * time.Millisecond, Factor: 2, Max: 20 * time.Second, Jitter: 0.2}

// Start enlists the crew, then begins the core, then the crew. Each cast lacks
// only its Router.
func (t *Tree) Start(ctx context.Context, j actors.Journal, casts []actors.Cast) error {
	homes := map[messages.Address]*actor.PID{}
	list := messages.Enlist{Now: t.clock.Now()}
	var personas []Child
	for _, cast := range casts {
		list.Crew = append(list.Crew, messages.Enlisted{Name: cast.Spec.Name, ReportsTo: cast.Spec.ReportsTo, Gather: cast.Spec.Gather})
		cast.Router = t.pid(core, "router")
		homes[cast.Spec.Name] = t.Home(cast.Spec.Name)
		personas = append(personas, Child{string(cast.Spec.Name), func() actor.Actor { return actors.NewPersona(cast) }})
	}
	if _, err := j.Commit(ctx, list); err != nil {
		return fmt.Errorf("enlist crew: %w", err)
	}
	if err := t.spawn(core, []Child{
		{"router", func() actor.Actor { return actors.NewRouter(homes, t.pid(company, "groups"), t.pid(work, "jobs")) }},
		{"timekeeper", func() actor.Actor { return actors.NewTimekeeper(j, t.clock) }},
	}); err != nil {
		return err
	}
	return t.spawn(crew, personas)
}

// StartCompany begins what agents need, then the groups that have work. The
// company lacks only the addresses of its actors; with them it is returned.
func (t *Tree) StartCompany(c actors.Company) (actors.Company, error) {
	c.Admission, c.Checkup, c.Listed = t.pid(company, "admission"), t.pid(company, "checkup"), new(actors.Listed)
	return c, t.spawn(company, []Child{
		{"admission", func() actor.Actor { return actors.NewAdmission(c.Working, c.Starting) }},
		{"checkup", func() actor.Actor { return actors.NewCheckup(c) }},
		{"groups", func() actor.Actor { return actors.NewGroups(c) }},
	})
}

// StartJobs begins whoever leads a job that has not ended, after the company that
// works for them.
func (t *Tree) StartJobs(c actors.Company, ledger actors.Ledger, leaders map[messages.JobKind]actors.Leader) error {
	return t.spawn(work, []Child{{"jobs", func() actor.Actor { return actors.NewJobs(c, ledger, leaders) }}})
}

func (t *Tree) spawn(name string, children []Child) error {
	pid, err := t.system.Root.SpawnNamed(props(children, falls, t.clock, t.log), name)
	if err != nil {
		return fmt.Errorf("begin %s: %w", name, err)
	}
	t.alive = append(t.alive, pid)
	if _, err := t.system.Root.RequestFuture(pid, begun{}, beginTimeout).Result(); err != nil {
		return fmt.Errorf("begin %s: %w", name, err)
	}
	return nil
}

// beginTimeout is far over what it takes to begin ten thousand actors.
const beginTimeout = time.Minute

// Root sends and asks from outside the tree.
func (t *Tree) Root() *actor.RootContext { return t.system.Root }

// Home is where a persona lives. The name is fixed, whoever is at home.
func (t *Tree) Home(name messages.Address) *actor.PID { return t.pid(crew, string(name)) }

func (t *Tree) pid(path ...string) *actor.PID {
	return actor.NewPID(t.system.Address(), path[0]+"/"+path[1])
}

// Notify carries what a commit asks for: wakes and interrupts to the router,
// what is due to the timekeeper. It never blocks.
func (t *Tree) Notify(wakes []messages.Wake, interrupts []messages.Interrupt, due time.Time) {
	router := t.pid(core, "router")
	for _, i := range interrupts {
		t.system.Root.Send(router, i)
	}
	for _, w := range wakes {
		t.system.Root.Send(router, w)
	}
	if !due.IsZero() {
		t.system.Root.Send(t.pid(core, "timekeeper"), messages.DueAt{At: due})
	}
}

// Stop ends the tree in the reverse order of starting and waits until everybody
// is gone: personas give their turns back and end their lives first. When ctx
// ends first, the error names what is still there.
func (t *Tree) Stop(ctx context.Context) error {
	for i := len(t.alive) - 1; i >= 0; i-- {
		pid := t.alive[i]
		gone := make(chan struct{})
		t.system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			switch c.Message().(type) {
			case *actor.Started:
				c.Watch(pid)
				c.Stop(pid)
			case *actor.Terminated:
				close(gone)
				c.Stop(c.Self())
			}
		}))
		select {
		case <-gone:
		case <-ctx.Done():
			return fmt.Errorf("stop %s: %w", pid.Id, ctx.Err())
		}
	}
	t.alive = nil
	return nil
}

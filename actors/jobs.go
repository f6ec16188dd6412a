package actors

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// Jobs is the parent of whoever leads a job: of every evaluation, run and chat. It
// raises the leader of each job that has not ended, and raises it again when it
// falls; a leader finds in the journal how far its job has come.
type Jobs struct {
	company Company
	ledger  Ledger
	leaders map[messages.JobKind]Leader
	alive   map[messages.JobID]*actor.PID
	falls   map[messages.JobID]int
	told    map[messages.JobID]int // wakes that its leader was given
	resting map[messages.JobID]bool
	woken   map[messages.JobID]bool // while it was leaving to rest
	ended   bool
}

// A Leader makes the actor that leads a job.
type Leader func(e Errand) actor.Actor

// A Ledger reads what the journal holds of jobs.
type Ledger interface {
	Job(ctx context.Context, q messages.GetJob) (messages.JobDetail, error)
	Jobs(ctx context.Context, q messages.ListJobs) (messages.Jobs, error)
	BusyJobs(ctx context.Context) ([]messages.Job, error)
}

// NewJobs returns the parent of a company's jobs.
func NewJobs(c Company, ledger Ledger, leaders map[messages.JobKind]Leader) *Jobs {
	return &Jobs{
		company: c, ledger: ledger, leaders: leaders,
		alive: map[messages.JobID]*actor.PID{}, falls: map[messages.JobID]int{},
		told: map[messages.JobID]int{}, resting: map[messages.JobID]bool{}, woken: map[messages.JobID]bool{},
	}
}

// The words between a job's leader and its parent.
type (
	lead struct{ job messages.JobID } // raise whoever leads it

	// There is nothing to do until somebody wakes me again. Let me leave, unless I was
	// given more wakes than I have heard: then raise me at once.
	rest struct {
		job   messages.JobID
		heard int
	}
)

// Receive implements [actor.Actor].
func (j *Jobs) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		busy, err := j.ledger.BusyJobs(context.Background())
		if err != nil {
			panic(fmt.Errorf("find busy jobs: %w", err))
		}
		for _, job := range busy {
			j.raise(c, job)
		}
	case messages.Wake:
		if _, id, ok := m.To.Job(); ok {
			j.wake(c, id, m)
		}
	case lead:
		j.find(c, m.job)
	case rest:
		j.rest(c, m)
	case *actor.Terminated:
		j.gone(c, m.Who)
	case *actor.Stopping:
		j.ended = true
	}
}

// wake carries the word to whoever leads the job, or raises it. One that is on its
// way to rest does not hear any more, and is raised when it has gone.
func (j *Jobs) wake(c actor.Context, id messages.JobID, m messages.Wake) {
	pid, ok := j.alive[id]
	switch {
	case !ok:
		j.find(c, id)
	case j.resting[id]:
		j.woken[id] = true
	default:
		j.told[id]++
		c.Send(pid, m)
	}
}

// rest ends a leader that has nothing to do. It does not end itself: its end could
// overtake its word, and a wake cross both.
func (j *Jobs) rest(c actor.Context, m rest) {
	pid, ok := j.alive[m.job]
	if !ok || !pid.Equal(c.Sender()) {
		return
	}
	j.resting[m.job], j.woken[m.job] = true, j.told[m.job] > m.heard
	c.Stop(pid)
}

// find raises the leader of a job that is only known by its name.
func (j *Jobs) find(c actor.Context, id messages.JobID) {
	if j.alive[id] != nil || j.ended {
		return
	}
	d, err := j.ledger.Job(context.Background(), messages.GetJob{Job: id, Limit: 1})
	switch {
	case messages.IsCode(err, messages.CodeNotFound):
	case err != nil:
		j.company.Log.Warn("find job", "job", id, "err", err)
		later(c, j.company.Clock, time.Second, lead{id})
	case d.Status == messages.JobRunning:
		j.raise(c, d.Job)
	}
}

func (j *Jobs) raise(c actor.Context, job messages.Job) {
	leader, ok := j.leaders[job.Kind]
	if !ok || j.ended || j.alive[job.ID] != nil {
		return
	}
	props := actor.PropsFromProducer(Guard(j.company.Log, func() actor.Actor { return leader(Errand{j.company, j.ledger, job}) }), actor.WithSupervisor(StopFallen))
	pid, err := c.SpawnNamed(props, string(job.ID))
	if err != nil {
		panic(fmt.Errorf("begin job %s: %w", job.ID, err))
	}
	j.alive[job.ID] = pid
}

// gone looks why a leader has gone. A job that has not ended is led again, after a
// growing wait; one that rests, when somebody wakes it.
func (j *Jobs) gone(c actor.Context, pid *actor.PID) {
	for id, p := range j.alive {
		if !p.Equal(pid) {
			continue
		}
		delete(j.alive, id)
		resting, woken := j.resting[id], j.woken[id]
		delete(j.told, id)
		delete(j.resting, id)
		delete(j.woken, id)
		d, err := j.ledger.Job(context.Background(), messages.GetJob{Job: id, Limit: 1})
		switch {
		case err == nil && d.Status != messages.JobRunning, resting && !woken:
			delete(j.falls, id)
		case woken:
			j.find(c, id)
		default:
			j.falls[id]++
			later(c, j.company.Clock, j.company.Backoff.Delay(j.falls[id]), lead{id})
		}
		return
	}
}

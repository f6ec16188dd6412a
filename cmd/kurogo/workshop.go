package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/messages"
	"kurogo/transport/tools"
)

// A workshop is where runs touch the world: files through the gateway, and the
// programs that prove what was done.
type workshop struct {
	cfg     config.Config
	grounds *grounds
	desk    *actors.FilesDesk // of runs only
	tools   *tools.Catalogue
	search  *tools.Catalogue // has search_code; whoever answers it may not be there
	indexed func() bool      // whether he is
	project string
	prover  *prover
	store   runStore
	clock   actors.Clock
	log     *slog.Logger

	// evidence finds what in the code a task may be about.
	evidence func(ctx context.Context, root, task string) ([]messages.Chunk, error)

	mu    sync.Mutex
	known map[messages.JobID]messages.RunInput // what runs were asked; it never changes
	calls map[messages.JobID]int               // of tools
}

// A runStore is the journal as runs use it.
type runStore interface {
	actors.Journal
	actors.Ledger
	Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error]
	Last() int64
	Plan(ctx context.Context, hash string) (messages.Plan, error)
	RunStats(ctx context.Context, q messages.GetStats) (messages.Stats, error)
}

// openWorkshop makes it ready. Nothing is opened before it is needed.
func (h *house) openWorkshop(clock actors.Clock) *workshop {
	w := &workshop{
		cfg: h.cfg, grounds: newGrounds(h.cfg, h.site, h.log), store: h.store, clock: clock, log: h.log,
		prover: newProver(h.cfg.Run, h.site, h.store.ID(), h.log),
		known:  map[messages.JobID]messages.RunInput{}, calls: map[messages.JobID]int{},
	}
	w.desk = actors.NewFilesDesk(actors.FilesDesk{
		Of: func(ctx context.Context, _ messages.Caller) (actors.Workspace, error) {
			return w.grounds.parcelOf(ctx)
		},
		Clock: clock, NewID: messages.NewID,
	}, h.store)
	w.tools = tools.Gateway(counter{w.desk}, tools.Options{Limits: h.cfg.MessageLimits(), Log: h.log})
	w.search = tools.New(h, tools.Options{Limits: h.cfg.MessageLimits(), Log: h.log})
	w.indexed, w.project = func() bool { return h.library != nil }, h.site.project
	w.evidence = h.evidence
	if url := h.cfg.Run.RAGURL; url != "" {
		w.evidence = farLibrary(url).evidence
	}
	return w
}

func (w *workshop) close() error {
	w.desk.Close()
	return w.grounds.close()
}

// A counter is the desk of files as the catalogue of tools needs it.
type counter struct{ desk *actors.FilesDesk }

// Ask implements tools.Port.
func (c counter) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	answer, ok, err := c.desk.Ask(ctx, m)
	if !ok {
		return nil, messages.Errorf(messages.CodeInternal, "nobody here answers %s", messages.KindOf(m))
	}
	return answer, err
}

// Watch implements tools.Port: of files nothing is told.
func (counter) Watch(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error] {
	return func(func(messages.Event, error) bool) {}
}

// runs begins whoever leads runs, and opens the desk at which they are ordered.
func (h *house) runs(c actors.Company, leaders map[messages.JobKind]actors.Leader) {
	w, r := h.workshop, h.cfg.Run
	planner, executor := h.runTerms()
	leaders[messages.JobRun] = actors.Workshop{
		Plan: h.store.Plan,
		Rules: actors.RunRules{
			Programs: append(slices.Clone(r.VerifyPrograms), actors.Holds), Repairs: r.MaxRepairs, BreakAfter: r.BreakAfter,
			PlanTimeout: h.cfg.Limits.DefaultTimeout, StepTimeout: h.cfg.Limits.DefaultTimeout,
		},
		Survey: w.survey, Evidence: w.findEvidence, Apply: w.apply, Missing: w.missing, Verify: w.verify, Diff: w.difference,
	}.Lead
	h.desks = append(h.desks, &actors.RunDesk{
		Journal: h.store, Ledger: h.store, Clock: c.Clock, Limits: h.cfg.MessageLimits(), Keys: c.Keys,
		Terms: actors.RunTerms{
			Root: h.cfg.Workspace.Root, Planner: planner, Executor: executor, Approve: messages.Consent(r.Approve),
		},
		Place: h.place, Undo: w.undo, Stats: h.store.RunStats,
	})
}

// input is what a run was asked.
func (w *workshop) input(ctx context.Context, id messages.JobID) (in messages.RunInput, err error) {
	w.mu.Lock()
	in, ok := w.known[id]
	w.mu.Unlock()
	if ok {
		return in, nil
	}
	d, err := w.store.Job(ctx, messages.GetJob{Job: id, Limit: 1})
	if err != nil {
		return in, err
	}
	if d.Kind != messages.JobRun {
		return in, messages.Errorf(messages.CodeDenied, "%s is no run", id)
	}
	if err := json.Unmarshal(d.Input, &in); err != nil {
		return in, fmt.Errorf("read run %s: %w", id, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.known) >= remembered { // one that goes on is read again
		clear(w.known)
		clear(w.calls)
	}
	w.known[id] = in
	return in, nil
}

// remembered bounds how many runs we know by heart.
const remembered = 1000

// plot is where a run works.
func (w *workshop) plot(in messages.RunInput) plot {
	return plot{in.Root, in.Approve == messages.ConsentAuto}
}

// findEvidence asks whoever searches. A plan can do without.
func (w *workshop) findEvidence(ctx context.Context, root, task string) []messages.Chunk {
	found, err := w.evidence(ctx, root, messages.Cut(task, queryMost))
	if err != nil {
		w.log.Info("a plan is made without passages of the code", "reason", err)
	}
	return found
}

// passagesMost is how many passages a planner is shown.
const passagesMost = 10

// evidence asks our own index, which knows the project only.
func (h *house) evidence(ctx context.Context, root, task string) ([]messages.Chunk, error) {
	below, err := filepath.Rel(h.site.project, root)
	if err != nil || !filepath.IsLocal(below) {
		return nil, err
	}
	q := messages.Search{Query: task, TopK: passagesMost}
	if below != "." {
		q.Filters.PathPrefix = filepath.ToSlash(below) + "/"
	}
	found, err := askOn[messages.Found](ctx, h, q)
	return found.Chunks, err
}

// missing says which of these files are not there.
func (w *workshop) missing(ctx context.Context, root string, names []string) (out []string, err error) {
	space, err := w.grounds.of(ctx, plot{root: root})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		_, err := space.Stat(ctx, messages.StatFile{Path: name})
		switch {
		case messages.IsCode(err, messages.CodeNotFound):
			out = append(out, name)
		case err != nil:
			return nil, err
		}
	}
	return out, nil
}

// apply has a patch pass the gateway, unless that was done before a fall.
func (w *workshop) apply(ctx context.Context, root string, job messages.JobID, patch string) error {
	in, err := w.input(ctx, job)
	if err != nil {
		return err
	}
	done, err := w.applied(ctx, root, job, patch)
	if err != nil || done {
		return err
	}
	_, _, err = w.desk.Ask(withWork(ctx, work{job, w.plot(in)}), messages.ApplyPatch{Patch: patch, Provenance: messages.Provenance{Trace: string(job), Task: string(job)}})
	return err
}

// undo puts the files back as they were before a run.
func (w *workshop) undo(ctx context.Context, root string, job messages.JobID, force bool) (messages.FilesChanged, error) {
	answer, _, err := w.desk.Ask(withWork(ctx, work{job, plot{root: root}}), messages.UndoTask{Force: force, Provenance: messages.Provenance{Trace: string(job), Task: string(job)}})
	out, _ := answer.(messages.FilesChanged)
	if e := messages.AsError(err); e != nil && e.Code == messages.CodeNotFound {
		return out, messages.Errorf(messages.CodeNotFound, "the run %s has changed no file, or was undone", job).Try("see kurogo trace " + string(job))
	}
	return out, err
}

// verify runs a command, or looks itself.
func (w *workshop) verify(ctx context.Context, root string, command []string) messages.RunVerify {
	if command[0] == actors.Holds {
		return w.holds(ctx, root, command)
	}
	return w.prover.run(ctx, filepath.Clean(root), command)
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/index"
	"kurogo/messages"
)

// A library is the index of the project, for as long as the house is open. Nothing
// is read before somebody asks; from then on it keeps itself in step.
type library struct {
	cfg   config.Index
	site  site
	log   *slog.Logger
	git   index.Git
	begin sync.Once

	mu     sync.Mutex
	index  *index.Index
	fault  error         // why there is none
	synced bool          // once at least, in this house
	untold index.Stats   // what the first look found, which begins by itself: whoever asks first hears of it
	next   chan struct{} // closed when the next sync that begins has ended
	kick   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}

	learning sync.Mutex // held by the one that learns
	learners sync.WaitGroup
}

const (
	// inStep is how long a question waits for the index to be brought in step.
	inStep = 400 * time.Millisecond
	// firstSync is how long a question waits for an index that is being made.
	firstSync = 2 * time.Minute
	// embedsMost is how many passages get their vectors between two looks.
	embedsMost = 256
)

// openLibrary is the project's index, or nil where it is not wanted.
func (h *house) openLibrary(ctx context.Context) *library {
	if !h.cfg.Index.Enabled {
		return nil
	}
	l := &library{cfg: h.cfg.Index, site: h.site, log: h.log, git: wideGit(), next: make(chan struct{}), kick: make(chan struct{}, 1), done: make(chan struct{})}
	if _, err := os.Stat(l.site.index()); err == nil { // it was wanted before
		l.start(ctx)
	}
	return l
}

// wideGit is git for whoever lists whole repositories.
func wideGit() index.Git { return (&rooms{exec: process.Exec{MaxOutput: listMost}}).git }

// listMost bounds what git may say of a repository: about a million names.
const listMost = 128 << 20

func (s site) index() string { return filepath.Join(s.state, "index.db") }
func (s site) hooks() string { return filepath.Join(s.state, "index.queue") }

// Ask implements desk. Where the project has no index, whoever asks it hears so.
func (l *library) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	if l == nil {
		switch m.(type) {
		case messages.Search, messages.Ingest, messages.Prune, messages.SyncIndex, messages.GetIndexStatus:
			return nil, true, messages.Errorf(messages.CodeUnavailable, "the index is turned off").Try("set enabled = true below [index] in kurogo.toml, then kurogo stop")
		}
		return nil, false, nil
	}
	switch m := m.(type) {
	case messages.Search:
		if err = l.ready(ctx); err == nil {
			answer, err = l.index.Search(ctx, m)
		}
	case messages.Ingest:
		if err = l.ready(ctx); err == nil {
			answer, err = l.index.Ingest(ctx, m)
		}
	case messages.Prune:
		if err = l.ready(ctx); err == nil {
			answer, err = l.index.Prune(ctx, m)
		}
	case messages.SyncIndex:
		answer, err = l.sync(ctx)
	case messages.GetIndexStatus:
		if err = l.open(ctx); err == nil {
			answer = l.index.Status()
		}
	default:
		return nil, false, nil
	}
	return answer, true, err
}

// open opens the index once; what was wrong stays wrong until the next start.
func (l *library) open(ctx context.Context) error {
	l.start(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// start outlives whoever asks first.
func (l *library) start(ctx context.Context) {
	l.begin.Do(func() {
		x, err := index.Open(context.WithoutCancel(ctx), l.site.index(), index.Options{
			Git: l.git, MaxFileBytes: int64(l.cfg.MaxFileBytes), Extensions: l.cfg.Extensions, Queue: l.site.hooks(), Embedder: embedder(l.cfg.Embedder), Log: l.log,
		})
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		l.mu.Lock()
		l.index, l.fault, l.cancel = x, err, cancel
		l.mu.Unlock()
		if err != nil {
			l.log.Warn("open index", "err", err)
			close(l.done)
			return
		}
		l.kick <- struct{}{}
		go l.keep(ctx)
	})
}

// embedder is who makes vectors, nil if nobody does.
func embedder(c config.Embedder) index.Embedder {
	server := index.Server{URL: c.Endpoint, Model: c.Model, Key: os.Getenv(c.APIKeyEnv)}
	switch c.Kind {
	case "ollama":
		return index.Ollama{Server: server}
	case "openai":
		return index.OpenAI{Server: server}
	}
	return nil
}

// keep brings the index in step whenever somebody asks for it, or a hook has told of
// a commit.
func (l *library) keep(ctx context.Context) {
	defer close(l.done)
	var look <-chan time.Time
	if l.cfg.Watch > 0 {
		ticker := time.NewTicker(l.cfg.Watch)
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-look:
			if l.index.Status().Queued == 0 {
				l.embed(ctx)
				continue
			}
		case <-l.kick:
		}
		if _, err := l.once(ctx, false); err != nil && ctx.Err() == nil {
			l.log.Warn("bring index in step", "err", err)
		}
		l.learn(ctx)
		l.embed(ctx)
	}
}

// learn lets the index learn from what is new in it, beside us: it takes seconds,
// and whoever searches meanwhile waits for a look only.
func (l *library) learn(ctx context.Context) {
	if !l.learning.TryLock() {
		return
	}
	l.learners.Go(func() {
		defer l.learning.Unlock()
		if _, err := l.index.Learn(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("learn from the project", "err", err)
		}
	})
}

// once is one sync, of which those hear who waited for one that begins now. Who
// asked for it is told what it found.
func (l *library) once(ctx context.Context, asked bool) (index.Stats, error) {
	l.mu.Lock()
	ended := l.next
	l.next = make(chan struct{})
	l.mu.Unlock()
	defer close(ended)
	if _, err := index.Drain(l.site.hooks()); err != nil {
		l.log.Warn("read what hooks told", "err", err)
	}
	stats, err := l.index.Sync(ctx, l.site.project)
	if err == nil {
		l.mu.Lock()
		if !l.synced && !asked {
			l.untold = stats
		}
		l.synced = true
		l.mu.Unlock()
	}
	return stats, err
}

// embed makes some of the vectors that are missing.
func (l *library) embed(ctx context.Context) {
	if l.cfg.Embedder.Kind == "" {
		return
	}
	if _, _, err := l.index.Embed(ctx, embedsMost); err != nil && ctx.Err() == nil {
		l.log.Warn("make vectors", "err", err)
	}
}

// ready has the index brought in step, and waits for that: long when there is none
// yet, else a moment, for an answer that is almost right is better than none, and
// says what it may be wrong about. Those who ask meanwhile share the next look.
func (l *library) ready(ctx context.Context) error {
	if err := l.open(ctx); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "the index cannot be opened: %v", err).Try("see kurogo doctor")
	}
	l.mu.Lock()
	next, synced := l.next, l.synced
	l.mu.Unlock()
	select {
	case l.kick <- struct{}{}:
	default: // it is on its way already
	}
	wait := inStep
	if !synced {
		wait = firstSync
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-next:
		return nil
	case <-late.C:
		return nil // the index says itself that it knows nothing yet
	case <-ctx.Done():
		return ctx.Err()
	case <-l.done:
		return messages.Errorf(messages.CodeUnavailable, "the house is closing").Try("try again")
	}
}

// sync brings the index in step, learns from it, and tells what that took.
func (l *library) sync(ctx context.Context) (messages.Message, error) {
	if err := l.open(ctx); err != nil {
		return nil, messages.Errorf(messages.CodeUnavailable, "the index cannot be opened: %v", err).Try("see kurogo doctor")
	}
	stats, err := l.once(ctx, true)
	if err != nil {
		return nil, err
	}
	if _, err := l.index.Learn(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	told := l.untold
	l.untold = index.Stats{}
	l.mu.Unlock()
	stats = stats.After(told)
	return stats.Ingested(), nil
}

// bytesPerToken is how much text a token is, roughly.
const bytesPerToken = 4

// unasked finds passages for those who have not asked, within the budget that the
// configuration gives them; nil where it gives none.
func (l *library) unasked() actors.Library {
	if l == nil || l.cfg.ContextTokens == 0 {
		return nil
	}
	return func(text string) []messages.Chunk {
		ctx, cancel := context.WithTimeout(context.Background(), 2*inStep) // somebody's turn waits
		defer cancel()
		answer, _, err := l.Ask(ctx, messages.Search{Query: messages.Cut(text, queryMost), Intent: messages.IntentChange})
		found, ok := answer.(messages.Found)
		if err != nil || !ok {
			l.log.Info("a turn is given without passages of the project", "reason", err)
			return nil
		}
		return actors.Within(found.Chunks, l.cfg.ContextTokens*bytesPerToken)
	}
}

// close ends what is on, and the index.
func (l *library) close() error {
	if l == nil {
		return nil
	}
	stays := false
	l.begin.Do(func() { stays = true }) // it was never opened, and will not be
	if stays {
		return nil
	}
	l.cancel()
	<-l.done
	l.learners.Wait()
	if l.index == nil {
		return nil
	}
	return errors.Join(l.index.Close())
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/stores/sqlite"
)

const (
	hopRounds    = 5
	hopsAlone    = 300 // of one persona in one round
	hopsEach     = 150 // of each of many
	hopLimit     = 2.0 // times a bare commit
	manyPersonas = senders
	manyLimit    = 5.0 // times the rate of one
)

// hop measures durable row → pipe → process → ack with a reply, one persona with
// a full inbox first, then 32. One hop is what lies between two ends of turns:
// the commit of the first takes the row, the commit of the second acks it.
func (b *bench) hop(ctx context.Context) error {
	var alone, commit []time.Duration
	var ratio, one, many, times, least []float64
	var commits, hops int64
	for range hopRounds {
		floor, batched, err := b.bareHops(ctx)
		if err != nil {
			return err
		}
		single, err := b.perform(ctx, show{personas: 1, rows: hopsAlone})
		if err != nil {
			return err
		}
		crowd, err := b.perform(ctx, show{personas: manyPersonas, rows: hopsEach})
		if err != nil {
			return err
		}
		p50 := single.between().at(.5)
		alone, commit = append(alone, p50), append(commit, floor.at(.5))
		ratio = append(ratio, p50.Seconds()/floor.at(.5).Seconds())
		one, many, least = append(one, single.rate()), append(many, crowd.rate()), append(least, batched)
		times = append(times, crowd.rate()/single.rate())
		first, last := single.ends[0], single.ends[len(single.ends)-1]
		commits, hops = commits+last.commits-first.commits, hops+int64(len(single.ends)-1)
	}
	b.table.judge("commits of one hop", fmt.Sprintf("%d in %d hops", commits, hops), "= 1 a hop", commits == hops)
	b.table.judge("hop, one persona", fmt.Sprintf("p50 %s = %.2f × a bare commit's %s", millis(median(alone)), median(ratio), millis(median(commit))),
		fmt.Sprintf("≤ %.0f ×", hopLimit), median(ratio) <= hopLimit)
	b.table.judge("hop, 32 personas", fmt.Sprintf("%s = %.1f × one persona's %s (bare batches: %s)", rate(median(many)), median(times), rate(median(one)), rate(median(least))),
		fmt.Sprintf("≥ %.0f ×", manyLimit), median(times) >= manyLimit)
	return nil
}

// bareHops commits the rows of a hop with nothing around: one after the other,
// and then as many senders at once as there are personas.
func (b *bench) bareHops(ctx context.Context) (each quantiles, batched float64, err error) {
	s, err := b.openBare(ctx, names(1))
	if err != nil {
		return nil, 0, err
	}
	defer s.close()
	all := hopsAlone + manyPersonas*hopsEach
	fill := s.group(func(s *bare, _ int) error { //nolint:contextcheck // the same
		for range all + 1 { // every hop takes the next row too
			if err := acceptRows(s, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err := fill(0); err != nil {
		return nil, 0, err
	}
	var took []time.Duration
	hop := s.group(hopRows)
	for range hopsAlone {
		began := time.Now()
		if err := hop(0); err != nil {
			return nil, 0, err
		}
		took = append(took, time.Since(began))
	}
	all32, err := together(hopsEach, hop)
	return quantilesOf(took), perSecond(senders*hopsEach, all32), err
}

// A show is what perform plays: so many personas, each with so many requests in
// its inbox.
type show struct {
	personas, rows int
	every          time.Duration // between the turns of one persona; 0 = one after the other
}

// An end is one EndTurn that has become durable.
type end struct {
	who, turn int
	at        time.Time
	commits   int64
}

// A played show is the ends of its turns in their order.
type played struct {
	show
	metronome *metronome
	ends      []end
}

// perform fills the inboxes, raises the tree over them and waits for the last
// answer.
func (b *bench) perform(ctx context.Context, s show) (p *played, err error) {
	dir, err := b.subdir("hop")
	if err != nil {
		return nil, err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	crew := names(s.personas)
	if err := h.fill(ctx, crew, s.rows); err != nil {
		return nil, err
	}
	echo, err := echoDriver()
	if err != nil {
		return nil, err
	}
	p = &played{show: s, metronome: newMetronome(s.personas, s.every)}
	book := &book{played: p, full: make(chan struct{})}
	of := hierarchy(crew)
	var casts []actors.Cast
	for i, name := range crew {
		cast := h.cast(of, name, timed{echo, p.metronome, p.offset(i)})
		cast.Journal = &stopwatch{Store: h.store, book: book, who: i}
		casts = append(casts, cast)
	}
	if err := h.tree.Start(ctx, h.store, casts); err != nil {
		return nil, err
	}
	select {
	case <-book.full:
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(time.Minute):
		err = fmt.Errorf("only %d of %d turns ended within a minute", book.count(), s.personas*s.rows)
	}
	if late := h.close(ctx); err == nil {
		err = late
	}
	return p, err
}

// fill gives each of the crew its requests, before anybody lives to read them.
func (h *house) fill(ctx context.Context, crew []messages.Address, rows int) error {
	if err := h.enlist(ctx, crew); err != nil {
		return err
	}
	_, err := together((len(crew)*rows+senders-1)/senders, func(s int) error { return h.submit(ctx, crew[s%len(crew)]) })
	return err
}

// offset spreads the personas over the time between two turns of one of them.
func (s show) offset(who int) time.Duration {
	return s.every * time.Duration(who) / time.Duration(s.personas)
}

// between are the times from one end of a turn to the next of the same persona.
func (p *played) between() quantiles {
	last := map[int]time.Time{}
	var out []time.Duration
	for _, e := range p.ends {
		if before, ok := last[e.who]; ok {
			out = append(out, e.at.Sub(before))
		}
		last[e.who] = e.at
	}
	return quantilesOf(out)
}

// late are the times from when a turn should have gone to its agent until its
// answer was durable.
func (p *played) late() quantiles {
	var out []time.Duration
	for _, e := range p.ends {
		out = append(out, e.at.Sub(p.metronome.slot(p.offset(e.who), e.turn)))
	}
	return quantilesOf(out)
}

// rate leaves out the beginning and the end, when not everybody plays.
func (p *played) rate() float64 {
	from, to := len(p.ends)/10, len(p.ends)*8/10
	return perSecond(to-from, p.ends[to].at.Sub(p.ends[from].at))
}

// A book collects the ends of all personas.
type book struct {
	*played
	mu   sync.Mutex
	full chan struct{} // closed after the last
}

func (b *book) write(e end) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ends = append(b.ends, e)
	if len(b.ends) == b.personas*b.rows {
		slices.SortFunc(b.ends, func(a, b end) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
		close(b.full)
	}
}

func (b *book) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ends)
}

// A stopwatch is the journal of one persona.
type stopwatch struct {
	*sqlite.Store
	book      *book
	who, turn int
}

// Commit notes when the end of a turn has become durable.
func (s *stopwatch) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	out, err := s.Store.Commit(ctx, c)
	if _, ok := c.(messages.EndTurn); ok && err == nil {
		s.book.write(end{s.who, s.turn, time.Now(), s.Commits()})
		s.turn++
	}
	return out, err
}

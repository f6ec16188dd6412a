package main

import (
	"context"
	"fmt"
	"time"
)

const (
	paceRounds = 5
	paceRate   = 2000 // hops a second
	paceEach   = 75   // of each of 32 personas in one round
	paceLimit  = 10 * time.Millisecond
	paceSyncs  = 20 // times fdatasync's p99
)

// pace is the open loop: turns go to 32 agents at 2,000 a second whether or not
// the ones before have ended, and each is late from its own moment on.
func (b *bench) pace(ctx context.Context) error {
	every := time.Second * manyPersonas / paceRate
	var slow, usual, syncs []time.Duration
	var rates []float64
	for range paceRounds {
		disk, err := b.fdatasyncs(syncCount)
		if err != nil {
			return err
		}
		p, err := b.perform(ctx, show{personas: manyPersonas, rows: paceEach, every: every})
		if err != nil {
			return err
		}
		q := p.late()
		slow, usual, syncs = append(slow, q.at(.99)), append(usual, q.at(.5)), append(syncs, disk.at(.99))
		rates = append(rates, p.rate())
	}
	limit := max(paceLimit, paceSyncs*median(syncs))
	b.table.judge("hop, open loop at 2,000/s", fmt.Sprintf("p99 %s, p50 %s at %s", millis(median(slow)), millis(median(usual)), rate(median(rates))),
		"p99 ≤ "+millis(limit), median(slow) <= limit)
	return nil
}

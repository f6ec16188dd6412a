package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	mcpRounds = 9
	inFlight  = 32
)

// A rival is a server in a contest: what is asked of it, and which processes
// answer.
type rival struct {
	*caller
	name            string
	tool, arguments string
	pids            []int
}

// A tally is what the rounds of a contest said of one rival.
type tally struct {
	rates []float64
	took  []time.Duration
}

// contest asks the rivals in turns, with so many requests in flight each time.
func contest(ctx context.Context, rivals []rival, flight, calls int) ([]tally, error) {
	tallies := make([]tally, len(rivals))
	for range mcpRounds {
		for i, r := range rivals {
			took, each, err := r.volley(ctx, flight, calls)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			tallies[i].rates = append(tallies[i].rates, perSecond(calls, took))
			tallies[i].took = append(tallies[i].took, each...)
		}
	}
	return tallies, nil
}

func (r rival) volley(ctx context.Context, flight, calls int) (time.Duration, []time.Duration, error) {
	return volley(flight, calls, func(voice, _ int) error {
		_, err := r.use(ctx, voice, r.tool, r.arguments)
		return err
	})
}

// volley makes so many calls, always as many in flight, and times all and each.
func volley(flight, calls int, call func(voice, n int) error) (time.Duration, []time.Duration, error) {
	var all sync.WaitGroup
	errs, each := make([]error, flight), make([]time.Duration, calls)
	began := time.Now()
	for voice := range flight {
		all.Go(func() {
			for n := voice; n < calls && errs[voice] == nil; n += flight {
				asked := time.Now()
				errs[voice] = call(voice, n)
				each[n] = time.Since(asked)
			}
		})
	}
	all.Wait()
	return time.Since(began), each, errors.Join(errs...)
}

func (t tally) String() string {
	return fmt.Sprintf("%s, p99 %s", rate(median(t.rates)), millis(quantilesOf(t.took).at(.99)))
}

// share is the rate as a part of the other's, round by round.
func (t tally) share(of tally) float64 {
	var shares []float64
	for i, r := range t.rates {
		shares = append(shares, r/of.rates[i])
	}
	return median(shares)
}

// residents are how much memory the rivals hold.
func residents(rivals []rival) string {
	var out []string
	for _, r := range rivals {
		var sizes []string
		for _, pid := range r.pids {
			all, _, err := resident(pid)
			if err != nil {
				return err.Error()
			}
			sizes = append(sizes, megabytes(all))
		}
		out = append(out, r.name+" "+strings.Join(sizes, " + "))
	}
	return strings.Join(out, "; ")
}

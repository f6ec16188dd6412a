package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
	"kurogo/messages"
)

const (
	wakes     = 200_000 // in one round
	wakeLimit = 200_000 // per second
	rounds    = 5
)

// wake sends one Wake after the other from one sender to the router and counts
// them in the Receive of the actor at home there. The limit beside it is what a
// channel with a goroutine at its other end can do.
func (b *bench) wake(context.Context) error {
	var routed, channelled []float64
	for range rounds {
		channelled = append(channelled, perSecond(wakes, throughChannel()))
		took, err := throughRouter()
		if err != nil {
			return err
		}
		routed = append(routed, perSecond(wakes, took))
	}
	b.table.judge("wake to Receive, one sender", fmt.Sprintf("%s (a channel: %s)", rate(median(routed)), rate(median(channelled))),
		"≥ "+rate(wakeLimit), median(routed) >= wakeLimit)
	return nil
}

func throughRouter() (time.Duration, error) {
	quiet := actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) })
	root := actor.NewActorSystem(quiet).Root
	var heard atomic.Int64
	all := make(chan struct{})
	home := root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
		if _, ok := c.Message().(messages.Wake); ok && heard.Add(1) == wakes {
			close(all)
		}
	}))
	router := root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return actors.NewRouter(map[messages.Address]*actor.PID{"grand_boss": home}, nil, nil)
	}))
	began := time.Now()
	for range wakes {
		root.Send(router, messages.Wake{To: "grand_boss"})
	}
	<-all
	took := time.Since(began)
	for _, pid := range []*actor.PID{router, home} {
		if err := root.StopFuture(pid).Wait(); err != nil {
			return 0, err
		}
	}
	return took, nil
}

func throughChannel() time.Duration {
	words, all := make(chan messages.Message, 1024), make(chan struct{})
	go func() {
		for range wakes {
			<-words
		}
		close(all)
	}()
	began := time.Now()
	for range wakes {
		words <- messages.Wake{To: "grand_boss"}
	}
	<-all
	return time.Since(began)
}

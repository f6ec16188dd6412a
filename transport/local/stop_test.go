package local_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// The order of a stop: nobody new comes in, watches end at once and say why,
// what is being answered is answered, and then we are gone.
func TestStopDrainsWhatIsBeingAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, stop, served := serve(t, house{
			watch: tape(1),
			ask: func(context.Context, messages.Message) (messages.Message, error) {
				<-time.After(3 * time.Second)
				return messages.Done{}, nil
			},
		}, local.Options{Grace: 5 * time.Second})
		c := d.client(t)
		asked, watched := make(chan error, 1), make(chan error, 1)
		go func() { _, err := c.Ask(t.Context(), messages.StopHouse{}); asked <- err }()
		go func() {
			var last error
			for _, err := range c.Watch(t.Context(), messages.Topic{}, 0) {
				last = err
			}
			watched <- last
		}()
		synctest.Wait()
		stop()
		wantCode(t, <-watched, messages.CodeUnavailable, "stopping")
		_, err := c.Ask(t.Context(), messages.GetStatus{})
		wantCode(t, err, messages.CodeUnavailable, "stopping")
		if err := <-asked; err != nil {
			t.Errorf("what was being answered: %v", err)
		}
		if err := served(); err != nil {
			t.Errorf("serve: %v", err)
		}
		_, err = c.Ask(t.Context(), messages.GetStatus{})
		wantCode(t, err, messages.CodeUnavailable, "has gone")
	})
}

// What is not answered within the grace is told that we stop.
func TestStopCutsWhatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, stop, served := serve(t, house{ask: func(ctx context.Context, _ messages.Message) (messages.Message, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, local.Options{Grace: 5 * time.Second})
		c := d.client(t)
		asked := make(chan error, 1)
		go func() { _, err := c.Ask(t.Context(), messages.GetCrew{}); asked <- err }()
		synctest.Wait()
		stop()
		wantCode(t, <-asked, messages.CodeUnavailable)
		if err := served(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

// A house that does not let go cannot hold us: we leave and say how much was
// left.
func TestStopNamesWhatTheHouseHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		d, stop, served := serve(t, house{ask: func(context.Context, messages.Message) (messages.Message, error) {
			<-release
			return messages.Done{}, nil
		}}, local.Options{Grace: time.Second})
		c := d.client(t)
		go func() { _, _ = c.Ask(t.Context(), messages.GetCrew{}) }()
		synctest.Wait()
		stop()
		if err := served(); err == nil || !strings.Contains(err.Error(), "1 requests were never answered") {
			t.Errorf("serve: %v", err)
		}
		close(release)
	})
}

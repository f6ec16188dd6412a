package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

const (
	loopRounds = 15
	loopSteps  = 40 // requests of one round
	loopLimit  = 2 * time.Millisecond
)

// hermes is the loop around a bare model: a turn in which it uses a tool over and
// over, beside the same requests made bare, one after the other, each read to its
// end. What is left of a request is ours: reading the answer, asking for the tool,
// remembering, and writing the next request.
func (b *bench) hermes(ctx context.Context) error {
	for _, api := range []string{hermes.Ollama, hermes.OpenAI} {
		if err := b.loop(ctx, api); err != nil {
			return fmt.Errorf("%s: %w", api, err)
		}
	}
	return nil
}

func (b *bench) loop(ctx context.Context, api string) error {
	stage := &theatre{}
	defer stage.close()
	model := modeltest.New(stage)
	steps := modeltest.Times(loopSteps-1, modeltest.Hermes("I look at one file after the other.", "", modeltest.Tool{Name: "read_file", Input: map[string]string{"path": "./app/main.py"}}))
	model.Add(modeltest.Turn(modeltest.Anybody, append(steps, modeltest.Hermes("", "I have seen them all."))...))
	driver := hermes.New(hermes.Options{Endpoint: model.URL, API: api, ContextTokens: 1 << 20})
	var ours, bare []time.Duration
	for range loopRounds {
		took, err := looped(ctx, driver)
		if err != nil {
			return err
		}
		ours = append(ours, took/loopSteps)
		all := model.Requests()
		if took, err = replayed(ctx, model.URL, api, all[len(all)-loopSteps:]); err != nil {
			return err
		}
		bare = append(bare, took/loopSteps)
	}
	more := median(ours) - median(bare)
	b.table.judge("turn of the hermes loop beyond the bare request, "+api,
		fmt.Sprintf("%s (%s beside %s)", millis(more), millis(median(ours)), millis(median(bare))), "≤ "+millis(loopLimit), more <= loopLimit)
	return stage.fault()
}

// looped is a turn of a new life; its tool has its answer ready.
func looped(ctx context.Context, d messages.Driver) (time.Duration, error) {
	s, err := d.Start(ctx, messages.Spec{
		Model: modeltest.Model, SystemPrompt: "You are a coder.", Tools: []messages.Tool{{Name: "read_file", Schema: []byte(`{"type":"object"}`)}},
	})
	if err != nil {
		return 0, err
	}
	defer s.Stop(ctx)
	began := time.Now()
	if err := s.Send(ctx, messages.Turn{ID: "turn-1", Text: "Look at all files."}); err != nil {
		return 0, err
	}
	for e := range s.Events() {
		switch e.Kind { //nolint:exhaustive // the rest only passes
		case messages.DriverToolAsked:
			if err := s.Answer(ctx, messages.ToolResult{ID: e.Tool.ID, Text: "print('hello')\n"}); err != nil {
				return 0, err
			}
		case messages.DriverTurnEnded:
			if e.End.Class != messages.ClassNone {
				return 0, errors.New(e.End.Text)
			}
			return time.Since(began), nil
		}
	}
	return 0, errors.New("the life has ended")
}

// replayed makes the same requests again, without us.
func replayed(ctx context.Context, url, api string, requests []modeltest.Request) (time.Duration, error) {
	path := "/api/chat"
	if api == hermes.OpenAI {
		path = "/v1/chat/completions"
	}
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	began := time.Now()
	for _, r := range requests {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(r.Body))
		if err != nil {
			return 0, err
		}
		res, err := client.Do(req)
		if err != nil {
			return 0, err
		}
		_, err = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

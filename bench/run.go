package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kurogo/drivers/modeltest"
	"kurogo/drivers/process"
	"kurogo/messages"
)

const (
	runRounds = 5
	runSteps  = 29 // requests of one round: run.max_turns, less one
)

// run is a whole kurogo run of one step, in which the model uses a tool over and
// over: each turn of its loop passes the gateway, is in the trace twice, durably,
// and in the audit trail. Beside it the same requests are made bare. A run whose
// model answers at once is taken off: it is what a run costs, not what a turn does.
func (b *bench) run(ctx context.Context) error {
	dir, err := b.subdir("run")
	if err != nil {
		return err
	}
	stage := &theatre{}
	defer stage.close()
	model := modeltest.New(stage)
	steps := modeltest.Times(runSteps-1, modeltest.Hermes("I look at one file after the other.", "", modeltest.Tool{Name: "read_file", Input: map[string]string{"path": "main.py"}}))
	model.Add(
		modeltest.Turn(modeltest.Who("look at once"), modeltest.Hermes("", "I have seen it.")),
		modeltest.Turn(modeltest.Who("look at all"), append(steps, modeltest.Hermes("", "I have seen them all."))...),
	)
	s := &shop{dir: dir, kurogo: b.kurogo}
	if s.kurogo, err = filepath.Abs(b.kurogo); err != nil {
		return err
	}
	if err := s.furnish(model.URL); err != nil {
		return err
	}
	defer s.verb(context.WithoutCancel(ctx), "stop") //nolint:errcheck // the directory goes anyway
	if err := s.verb(ctx, "run", "--task", "warm", "--plan", "short.json", "--json"); err != nil {
		return err
	}
	var short, long, bare []time.Duration
	for range runRounds {
		one, err := s.took(ctx, "short.json")
		if err != nil {
			return err
		}
		before := len(model.Requests())
		all, err := s.took(ctx, "long.json")
		if err != nil {
			return err
		}
		requests := model.Requests()
		if n := len(requests) - before; n != runSteps {
			return fmt.Errorf("the model was asked %d times, want %d", n, runSteps)
		}
		alone, err := replayed(ctx, model.URL, "ollama", requests[len(requests)-runSteps:])
		if err != nil {
			return err
		}
		short, long, bare = append(short, one), append(long, all), append(bare, alone)
	}
	turn := (median(long) - median(short)) / (runSteps - 1)
	request := median(bare) / runSteps
	b.table.judge("turn of a run beyond the bare request", fmt.Sprintf("%s (%s beside %s)", millis(turn-request), millis(turn), millis(request)), "≤ "+millis(loopLimit), turn-request <= loopLimit)
	b.table.fact("run of one step, one request", millis(median(short)))
	return stage.fault()
}

// A shop is a project of the bench in which runs are made.
type shop struct{ dir, kurogo string }

// furnish writes the project: a configuration, a file, and two plans of one step.
func (s *shop) furnish(url string) error {
	settings := fmt.Sprintf("language = \"en\"\ndriver = \"rehearsal\"\nhealth_check = \"off\"\n[server]\nlisten = \"127.0.0.1:0\"\nmcp_websocket_listen = \"\"\n"+
		"[drivers.hermes]\nendpoint = %q\nmodel = %q\nnative_tools = false\n", url, modeltest.Model)
	files := map[string]string{"kurogo.toml": settings, "main.py": "print('hello')\n"}
	for name, work := range map[string]string{"short.json": "look at once", "long.json": "look at all"} {
		plan, err := json.Marshal(messages.Plan{Summary: "look", Steps: []messages.PlanStep{{ID: "look", Work: work}}})
		if err != nil {
			return err
		}
		files[name] = string(plan)
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "home"), 0o700); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) verb(ctx context.Context, args ...string) error {
	env := []string{"HOME=" + filepath.Join(s.dir, "home"), "PATH=" + os.Getenv("PATH"), "KUROGO_STATE_DIR=" + filepath.Join(s.dir, "s")}
	out, said, code, err := process.Exec{}.Run(ctx, s.dir, env, append([]string{s.kurogo}, args...)...)
	if err == nil && code != 0 {
		err = fmt.Errorf("status %d: %s%s", code, out, said)
	}
	if err != nil {
		return fmt.Errorf("kurogo %v: %w", args, err)
	}
	return nil
}

// took is how long a run of a plan lasts, as whoever orders it sees it.
func (s *shop) took(ctx context.Context, plan string) (time.Duration, error) {
	began := time.Now()
	err := s.verb(ctx, "run", "--task", "look", "--plan", plan, "--json")
	return time.Since(began), err
}

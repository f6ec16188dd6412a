package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/transport/local"
)

const (
	judgings         = 101                  // timed one by one, each beside a bare run of its evaluator
	judgingLimit     = 5 * time.Millisecond // that ours may take longer
	readings         = 10_000               // by the heuristic, over which memory is watched
	warmReadings     = 2_000
	readingsInFlight = 16
	growthLimit      = 16 << 20 // bytes of anonymous memory
)

// judgeVerb makes this program an evaluator that needs no time to think.
const judgeVerb = "fake-judge"

const fakeVerdict = `{"score":7,"rubric_scores":{"completeness":7,"accuracy":7,"clarity":7,"usability":7},` +
	`"suggestions":[{"criterion":"clarity","line":1,"text":"say why"}],"blocker":""}`

// pronounce reads all that it is told, and says its verdict.
func pronounce(in io.Reader, out io.Writer) error {
	_, err := io.Copy(io.Discard, in)
	if err == nil {
		_, err = io.WriteString(out, fakeVerdict+"\n")
	}
	return err
}

const judgeConfig = `driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = ""
[evaluation]
driver = "judge"
[drivers.judge]
kind = "command"
command = %q
args = [%q]
`

// evaluation has documents judged by the real binary, and beside each the same
// evaluator is run without it: what is left is ours. Then ten thousand are judged
// by the heuristic, and its memory stays as it was.
func (b *bench) evaluation(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := b.subdir("evaluation")
	if err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "kurogo"), 0o750); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "kurogo", "kurogo.toml"), fmt.Appendf(nil, judgeConfig, self, judgeVerb), 0o600); err != nil {
		return err
	}
	p, client, err := b.serve(ctx, dir)
	if err != nil {
		return err
	}
	defer p.Stop(ctx)
	defer client.Close()
	if err := b.judgings(ctx, client, self); err != nil {
		return err
	}
	return b.readings(ctx, client, p.Pid())
}

func (b *bench) judgings(ctx context.Context, client *local.Client, self string) error {
	var ours, bare, beyond []time.Duration
	for n := range judgings {
		began := time.Now()
		if _, _, _, err := (process.Exec{}).Run(ctx, b.dir, nil, self, judgeVerb); err != nil {
			return err
		}
		alone := time.Since(began)
		began = time.Now()
		if err := judged(ctx, client, messages.Evaluate{Content: fmt.Sprintf("# Document %d\n\nIt says what it is.\n", n)}); err != nil {
			return err
		}
		took := time.Since(began)
		ours, bare, beyond = append(ours, took), append(bare, alone), append(beyond, took-alone)
	}
	b.table.judge("evaluation, beyond its evaluator's own time",
		fmt.Sprintf("%s (%s, the evaluator alone %s)", millis(median(beyond)), millis(median(ours)), millis(median(bare))),
		"≤ "+millis(judgingLimit), median(beyond) <= judgingLimit)
	return nil
}

// judged orders an evaluation and waits for its end, as every client does.
func judged(ctx context.Context, client *local.Client, word messages.Evaluate) error {
	answer, err := client.Ask(ctx, messages.GetStatus{})
	if err != nil {
		return err
	}
	status, _ := answer.(messages.Status)
	if answer, err = client.Ask(ctx, word); err != nil {
		return err
	}
	job, ok := answer.(messages.Job)
	if !ok {
		return fmt.Errorf("an evaluation was answered with %T", answer)
	}
	topic := messages.Topic{Kinds: []messages.EventKind{job.Kind.Event(messages.JobConcluded)}, IDs: []string{string(job.ID)}}
	for _, err := range client.Watch(ctx, topic, status.LastEvent) {
		if err != nil {
			return err
		}
		break
	}
	if answer, err = client.Ask(ctx, messages.GetJob{Job: job.ID, Limit: 1}); err != nil {
		return err
	}
	if d, ok := answer.(messages.JobDetail); !ok || d.Status != messages.JobCompleted {
		return fmt.Errorf("the evaluation has ended %s: %s", d.Status, d.Error)
	}
	return nil
}

func (b *bench) readings(ctx context.Context, client *local.Client, pid int) error {
	volleyOf := func(from, n int) (time.Duration, error) {
		took, _, err := volley(readingsInFlight, n, func(_, i int) error {
			return judged(ctx, client, messages.Evaluate{Evaluator: "heuristic", Content: fmt.Sprintf("# Document %d\n\n%s\n", from+i, body)})
		})
		return took, err
	}
	if _, err := volleyOf(0, warmReadings); err != nil {
		return err
	}
	_, before, err := resident(pid)
	if err != nil {
		return err
	}
	took, err := volleyOf(warmReadings, readings)
	if err != nil {
		return err
	}
	_, after, err := resident(pid)
	if err != nil {
		return err
	}
	if before == 0 {
		return errors.New("nobody knows how much memory it holds")
	}
	b.table.judge(fmt.Sprintf("memory over %d evaluations by the heuristic (%s)", readings, rate(perSecond(readings, took))),
		fmt.Sprintf("%s, then %s", megabytes(before), megabytes(after)), "+"+megabytes(growthLimit)+" at most", after-before <= growthLimit)
	return nil
}

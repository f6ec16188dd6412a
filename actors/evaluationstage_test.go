package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// A bench is a troupe that judges documents. A document is what its evaluator is
// to do: the tries are parted by "|", so that each evaluator of a document does
// the next; what the last one says of a document below its target is what the
// improving agent does.
type bench struct {
	*troupe
	jobs  *actors.JobDesk
	desk  *actors.EvaluationDesk
	mu    sync.Mutex
	asked map[string]int
	files map[string]string
}

func playBench(t *testing.T, l castList, story func(b *bench)) {
	t.Helper()
	playTroupe(t, l, func(tr *troupe) { story(newBench(tr)) })
}

func newBench(tr *troupe) *bench {
	b := &bench{troupe: tr, asked: map[string]int{}, files: map[string]string{}}
	b.jobs = &actors.JobDesk{Journal: tr.store, Ledger: tr.store, Clock: actors.SystemClock{}}
	b.desk = &actors.EvaluationDesk{
		Journal: tr.store, Ledger: tr.store, Clock: actors.SystemClock{},
		Terms:         actors.EvaluationTerms{Weights: messages.Rubric{Clarity: 1}, Target: 8, Maximum: 5},
		Keys:          tr.company.Keys,
		CheckDocument: func([]byte) error { return nil },
		CheckRubric:   func(r messages.Rubric) (messages.Rubric, error) { return r, nil },
		CheckTarget:   func(float64) error { return nil },
		Read:          func(_, path string) ([]byte, error) { return []byte(b.file(path)), nil },
		Writable:      func(string, string) error { return nil },
		Place: func(dir string) (string, error) {
			if strings.HasPrefix(dir, "/elsewhere") {
				return "", messages.Invalid("workingDirectory", "%s is outside", dir).Try("work here")
			}
			return "/work", nil
		},
		Evaluator: func(context.Context) (string, error) { return "review", nil },
		Improver:  func(context.Context) (string, error) { return "code", nil },
	}
	if err := tr.tree.StartJobs(tr.company, tr.store, map[messages.JobKind]actors.Leader{messages.JobEvaluation: b.assessor().Lead}); err != nil {
		tr.t.Fatal(err)
	}
	return b
}

// file and put are what is on the disk: who writes it is an actor.
func (b *bench) file(path string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.files[path]
}

func (b *bench) put(path, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files[path] = text
}

func (b *bench) assessor() actors.Assessor {
	return actors.Assessor{
		Tries: 3, Timeout: 2 * time.Minute,
		Replace: func(_, path, before, after string) error {
			if now := b.file(path); now != before && now != after {
				return messages.Errorf(messages.CodeConflict, "%s has changed", path)
			}
			b.put(path, after)
			return nil
		},
		Judge: actors.Judge{
			Schema: json.RawMessage(`{"type":"object"}`), ImproveSchema: json.RawMessage(`{"type":"object"}`),
			Prompt: func(doc string, _ messages.Rubric) string { return b.next(doc) },
			Verdict: func(text string, _ messages.Rubric) (v messages.Verdict, err error) {
				score, then, _ := strings.Cut(text, " ")
				if v.Score, err = strconv.ParseFloat(score, 64); err != nil {
					return v, fmt.Errorf("no verdict: %w", err)
				}
				v.Suggestions = []messages.Suggestion{{Criterion: messages.Clarity, Text: then}}
				return v, nil
			},
			Heuristic: func(string, messages.Rubric) messages.Verdict { return messages.Verdict{Score: 4.5} },
			ImprovePrompt: func(_ string, v messages.Verdict, _ messages.Rubric, _ float64) string {
				return b.next(v.Suggestions[0].Text)
			},
			Improved: func(text string) (doc, summary string, err error) {
				return text, "rewritten", nil
			},
			Stopped: stopped,
			Best: func(rounds []messages.Round) int {
				best := 0
				for i, r := range rounds {
					if r.Verdict.Score > rounds[best].Verdict.Score {
						best = i
					}
				}
				return best
			},
			Diff: func(before, after, _ string) string {
				if before == after {
					return ""
				}
				return "-" + before + "\n+" + after
			},
		},
	}
}

func stopped(rounds []messages.Round, target float64, maximum int) messages.Stop {
	switch last := rounds[len(rounds)-1].Verdict; {
	case last.Passes(target):
		return messages.StopTarget
	case last.Blocker != "":
		return messages.StopBlocker
	case len(rounds) >= maximum:
		return messages.StopMaximum
	}
	return messages.GoOn
}

// next is what the next agent that is asked about this text does.
func (b *bench) next(text string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	tries := strings.Split(text, "|")
	n := b.asked[text]
	b.asked[text]++
	return tries[min(n, len(tries)-1)]
}

func (b *bench) evaluate(m messages.Evaluate) messages.Job {
	b.t.Helper()
	return answered[messages.Job](b.t, b.desk, m)
}

func (b *bench) job(id messages.JobID) messages.JobDetail {
	b.t.Helper()
	d, err := actors.Recall(b.store, id)
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// states lists what was told of a job.
func (b *bench) states(id messages.JobID) (out []string) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := b.store.Last()
	for e, err := range b.store.Watch(ctx, messages.Topic{IDs: []string{string(id)}, Kinds: []messages.EventKind{"evaluation:created", "evaluation:status_update", "evaluation:completed"}}, 0) {
		var job messages.Job
		if err != nil || json.Unmarshal(e.Data, &job) != nil {
			b.t.Fatal(err)
		}
		if e.Kind == "evaluation:completed" {
			return append(out, string(job.Status))
		}
		out = append(out, job.State)
		if e.Seq >= last {
			return out
		}
	}
	return out
}

func read[T any](t *testing.T, raw json.RawMessage) (out T) {
	t.Helper()
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

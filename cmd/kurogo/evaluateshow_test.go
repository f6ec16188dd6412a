package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"kurogo/config"
	"kurogo/messages"
)

func entryFor(t *testing.T, kind string, body any) messages.JobEntry {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return messages.JobEntry{Kind: kind, Body: text}
}

// What a round looks like on a terminal: what is being done stands below and is
// taken back, each criterion has its bar, and what comes next is said.
func TestARoundOnATerminal(t *testing.T) {
	t.Parallel()
	round := messages.EvaluationRound{Round: messages.Round{Number: 2, Verdict: messages.Verdict{
		Score: 6.4, Scores: messages.Rubric{Completeness: 9.6, Accuracy: 6.5, Clarity: 3.4},
		Suggestions: []messages.Suggestion{{Criterion: messages.Usability, Line: 4, Text: "say\x1b[2J how"}},
	}}}
	for language, want := range map[string]string{
		"en": dim + "… evaluating" + plainC + "\r\x1b[K" + `round 2  6.4
  completeness  ██████████   9.6  × 0.25
  accuracy      ███████░░░   6.5  × 0.25
  clarity       ███░░░░░░░   3.4  × 0.25
  usability     ░░░░░░░░░░   0.0  × 0.25
next: L4 · usability · say[2J how
`,
		"ja": dim + "… 評価中" + plainC + "\r\x1b[K" + `第2回  6.4
  完全性  ██████████   9.6  × 0.25
  正確性  ███████░░░   6.5  × 0.25
  明確性  ███░░░░░░░   3.4  × 0.25
  実用性  ░░░░░░░░░░   0.0  × 0.25
次に直すところ: L4 · usability · say[2J how
`,
	} {
		var to bytes.Buffer
		p := &program{cfg: config.Config{Language: language}}
		l := &lectern{program: p, to: &to, alive: true, in: messages.EvaluationInput{
			Improve: true, Target: 8, Weights: messages.Rubric{Completeness: .25, Accuracy: .25, Clarity: .25, Usability: .25},
		}}
		l.state("evaluating")
		l.state("evaluating")
		if err := l.entry(entryFor(t, messages.EntryRound, round)); err != nil {
			t.Fatal(err)
		}
		if to.String() != want {
			t.Errorf("%s:\n%q, want\n%q", language, to.String(), want)
		}
	}
}

// Tries that were nobody's fault are not told; what cannot be read is an error.
func TestWhatElseIsTold(t *testing.T) {
	t.Parallel()
	var to bytes.Buffer
	l := &lectern{program: &program{}, to: &to}
	for _, e := range []messages.JobEntry{
		entryFor(t, messages.EntryTry, messages.EvaluationTry{Error: "no JSON", Counted: true}),
		entryFor(t, messages.EntryTry, messages.EvaluationTry{Error: "kurogo fell"}),
		entryFor(t, messages.EntryVersion, messages.EvaluationVersion{Version: 1, Summary: "shorter\nby half"}),
		entryFor(t, messages.EntryRound, messages.EvaluationRound{}), // its verdict will be printed
		{Kind: "unheard-of"},
	} {
		if err := l.entry(e); err != nil {
			t.Fatal(err)
		}
	}
	l.state("evaluating")
	if want := "try failed: no JSON\nversion 1: shorter by half\n"; to.String() != want {
		t.Errorf("%q, want %q", to.String(), want)
	}
	for _, kind := range []string{messages.EntryTry, messages.EntryVersion, messages.EntryRound} {
		if l.entry(messages.JobEntry{Kind: kind, Body: json.RawMessage("[")}) == nil {
			t.Errorf("a broken %s is told", kind)
		}
	}
}

// Every word is there in both languages, and takes the same values.
func TestEvaluationWords(t *testing.T) {
	t.Parallel()
	for key, word := range evaluationWords {
		if word.en == "" || word.ja == "" || strings.Count(word.en, "%") != strings.Count(word.ja, "%") {
			t.Errorf("%s: %q and %q", key, word.en, word.ja)
		}
	}
	for _, c := range messages.Criteria() {
		if _, ok := evaluationWords[string(c)]; !ok {
			t.Errorf("there is no word for %s", c)
		}
	}
	for _, stop := range []messages.Stop{messages.StopTarget, messages.StopMaximum, messages.StopPlateau, messages.StopBlocker} {
		if _, ok := evaluationWords[string(stop)]; !ok {
			t.Errorf("there is no word for %s", stop)
		}
	}
}

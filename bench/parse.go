package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kurogo/drivers/claude"
	"kurogo/drivers/process"
	"kurogo/messages"
)

const (
	parseRounds = 7
	parseRound  = 300 * time.Millisecond
	parseLimit  = 100e6 // bytes a second
	transcripts = "drivers/claude/testdata/transcripts/*.ndjson"
)

// parse hears every line that real versions of Claude Code were seen to write.
// Beside it, in turns, encoding/json only looks whether the same lines are valid.
func (b *bench) parse(context.Context) error {
	lines, err := spoken()
	if err != nil {
		return err
	}
	hear := func() error {
		d := claude.NewDialogue(messages.Spec{}, "")
		for _, line := range lines {
			if _, err := d.Hear(line); err != nil {
				return err
			}
		}
		return nil
	}
	look := func() error {
		for _, line := range lines {
			if !json.Valid(line.Text) {
				return fmt.Errorf("this is no JSON: %.80s", line.Text)
			}
		}
		return nil
	}
	var heard, valid []float64
	for range parseRounds {
		for _, one := range []struct {
			do   func() error
			rate *[]float64
		}{{hear, &heard}, {look, &valid}} {
			r, err := throughput(lines, one.do)
			if err != nil {
				return err
			}
			*one.rate = append(*one.rate, r)
		}
	}
	b.table.judge("stream of claude, heard", fmt.Sprintf("%.0f MB/s (only looked whether it is JSON: %.0f)", median(heard)/1e6, median(valid)/1e6),
		fmt.Sprintf("≥ %.0f MB/s", parseLimit/1e6), median(heard) >= parseLimit)
	return nil
}

// throughput is how many bytes of lines are done a second, over and over.
func throughput(lines []process.Line, do func() error) (float64, error) {
	size, times, began := 0, 0, time.Now()
	for _, line := range lines {
		size += len(line.Text)
	}
	for time.Since(began) < parseRound {
		if err := do(); err != nil {
			return 0, err
		}
		times++
	}
	return float64(size*times) / time.Since(began).Seconds(), nil
}

// spoken are the lines of the transcripts. A transcript of both directions names
// them, and only what the CLI said counts.
func spoken() ([]process.Line, error) {
	files, err := filepath.Glob(transcripts)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no %s: run this at the root of the repository", transcripts)
	}
	if err != nil {
		return nil, err
	}
	var out []process.Line
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(text) {
			var both struct {
				Dir string          `json:"dir"`
				Msg json.RawMessage `json:"msg"`
			}
			if line = bytes.TrimSpace(line); json.Unmarshal(line, &both) != nil || both.Dir == "in" {
				continue
			}
			if both.Dir == "out" {
				line = both.Msg
			}
			out = append(out, process.Line{Text: line})
		}
	}
	return out, nil
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"time"

	"kurogo/evaluate"
)

const (
	judgeRounds = 7
	judgeRound  = 300 * time.Millisecond
	judgeSize   = 20_000 // bytes
	judgeLimit  = 500.0  // documents a second
	judgedText  = "README.md"
)

// evaluate judges one document over and over by the heuristic, on one core.
func (b *bench) evaluate(context.Context) error {
	text, err := os.ReadFile(judgedText)
	if err == nil && len(text) == 0 {
		err = fmt.Errorf("there is nothing in %s: run this at the root of the repository", judgedText)
	}
	if err != nil {
		return err
	}
	doc := string(bytes.ToValidUTF8(bytes.Repeat(text, 1+judgeSize/len(text))[:judgeSize], nil))
	var rates []float64
	for range judgeRounds {
		n, began := 0, time.Now()
		for time.Since(began) < judgeRound {
			if v := evaluate.Heuristic(doc, evaluate.DefaultRubric()); v.Score == 0 {
				return fmt.Errorf("the heuristic gives %s nothing", judgedText)
			}
			n++
		}
		rates = append(rates, perSecond(n, time.Since(began)))
	}
	b.table.judge("heuristic, 20 KB of Markdown", rate(median(rates)), fmt.Sprintf("≥ %.0f/s", judgeLimit), median(rates) >= judgeLimit)
	return nil
}

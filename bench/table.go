package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// A table is what the run found out, in the order of finding out.
type table struct {
	rows   []row
	missed bool
}

type row struct{ figure, measured, limit, verdict string }

// judge adds a figure that must keep a limit.
func (t *table) judge(figure, measured, limit string, kept bool) {
	verdict := "ok"
	if !kept {
		verdict, t.missed = "MISSED", true
	}
	t.rows = append(t.rows, row{figure, measured, limit, verdict})
}

// fact adds what is only reported.
func (t *table) fact(figure, measured string) {
	t.rows = append(t.rows, row{figure: figure, measured: measured})
}

func (t *table) print(to io.Writer) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FIGURE\tMEASURED\tLIMIT\tVERDICT")
	for _, r := range t.rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.figure, r.measured, r.limit, r.verdict)
	}
	_ = w.Flush()
}

// quantiles are durations in ascending order.
type quantiles []time.Duration

func quantilesOf(d []time.Duration) quantiles { return slices.Sorted(slices.Values(d)) }

func (q quantiles) at(p float64) time.Duration {
	if len(q) == 0 {
		return 0
	}
	return q[int(float64(len(q)-1)*p)]
}

// median is the middle one, of an odd number of rounds.
func median[T int64 | float64 | time.Duration](of []T) T {
	if len(of) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

func perSecond(n int, d time.Duration) float64 { return float64(n) / d.Seconds() }

func rate(r float64) string {
	switch {
	case r >= 10e6:
		return fmt.Sprintf("%.0f M/s", r/1e6)
	case r >= 1e6:
		return fmt.Sprintf("%.1f M/s", r/1e6)
	case r >= 10e3:
		return fmt.Sprintf("%.0f,000/s", r/1e3)
	}
	return fmt.Sprintf("%.0f/s", r)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1e3) }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) stats() *cobra.Command {
	var since time.Duration
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show how the runs have gone",
		Long: `Stats counts the runs that have ended: how many came to their end, how long they
took, what the policy refused, what was repaired, whether the same task is planned
in the same way (--replan), and whether plans rely on the files that they change.`,
		Example: "  kurogo stats\n  kurogo stats --since 168h --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var q messages.GetStats
			switch {
			case since < 0:
				return messages.Invalid("since", "%s is no time that has passed", since).Try("give for example 24h")
			case since > 0:
				q.Since = time.Now().Add(-since)
			}
			s, err := ask[messages.Stats](c.Context(), p, q)
			if err != nil {
				return err
			}
			return p.showStats(s)
		},
	}
	c.Flags().DurationVar(&since, "since", 0, "only of so long ago, for example 24h (default: all)")
	return c
}

func (p *program) showStats(s messages.Stats) error {
	if p.flags.json {
		return p.print(s)
	}
	if s.Runs == 0 {
		p.tell("%s", p.sayRun("no stats"))
		return nil
	}
	percent := func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
	t := p.table()
	for _, row := range [][2]string{
		{"runs", strconv.Itoa(s.Runs)},
		{"success", percent(s.Success)},
		{"partial", strconv.Itoa(s.Partial)},
		{"p95", (time.Duration(s.P95) * time.Millisecond).String()},
		{"refusals", strconv.Itoa(s.Refusals)},
		{"repairs", strconv.Itoa(s.Repairs)},
		{"repair size", fmt.Sprintf("%.1f", s.RepairSize)},
		{"reproduced", fmt.Sprintf("%s (%d)", percent(s.Reproduced), s.Replanned)},
		{"evidence", percent(s.Evidence)},
	} {
		t.add(p.sayRun(row[0]), row[1])
	}
	return t.print(p.out)
}

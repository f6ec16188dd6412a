package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) search() *cobra.Command {
	var q messages.Search
	var files bool
	var lines int
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find the passages of the project that fit a question",
		Long: `Search finds functions, types and sections by what they say and what they are
called, each with its file and lines. It knows the project as it is now: what has
changed since the last look is read first, and what could not be is named.`,
		Example: "  kurogo search \"where is a message acknowledged\"\n  kurogo search retry --path actors/ --top 3\n  kurogo search \"parse plan\" --intent tests --json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q.Query = strings.Join(args, " ")
			if files {
				q.Granularity = messages.FileGranularity
			}
			return p.find(c.Context(), q, lines)
		},
	}
	f := c.Flags()
	f.IntVar(&q.TopK, "top", 5, "how many passages")
	f.StringVar(&q.Filters.PathPrefix, "path", "", "only files below this path")
	f.BoolVar(&files, "files", false, "one good place per file")
	f.StringVar((*string)(&q.Intent), "intent", "", "what you are about to do: implementation, change or tests")
	f.IntVar(&lines, "lines", 12, "how many lines of each passage are shown; 0 = all")
	return c
}

func (p *program) find(ctx context.Context, q messages.Search, lines int) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	found, err := askOn[messages.Found](ctx, client, q)
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(found)
	}
	if len(found.Chunks) == 0 {
		p.tell("%s", p.either("nothing fits; kurogo index says what is known", "該当する箇所がありません。kurogo index で索引の状態を確認できます"))
	}
	mark := p.marker(q.Query)
	for i, c := range found.Chunks {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		p.showPassage(c, lines, mark)
	}
	if n := len(found.StaleFiles); n > 0 {
		p.tell(p.either("changed since the last look: %s", "前回の読み込み後に変更: %s"), strings.Join(found.StaleFiles[:min(n, 5)], ", "))
	}
	return nil
}

// showPassage prints a place and the lines that stand there, as they stand there.
func (p *program) showPassage(c messages.Chunk, most int, mark func(string) string) {
	head := clean(c.Path) + "#" + c.Span
	if p.colours(p.out) {
		head = bold + head + plainC
	}
	if c.Symbol != "" {
		head += "  " + clean(c.Symbol)
	}
	fmt.Fprintf(p.out, "%s  %.1f\n", head, c.Score)
	from, _ := strconv.Atoi(strings.TrimPrefix(strings.SplitN(c.Span, "-", 2)[0], "L"))
	text := strings.Split(strings.TrimRight(c.Text, "\n"), "\n")
	for i, line := range text {
		if most > 0 && i == most && len(text) > most+1 { // one line has as much room as its number
			fmt.Fprintf(p.out, "%6s … +%d\n", "", len(text)-most)
			break
		}
		number := fmt.Sprintf("%6d", from+i)
		if line = strings.TrimRight(harmless(line), " \t"); line != "" {
			number += "  " + mark(line)
		}
		fmt.Fprintln(p.out, number)
	}
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) index() *cobra.Command {
	var watch bool
	c := &cobra.Command{
		Use:   "index",
		Short: "Bring the index of the project in step, and say what it holds",
		Long: `Index reads what has changed since it last looked, and nothing else: the cost is
that of the change. It is made again by itself whenever somebody searches, and
after each commit where the hooks are installed (kurogo hook install). With
--watch it goes on looking until Ctrl-C.`,
		Example: "  kurogo index\n  kurogo index --watch\n  kurogo index --json",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return p.syncIndex(c.Context(), watch) },
	}
	c.Flags().BoolVar(&watch, "watch", false, "go on looking for changes")
	return c
}

// indexed is what one look has found.
type indexed struct {
	messages.Ingested
	Status messages.IndexStatus `json:"status"`
}

// wantIndex is an error where the configuration wants no index: nobody would know
// what is asked.
func (p *program) wantIndex() error {
	if p.cfg.Index.Enabled {
		return nil
	}
	return indexOff()
}

func (p *program) syncIndex(ctx context.Context, watch bool) error {
	if err := p.wantIndex(); err != nil {
		return err
	}
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	for first := true; ; first = false {
		if first && isTerminal(p.err) && !p.flags.json {
			p.tell("%s", p.either("reading the project …", "プロジェクトを読んでいます…"))
		}
		done, err := askOn[messages.Ingested](ctx, client, messages.SyncIndex{})
		if err != nil {
			return err
		}
		status, err := askOn[messages.IndexStatus](ctx, client, messages.GetIndexStatus{})
		if err != nil {
			return err
		}
		if first || done.Added+done.Modified+done.Deleted+done.Renamed > 0 {
			if err := p.showIndexed(indexed{done, status}); err != nil {
				return err
			}
		}
		if !watch {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(p.cfg.Index.Watch, time.Second)):
		}
	}
}

func (p *program) showIndexed(i indexed) error {
	if p.flags.json {
		return p.print(i)
	}
	_, err := fmt.Fprintf(p.out, p.either(
		"%d files, %d passages: %d new, %d changed, %d renamed, %d gone, %d unchanged (%d read anew, %d left out)\n",
		"%d ファイル、%d 箇所: 追加 %d、変更 %d、改名 %d、削除 %d、変更なし %d(新たに読んだもの %d、対象外 %d)\n",
	), i.Status.Files, i.Status.Chunks, i.Added, i.Modified, i.Renamed, i.Deleted, i.Unchanged, i.Parsed, i.Skipped)
	return err
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
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

func (p *program) syncIndex(ctx context.Context, watch bool) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	for first := true; ; first = false {
		show := first && isTerminal(p.err) && p.getenv("TERM") != "dumb" && !p.flags.json
		done, err := p.bringInStep(ctx, client, show)
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

// bringInStep has the index look, and on a terminal shows how far it is.
func (p *program) bringInStep(ctx context.Context, h local.House, show bool) (done messages.Ingested, err error) {
	if !show {
		return askOn[messages.Ingested](ctx, h, messages.SyncIndex{})
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		done, err = askOn[messages.Ingested](ctx, h, messages.SyncIndex{})
	}()
	defer fmt.Fprint(p.err, "\r\x1b[K")
	began := time.Now()
	tick := time.NewTicker(time.Second / 2)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return done, err
		case <-tick.C:
		}
		status, err := askOn[messages.IndexStatus](ctx, h, messages.GetIndexStatus{})
		if err != nil {
			continue // what is asked above will tell
		}
		how := p.either("reading the project: %d files, %d passages, %s", "プロジェクトを読んでいます: %d ファイル、%d 箇所、%s")
		if !status.Syncing {
			how = p.either("learning from the project: %d files, %d passages, %s", "プロジェクトから学んでいます: %d ファイル、%d 箇所、%s")
		}
		said := fmt.Sprintf(how, status.Files, status.Chunks, time.Since(began).Round(time.Second))
		fmt.Fprint(p.err, "\r\x1b[K"+dim+"… "+said+plainC)
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

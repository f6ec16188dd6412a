package main

import (
	"context"
	"path/filepath"

	"kurogo/actors"
	"kurogo/messages"
)

// A gateway is the file gateway of the project, for whoever comes by HTTP or MCP.
type gateway struct {
	*actors.FilesDesk
	own *grounds // nil: it shares those of the runs
}

// openGateway opens the desk in front of the workspace. Runs may use a gateway of
// somebody else; whoever asks us is meant to reach ours.
func (h *house) openGateway(clock actors.Clock) *gateway {
	root := h.cfg.Workspace.Root
	if !filepath.IsAbs(root) {
		root = filepath.Join(h.site.project, root)
	}
	g := &gateway{}
	shared := h.workshop.grounds
	if shared.url != "" {
		cfg := h.cfg
		cfg.Run.MCPURL = ""
		g.own = newGrounds(cfg, h.site, h.log)
		shared = g.own
	}
	g.FilesDesk = actors.NewFilesDesk(actors.FilesDesk{
		Of: func(ctx context.Context, by messages.Caller) (actors.Workspace, error) {
			if by.Agent != "" {
				a, err := h.store.Agent(ctx, by.Agent)
				if err != nil {
					return nil, err
				}
				if a.Isolation == messages.IsolationWorktree || a.Dir != h.site.project {
					return nil, messages.Errorf(messages.CodeDenied, "%s works in a directory of its own", by.Agent).Try("use your own tools for files there")
				}
			}
			return shared.of(ctx, plot{root: root})
		},
		Archive: h.store, Clock: clock, NewID: messages.NewID,
	}, h.store)
	return g
}

func (g *gateway) close() error {
	if g == nil {
		return nil
	}
	g.Close()
	if g.own == nil {
		return nil
	}
	return g.own.close()
}

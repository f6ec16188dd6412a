package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/mcp"
	"kurogo/transport/tools"
)

func (p *program) mcp() *cobra.Command {
	var standalone bool
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve this project's tools to an MCP client, on stdin and stdout",
		Long: `Mcp is what Cursor, Claude Code, Codex and other MCP clients start. It connects
to the owner of the project, starts one where there is none, and offers its
tools: groups, agents, results, tasks, messages. When stdin ends it leaves at
once; the owner and its agents stay. With --standalone everything runs in this
one process, and ends with it.`,
		Example: `  kurogo mcp install claude             # tell Claude Code of it
  kurogo mcp --project ~/src/app        # what a client runs`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.serveMCP(c.Context(), standalone) },
	}
	c.Flags().BoolVar(&standalone, "standalone", false, "own the project in this process")
	c.AddCommand(p.mcpInstall())
	return c
}

// serveMCP serves one client on the pipe. stdout carries nothing but JSON-RPC.
func (p *program) serveMCP(ctx context.Context, standalone bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	who := messages.Caller{Dir: dir, Env: p.lentKeys()}
	log := p.standaloneLogger()
	if !standalone {
		l := &line{p: p}
		defer l.close()
		if _, err := l.reach(ctx); err != nil { // say at once what is wrong
			return err
		}
		return p.pipe(ctx, l, who)
	}
	if err := p.notInside(); err != nil {
		return err
	}
	h, err := openHouse(ctx, p.site, p.cfg, log, true)
	if err != nil {
		return err
	}
	if err = h.serve(func(int) {}); err == nil {
		work, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			select {
			case <-h.leave:
				stop()
			case <-work.Done():
			}
		}()
		err = p.pipe(work, h, who)
	}
	return errors.Join(err, h.close(context.WithoutCancel(ctx)))
}

// pipe is the session of one client.
func (p *program) pipe(ctx context.Context, port tools.Port, who messages.Caller) error {
	server := mcp.New(mcp.Options{
		Catalogue: tools.New(port, tools.Options{Limits: p.cfg.MessageLimits(), Log: p.standaloneLogger()}), Version: version,
		Instructions: tools.Instructions(p.cfg.Language), Checked: true, Legacy: p.cfg.Server.LegacyErrorCodes, Log: p.standaloneLogger(),
	})
	defer server.Close()
	err := server.ServeStdio(ctx, os.Stdin, p.out, who)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = nil
	}
	return err
}

// lentKeys are the keys of our own environment that agents may need. The owner
// hands each only to agents of its own driver.
func (p *program) lentKeys() map[string]string {
	out := map[string]string{}
	for _, names := range lent {
		for _, name := range names {
			if value := p.getenv(name); value != "" {
				out[name] = value
			}
		}
	}
	return out
}

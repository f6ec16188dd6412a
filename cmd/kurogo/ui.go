package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) ui() *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "ui [ID]",
		Short: "Open the dashboard in the browser, at an agent, a group, a task or a persona",
		Long: `Ui prints an address that logs one browser in, once, within two minutes, and
opens it where there is a desktop. An ID leads to the page of that thing.`,
		Example: "  kurogo ui\n  kurogo ui impl-code-1739487600-a3f2\n  kurogo ui --no-browser",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := p.notInside(); err != nil {
				return err
			}
			return p.openUI(c.Context(), append(args, "")[0], quiet)
		},
	}
	c.Flags().BoolVar(&quiet, "no-browser", false, "only print the address")
	return c
}

func (p *program) openUI(ctx context.Context, id string, quiet bool) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	page, err := pageOf(ctx, client, id)
	if err != nil {
		return err
	}
	where, err := askOn[messages.Login](ctx, client, messages.GetLogin{})
	if err != nil {
		return err
	}
	if page != "/" {
		where.URL += "&next=" + url.QueryEscape(page)
	}
	if p.flags.json {
		err = p.print(where)
	} else {
		_, err = fmt.Fprintln(p.out, where.URL)
	}
	opener := p.opener()
	if err != nil || quiet || opener == "" {
		return err
	}
	if err := p.browse(ctx, opener, where.URL); err != nil {
		p.tell(p.say("no browser"), err)
	}
	return nil
}

// invite tells where the stage can be watched, if it can: an address that lets
// one browser in.
func (p *program) invite(e *edge, sentence string) {
	if e != nil && len(e.http) > 0 {
		p.tell(p.say(sentence), e.url(e.guard.Load().Login()))
	}
}

// pageOf is the page of what has this id, whatever it is.
func pageOf(ctx context.Context, h local.House, id string) (string, error) {
	if id == "" {
		return "/", nil
	}
	for _, kind := range []struct {
		ask  messages.Message
		page string
	}{
		{messages.GetAgent{Agent: messages.AgentID(id)}, "/agents/" + id},
		{messages.GetGroup{Group: messages.GroupID(id)}, "/groups/" + id},
		{messages.GetTask{Task: messages.TaskID(id)}, "/tasks/" + id},
		{messages.GetMember{Name: messages.Address(id)}, "/flow"},
	} {
		_, err := h.Ask(ctx, kind.ask)
		if !messages.IsCode(err, messages.CodeNotFound) {
			return kind.page, err
		}
	}
	e := messages.Errorf(messages.CodeNotFound, "there is no agent, group, task or persona %q", id).Try("see kurogo ps, kurogo group, kurogo tasks or kurogo crew")
	e.Field = "id"
	return "", e
}

// opener is the command that opens an address on this desktop, "" where there is
// none.
func (p *program) opener() string {
	switch {
	case runtime.GOOS == "darwin":
		return "open"
	case p.getenv("DISPLAY") != "" || p.getenv("WAYLAND_DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}

// browserPatience is how long we stay to hear that a browser could not be opened. One that
// can may never end.
const browserPatience = 2 * time.Second

// browse hands the address to the desktop. What it starts outlives us.
func (p *program) browse(ctx context.Context, opener, address string) error {
	path, err := process.Look(opener)
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("open browser: %w", err)
	}
	defer null.Close()
	child, err := os.StartProcess(path, []string{opener, address}, &os.ProcAttr{
		Env: p.environ, Files: []*os.File{null, null, null}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("open browser: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		state, err := child.Wait()
		if err == nil && !state.Success() {
			err = errors.New(opener + ": " + state.String())
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-time.After(browserPatience):
	case <-ctx.Done():
	}
	return nil
}

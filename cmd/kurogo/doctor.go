package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kurogo/drivers/claude"
	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/local"
)

// A finding is one line of the doctor's.
type finding struct {
	What   string `json:"what"`
	Ok     bool   `json:"ok"`
	Detail string `json:"detail"`
}

func (p *program) doctor() *cobra.Command {
	var journal bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say where everything is and whether it is well",
		Long: `Doctor starts nothing and changes nothing. With --journal it checks every
invariant of the journal: the promises that nothing is lost, as queries.`,
		Example: "  kurogo doctor\n  kurogo doctor --journal",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if journal {
				return p.checkJournal(c.Context())
			}
			return p.examine(c.Context())
		},
	}
	c.Flags().BoolVar(&journal, "journal", false, "check the invariants of the journal")
	return c
}

func (p *program) examine(ctx context.Context) error {
	path := p.cfg.Path
	if path == "" {
		path = "built-in defaults (kurogo init writes a file)"
	}
	found := []finding{
		{"version", true, version},
		{"project", true, p.site.project},
		p.state(),
		{"configuration", true, path},
		{"language", true, p.cfg.Language},
	}
	found = append(found, p.owner(ctx)...)
	pickDriver(ctx, &p.cfg, p.site)
	d, err := chooseDrivers(p.cfg, p.site)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.byName)) {
		caps, err := d.of(name).Probe(ctx)
		f := finding{"driver " + name, err == nil, "version " + caps.Version}
		if caps.Rehearsal {
			f.Detail = "a rehearsal: it plays a script, nobody thinks"
		}
		if err != nil {
			f.Detail = messages.AsError(err).Error()
		}
		if err != nil && spare(p.cfg, name) {
			f.Ok, f.Detail = true, "the heuristic judges documents; "+f.Detail
		}
		found = append(found, f)
	}
	found = append(found, p.sandbox(ctx))
	return p.showFindings(append(found, p.login(ctx, d)...))
}

// login says with what Claude Code would call its model, where it is installed:
// asking costs nothing. Not to be logged in is a fault only if the crew needs it.
func (p *program) login(ctx context.Context, d drivers) []finding {
	settings := p.cfg.Drivers[claude.Kind]
	if !installed(cmp.Or(settings.Command, claude.Kind)) {
		return nil
	}
	l, err := claude.LoggedIn(ctx, claudeOptions(settings, p.site))
	switch {
	case err != nil:
		return []finding{{"login claude", !d.paid[claude.Kind], messages.AsError(err).Error()}}
	case !l.In:
		return []finding{{"login claude", !d.paid[claude.Kind], "not logged in: run claude once by hand, or set ANTHROPIC_API_KEY; until then the rehearsal plays"}}
	}
	return []finding{{"login claude", true, l.Method + ", " + l.Config + " configuration"}}
}

func (p *program) state() finding {
	if err := p.site.writable(); err != nil {
		return finding{"state", false, err.Error()}
	}
	return finding{"state", true, p.site.state}
}

func (p *program) owner(ctx context.Context) []finding {
	client, err := p.dial(ctx)
	switch {
	case errors.Is(err, local.ErrNobody):
		return []finding{{"owner", true, "nobody serves; the next verb that needs one starts it"}}
	case err != nil:
		return []finding{{"owner", false, messages.AsError(err).Error()}}
	}
	defer client.Close()
	s, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return []finding{{"owner", false, err.Error()}}
	}
	return []finding{
		{"owner", true, fmt.Sprintf("pid %d since %s ago, %d open tasks, %d processes", s.Pid, age(s.StartedAt), s.OpenTasks, len(process.Find(s.Store)))},
		{"http", true, address(s.HTTP, p.cfg.Server.Listen)},
		{"mcp websocket", true, address(s.WebSocket, p.cfg.Server.MCPWebSocketListen)},
		{"token", true, p.site.token() + ": every program of your user can read it"},
	}
}

// address says where the owner listens, and where it should.
func address(is, should string) string {
	switch {
	case is == "" && should == "":
		return "off"
	case is == "":
		return "somebody else has " + should + ": end it, or name another address in kurogo.toml"
	case is != should && !strings.HasSuffix(should, ":0"):
		return is + " (somebody else has " + should + ")"
	}
	return is
}

func (p *program) showFindings(found []finding) error {
	bad := false
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, f := range found {
		bad = bad || !f.Ok
		if p.flags.json {
			if err := p.print(f); err != nil {
				return err
			}
			continue
		}
		mark := "ok"
		if !f.Ok {
			mark = "!!"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", mark, f.What, f.Detail)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if bad {
		return silent{messages.CodeUnavailable.Exit()}
	}
	return nil
}

// checkJournal asks the owner, or looks for itself where nobody serves.
func (p *program) checkJournal(ctx context.Context) error {
	report, err := p.journalReport(ctx)
	if err != nil {
		return err
	}
	if p.flags.json {
		if err := p.print(report); err != nil {
			return err
		}
	}
	if len(report.Violations) == 0 {
		p.tell(p.say("journal sound"), len(report.Checked))
		return nil
	}
	p.tell(p.say("journal broken"), len(report.Violations))
	for _, v := range report.Violations {
		p.tell("  %s: %s", v.Invariant, v.Subject)
	}
	return silent{1}
}

func (p *program) journalReport(ctx context.Context) (messages.JournalReport, error) {
	client, err := p.dial(ctx)
	if err == nil {
		defer client.Close()
		return askOn[messages.JournalReport](ctx, client, messages.CheckJournal{})
	}
	if !errors.Is(err, local.ErrNobody) {
		return messages.JournalReport{}, err
	}
	if err := p.site.writable(); err != nil {
		return messages.JournalReport{}, err
	}
	release, err := local.Lock(p.site.lock())
	if err != nil {
		return messages.JournalReport{}, err
	}
	defer release()
	if _, err := os.Stat(p.site.journal()); err != nil {
		return messages.JournalReport{}, messages.Errorf(messages.CodeNotFound, "there is no journal in %s yet", p.site.state).Try("submit a task first")
	}
	store, err := sqlite.Open(ctx, p.site.journal(), sqlite.Options{Limits: p.cfg.MessageLimits()})
	if err != nil {
		return messages.JournalReport{}, err
	}
	report, err := store.Check(ctx)
	return report, errors.Join(err, store.Close())
}

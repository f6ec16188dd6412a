package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) crew() *cobra.Command {
	c := &cobra.Command{
		Use:     "crew",
		Short:   "Show who is doing what",
		Example: "  kurogo crew\n  kurogo crew stop research\n  kurogo crew start research",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			crew, err := ask[messages.Crew](c.Context(), p, messages.GetCrew{})
			if err != nil {
				return err
			}
			return p.showCrew(crew)
		},
	}
	c.AddCommand(
		p.order("stop", "Stop one of the crew; its inbox waits", "stopped one", func(a messages.Address) messages.Message { return messages.StopPersona{Name: a} }),
		p.order("start", "Let one of the crew go on", "started one", func(a messages.Address) messages.Message { return messages.StartPersona{Name: a} }),
	)
	return c
}

func (p *program) order(verb, short, done string, word func(messages.Address) messages.Message) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " NAME",
		Short:   short,
		Example: "  kurogo crew " + verb + " research_specialist",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			answer, err := ask[messages.Done](c.Context(), p, word(messages.Address(args[0])))
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(answer)
			}
			p.tell(p.say(done), args[0])
			return nil
		},
	}
}

func (p *program) showCrew(crew messages.Crew) error {
	if p.flags.json {
		return printEach(p, crew.Members)
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSTATE\tINBOX\tEPOCH\tRESTARTS\tDRIVER\tREPORTS TO\tLAST ERROR")
	for _, m := range crew.Members {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", m.Name, m.State, m.Inbox, m.Epoch, m.Restarts, m.Driver, m.ReportsTo, short(clean(m.LastError), 60))
	}
	return w.Flush()
}

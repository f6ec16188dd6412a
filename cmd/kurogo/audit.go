package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
)

func (p *program) audit() *cobra.Command {
	var q messages.ListAudit
	var verify bool
	var noted string
	c := &cobra.Command{
		Use:   "audit",
		Short: "Show what was asked of the file gateway, and prove that nobody changed the trail",
		Long: `Audit shows every file that was listed, read, searched or changed through the
gateway, and every refusal: when, by whom, for which task, and the hashes of the
file before and after.

With --verify it reads the whole trail and finds rows that were changed, taken
out or put in, and a tail that was cut off. Whoever can write the journal can
also write the whole trail anew: against that, note the head that --verify prints
somewhere else, and name it with --noted.`,
		Example: "  kurogo audit\n  kurogo audit --trace 0199… --json\n  kurogo audit --verify\n  kurogo audit --verify --noted 120:9f86d081…",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if verify || noted != "" {
				return p.verifyAudit(c.Context(), noted)
			}
			return p.listAudit(c.Context(), q)
		},
	}
	f := c.Flags()
	f.StringVar(&q.Trace, "trace", "", "only what belongs to this trace")
	f.StringVar(&q.Task, "task", "", "only what belongs to this task")
	f.IntVar(&q.Limit, "limit", 0, "so many rows at most (default: all)")
	f.BoolVar(&verify, "verify", false, "read the whole trail and say whether it is as it was written")
	f.StringVar(&noted, "noted", "", "with --verify: a head that was printed before, SEQ:HASH")
	return c
}

// auditPage is how many rows are asked for at once.
const auditPage = 1000

// listAudit shows the trail page by page, so that a long one needs no memory.
func (p *program) listAudit(ctx context.Context, q messages.ListAudit) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	all, shown := q.Limit <= 0, 0
	for {
		page := q
		if page.Limit = auditPage; !all {
			page.Limit = min(auditPage, q.Limit-shown)
		}
		trail, err := askOn[messages.AuditTrail](ctx, client, page)
		if err != nil {
			return err
		}
		if err := p.showAudit(trail.Rows, shown == 0); err != nil {
			return err
		}
		shown += len(trail.Rows)
		if q.Since = trail.Next; len(trail.Rows) < page.Limit || !all && shown >= q.Limit {
			return nil
		}
	}
}

func (p *program) showAudit(rows []messages.AuditRow, first bool) error {
	if p.flags.json {
		return printEach(p, rows)
	}
	if len(rows) == 0 {
		if first {
			p.tell("%s", p.either("nothing was asked of the file gateway", "ファイルゲートウェイへの要求はまだありません"))
		}
		return nil
	}
	t := p.table("SEQ", "TIME", "ACTOR", "METHOD", "STATUS", "SIZE", "TRACE", "PATH")
	for _, r := range rows {
		what := clean(r.Path)
		if r.Reason != "" {
			what += "  (" + clean(r.Reason) + ")"
		}
		t.add(strconv.FormatInt(r.Seq, 10), r.At.Local().Format(time.DateTime), string(r.Actor), r.Method, strconv.Itoa(r.Status), strconv.FormatInt(r.Size, 10), r.Trace, what)
		if r.Status >= 400 {
			t.rows[len(t.rows)-1][4].colour = red
		}
	}
	return t.print(p.out)
}

func (p *program) verifyAudit(ctx context.Context, noted string) error {
	q, err := head(noted)
	if err != nil {
		return err
	}
	v, err := ask[messages.AuditVerdict](ctx, p, q)
	if err != nil {
		return err
	}
	return p.showVerdict(v)
}

// head reads SEQ:HASH.
func head(noted string) (q messages.VerifyAudit, err error) {
	if noted == "" {
		return q, nil
	}
	seq, hash, ok := strings.Cut(noted, ":")
	q.Seq, err = strconv.ParseInt(seq, 10, 64)
	if q.Hash = hash; !ok || err != nil || q.Seq < 1 || len(hash) != 64 {
		return q, messages.Invalid("noted", "%q is no head", messages.Cut(noted, 80)).Try("give what kurogo audit --verify has printed: SEQ:HASH")
	}
	return q, nil
}

func (p *program) showVerdict(v messages.AuditVerdict) error {
	if p.flags.json {
		if err := p.print(v); err != nil {
			return err
		}
	} else {
		for _, f := range v.Faults {
			p.tell("%d: %s", f.Seq, f.What)
		}
	}
	if len(v.Faults) > 0 {
		return messages.Errorf(messages.CodeConflict, "the audit trail is not as it was written: %s", plural(len(v.Faults), "fault")).
			Try("keep a copy of the state directory, and ask who could write there")
	}
	if !p.flags.json {
		p.tell(p.either("the audit trail is sound: %d rows, head %d:%s", "監査記録は健全です: %d 行、末尾 %d:%s"), v.Rows, v.Seq, v.Hash)
	}
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

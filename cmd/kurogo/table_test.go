package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

func aProgram(environ ...string) (p *program, out, told *bytes.Buffer) {
	out, told = &bytes.Buffer{}, &bytes.Buffer{}
	p = &program{out: out, err: told, environ: environ}
	p.cfg.Language = "en"
	return p, out, told
}

func TestColumnsStandBelowOneAnother(t *testing.T) {
	t.Parallel()
	fill := func(environ ...string) []string {
		p, out, _ := aProgram(environ...)
		table := p.table("NAME", "STATE", "LAST")
		table.add("コード実装者", "", "done: 幕が開く")
		table.rows[1][1] = cell{"✓ completed", green}
		table.add("e\u0301mile", "-", "")
		if err := table.print(out); err != nil {
			t.Fatal(err)
		}
		return strings.Split(out.String(), "\n")
	}
	for name, c := range map[string]struct {
		environ []string
		want    string
	}{
		"whole":   {nil, "NAME          STATE        LAST\nコード実装者  ✓ completed  done: 幕が開く\ne\u0301mile         -\n"},
		"cut":     {[]string{"COLUMNS=38"}, "NAME          STATE        LAST\nコード実装者  ✓ completed  done: 幕が…\ne\u0301mile         -\n"},
		"narrow":  {[]string{"COLUMNS=9"}, "NAME          STATE        LAST\nコード実装者  ✓ completed  done: …\ne\u0301mile         -\n"},
		"colours": {[]string{"CLICOLOR_FORCE=1"}, "NAME          STATE        LAST\nコード実装者  " + green + "✓ completed" + plainC + "  done: 幕が開く\ne\u0301mile         -\n"},
	} {
		if got := strings.Join(fill(c.environ...), "\n"); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0.0s", 1234 * time.Millisecond: "1.2s", 9999 * time.Millisecond: "10.0s", 59*time.Second + 999*time.Millisecond: "59s",
		125 * time.Second: "2m05s", time.Hour + 3*time.Minute: "1h03m", 50 * time.Hour: "50h00m",
	} {
		if got := span(d); got != want {
			t.Errorf("%s is %s, want %s", d, got, want)
		}
	}
}

func TestLook(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, outcome messages.AgentStatus
		want            string
	}{
		{messages.AgentQueued, "", "◌ queued"},
		{messages.AgentRunning, "", "● running"},
		{messages.AgentCompleted, messages.AgentCompleted, "✓ completed"},
		{messages.AgentFailed, messages.AgentFailed, "✗ failed"},
		{messages.AgentTimedOut, messages.AgentTimedOut, "◷ timed_out"},
		{messages.AgentCancelled, messages.AgentCancelled, "⊘ cancelled"},
		{messages.AgentLost, messages.AgentLost, "∅ lost"},
		{messages.AgentReported, messages.AgentCompleted, "✓ result_reported"},
		{messages.AgentReported, messages.AgentFailed, "✗ result_reported (failed)"},
	} {
		if got := look(messages.Agent{Status: c.status, Outcome: c.outcome}); got.text != c.want || got.colour == "" {
			t.Errorf("%s: %+v, want %s", c.status, got, c.want)
		}
	}
}

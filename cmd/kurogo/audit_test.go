package main

import (
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// Rows are shown one below another, a refusal with its reason; with --json as
// they are.
func TestTheTrailIsShown(t *testing.T) {
	t.Parallel()
	rows := []messages.AuditRow{
		{Seq: 1, At: time.UnixMilli(0), Trace: "tr-1", Actor: "user", Method: "write_file", Path: "app/main.py", Size: 12, Status: 200},
		{Seq: 2, At: time.UnixMilli(0), Trace: "tr-1", Actor: "agent:a", Method: "read_file", Path: "../\x1b[31mx", Status: 400, Reason: "it leads out"},
	}
	p, out, _ := aProgram()
	if err := p.showAudit(rows, true); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "SEQ") || !strings.Contains(lines[1], "write_file") || !strings.HasSuffix(lines[1], "app/main.py") || !strings.HasSuffix(lines[2], "(it leads out)") {
		t.Errorf("it shows\n%s", out)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a path of an attacker reaches the terminal")
	}
	p, out, _ = aProgram()
	p.flags.json = true
	if err := p.showAudit(rows, true); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[1], `"status":400`) || !strings.Contains(lines[1], `"reason":"it leads out"`) {
		t.Errorf("as JSON it shows\n%s", out)
	}
	p, out, told := aProgram()
	if err := p.showAudit(nil, true); err != nil || out.Len() > 0 || !strings.Contains(told.String(), "nothing was asked") {
		t.Errorf("an empty trail: %q, %q, %v", out, told, err)
	}
}

// A sound trail tells its head, and what was noted is read back; a changed one
// ends the verb with a failure that names the rows.
func TestTheVerdict(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("a", 64)
	p, out, told := aProgram()
	if err := p.showVerdict(messages.AuditVerdict{Rows: 7, Seq: 7, Hash: hash}); err != nil || out.Len() > 0 {
		t.Errorf("a sound trail: %v, %q", err, out)
	}
	_, noted, ok := strings.Cut(strings.TrimSpace(told.String()), "head ")
	if q, err := head(noted); !ok || err != nil || q != (messages.VerifyAudit{Seq: 7, Hash: hash}) {
		t.Errorf("%q is read as %+v, %v", told, q, err)
	}
	p, _, told = aProgram()
	err := p.showVerdict(messages.AuditVerdict{Rows: 7, Seq: 7, Faults: []messages.AuditFault{{Seq: 3, What: "it was changed"}}})
	if e := messages.AsError(err); e == nil || e.Code.Exit() != 1 || !strings.Contains(e.Message, "1 fault") || !strings.Contains(told.String(), "3: it was changed") {
		t.Errorf("a changed trail: %v, %q", err, told)
	}
	for _, bad := range []string{"7", "x:" + hash, "7:abc", "0:" + hash, ":"} {
		if q, err := head(bad); !messages.IsCode(err, messages.CodeInvalid) {
			t.Errorf("%q is %+v, %v", bad, q, err)
		}
	}
	p, _, told = aProgram()
	p.cfg.Language = "ja"
	if err := p.showVerdict(messages.AuditVerdict{}); err != nil || !strings.Contains(told.String(), "健全") {
		t.Errorf("in Japanese: %q, %v", told, err)
	}
	if c := p.audit(); c.Name() != "audit" || c.Flags().Lookup("verify") == nil || c.Flags().Lookup("trace") == nil {
		t.Errorf("the verb is %s", c.Name())
	}
}

package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kurogo/messages"
)

// The checks of two roles as they are told, one of them on after the other, and
// a late word of an earlier check.
func checks(t *testing.T) (*script, []messages.RoleState) {
	t.Helper()
	role := func(id string, model messages.ModelStatus, health messages.HealthStatus) messages.RoleState {
		r := messages.RoleState{Role: messages.Role{ID: id, Model: "m-" + id}, Available: health != messages.HealthFailed}
		r.Health = messages.HealthCheck{Status: health, ResponseTime: 800}
		if r.Validity.Status = model; model != messages.ModelUnknown {
			r.Validity.CheckedAt = time.Unix(1, 0)
		}
		if health == messages.HealthFailed {
			r.Health.Reason = "it is not well"
		}
		return r
	}
	unknown, valid := messages.ModelUnknown, messages.ModelValid
	asked := 0
	h := &script{end: errors.New("nobody is left"), events: []messages.Event{
		told(t, 1, messages.RoleChecked, "b", role("b", valid, messages.HealthPassed)),
		told(t, 2, messages.RoleChecked, "a", role("a", valid, messages.HealthPassed)), // both of an earlier check
		told(t, 3, messages.ModelValidated, "a", role("a", valid, messages.HealthChecking)),
		told(t, 4, messages.RoleCheckBegun, "a", role("a", valid, messages.HealthChecking)),
		told(t, 5, messages.ModelValidated, "b", role("b", valid, messages.HealthChecking)),
		told(t, 6, messages.RoleCheckBegun, "stranger", role("stranger", valid, messages.HealthChecking)),
		told(t, 7, messages.RoleChecked, "a", role("a", valid, messages.HealthFailed)),
		told(t, 8, messages.RoleChecked, "b", role("b", valid, messages.HealthPassed)),
	}}
	h.answer = func(messages.Message) (messages.Message, error) {
		asked++
		if asked == 1 { // the earlier check is over, the new one has begun
			return messages.Roles{Roles: []messages.RoleState{role("a", unknown, messages.HealthChecking), role("b", unknown, messages.HealthChecking)}}, nil
		}
		return messages.Roles{Roles: []messages.RoleState{role("a", valid, messages.HealthFailed), role("b", valid, messages.HealthPassed)}}, nil
	}
	return h, []messages.RoleState{role("a", unknown, messages.HealthChecking), role("b", unknown, messages.HealthChecking)}
}

const checkedLines = `[1/3] Checking models...
  ├─ a (m-a)  · waiting
  └─ b (m-b)  · waiting
  └─ b (m-b)  ✓ valid
  ├─ a (m-a)  ✓ valid
[2/3] Checking health...
  ├─ a        ● checking...
  └─ b        · waiting
  ├─ a        ✗ it is not well
  └─ b        ✓ OK (0.8s)
[3/3] Done
  1 of 2 roles can be run
`

func TestACheckupIsToldInLines(t *testing.T) {
	t.Parallel()
	h, list := checks(t)
	p, _, told := aProgram()
	got, err := p.watchCheckup(t.Context(), h, "", list, 0)
	if err != nil || len(got) != 2 || got[0].Available || !got[1].Available {
		t.Errorf("%+v, %v", got, err)
	}
	if told.String() != checkedLines {
		t.Errorf("it says\n%s", told)
	}
	h, list = checks(t)
	h.events = h.events[:5]
	if _, err := p.watchCheckup(t.Context(), h, "a", list[:1], 2); !errors.Is(err, h.end) || len(h.topic.IDs) != 1 {
		t.Errorf("a watch that breaks: %v, %+v", err, h.topic)
	}
}

// On a terminal there is one picture, drawn over the last.
func TestACheckupIsOnePicture(t *testing.T) {
	t.Parallel()
	h, list := checks(t)
	p, _, told := aProgram("COLUMNS=24")
	c := &checkup{program: p, to: told, alive: true, roles: list, asked: map[string]bool{}}
	c.draw(false)
	for _, e := range h.events[2:] {
		r, err := read[messages.RoleState](e)
		if err != nil {
			t.Fatal(err)
		}
		c.hear(e.Kind, r)
		c.draw(e.Seq == 8)
	}
	pictures := strings.Split(told.String(), "\x1b[J")
	if len(pictures) != 7 || !strings.HasPrefix(pictures[0], "[1/3] Checking models.…\n  ├─ a (m-a)  · waiting\n") {
		t.Fatalf("%d pictures, the first is %q", len(pictures), pictures[0])
	}
	for i, picture := range pictures {
		lines := strings.Split(picture, "\n")
		back := lines[len(lines)-1]
		if i < len(pictures)-1 && back != "\x1b["+string(rune('0'+len(lines)-1))+"A" {
			t.Errorf("after %d lines it goes back %q", len(lines)-1, back)
		}
		for _, line := range lines[:len(lines)-1] {
			if columns(line) > 23 {
				t.Errorf("%q wraps", line)
			}
		}
	}
	if last := pictures[6]; !strings.Contains(last, "  ├─ a        ✗ it is …\n  └─ b        ✓ OK (0.…\n[3/3] Done\n") {
		t.Errorf("the last is %q", last)
	}
}

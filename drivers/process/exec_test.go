package process_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

func TestRunReturnsWhatACommandSaid(t *testing.T) {
	dir := t.TempDir()
	stdout, _, code, err := process.Exec{}.Run(t.Context(), dir, command("say", "SAY=a\x01b\n").Env, os.Args[0])
	if err != nil || code != 0 || string(stdout) != "a\x01b\n" {
		t.Errorf("%q, %d, %v", stdout, code, err)
	}
	_, stderr, code, err := process.Exec{}.Run(t.Context(), dir, command("complain", "SAY=oh").Env, os.Args[0])
	if err != nil || code != 7 || stderr != "oh" {
		t.Errorf("%q, %d, %v", stderr, code, err)
	}
}

func TestRunIsBounded(t *testing.T) {
	stdout, _, _, err := process.Exec{MaxOutput: 100}.Run(t.Context(), "", command("flood").Env, os.Args[0])
	if !errors.Is(err, process.ErrTooMuch) || len(stdout) != 100 {
		t.Errorf("%d bytes, %v", len(stdout), err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, _, code, err := (process.Exec{}).Run(ctx, "", command("deaf").Env, os.Args[0]); !errors.Is(err, context.DeadlineExceeded) || code == 0 {
		t.Errorf("%d, %v", code, err)
	}
	if _, _, _, err := (process.Exec{}).Run(t.Context(), "", nil); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("no command: %v", err)
	}
	if _, _, _, err := (process.Exec{}).Run(t.Context(), "", nil, "no-such-tool"); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("a missing command: %v", err)
	}
}

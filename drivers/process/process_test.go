package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

func TestALifeAnswersLineByLineAndEndsWithItsInput(t *testing.T) {
	p := begin(t, command("echo"))
	for _, word := range []string{"one", "日本語", "three"} {
		if err := p.Write(t.Context(), []byte(word)); err != nil {
			t.Fatal(err)
		}
	}
	var heard []string
	for line := range p.Lines() {
		if heard = append(heard, string(line.Text)); len(heard) == 3 {
			p.CloseInput()
		}
	}
	if got := strings.Join(heard, ","); got != "echo one,echo 日本語,echo three" {
		t.Errorf("heard %q", got)
	}
	<-p.Done()
	if e := p.Stop(t.Context()); e.Code != 0 || e.Class != messages.ClassNone {
		t.Errorf("exit %+v", e)
	}
	if err := p.Write(t.Context(), []byte("late")); err == nil {
		t.Error("the dead were written to")
	}
}

func TestStartRefuses(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	here := command("echo")
	for name, c := range map[string]struct {
		ctx  context.Context
		path string
		dir  string
		code messages.Code
	}{
		"a missing command":   {t.Context(), "no-such-agent", "", messages.CodeUnavailable},
		"a directory as one":  {t.Context(), t.TempDir(), "", messages.CodeUnavailable},
		"a missing directory": {t.Context(), here.Path, "/no/such/dir", messages.CodeInvalid},
		"a caller who left":   {cancelled, here.Path, "", messages.CodeCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			bad := here
			bad.Path, bad.Dir = c.path, c.dir
			_, err := process.Start(c.ctx, bad)
			if !messages.IsCode(err, c.code) {
				t.Fatalf("got %v, want %s", err, c.code)
			}
			if c.code == messages.CodeUnavailable && !strings.Contains(err.Error(), c.path) {
				t.Errorf("the command is not named: %v", err)
			}
		})
	}
}

func TestEndsAreToldApart(t *testing.T) {
	for as, want := range map[string]messages.Exit{
		"say":      {Code: 0},
		"complain": {Code: 7, Class: messages.ClassCrash},
		"suicide":  {Code: -1, Signal: "SIGKILL", Class: messages.ClassCrash},
	} {
		p := begin(t, command(as))
		<-p.Done()
		got := p.Stop(t.Context())
		if got.Reason == "" {
			t.Errorf("%s: no reason", as)
		}
		got.Reason = ""
		if got != want {
			t.Errorf("%s: %+v, want %+v", as, got, want)
		}
	}
}

func TestStderrIsKeptAtItsEndAndWithoutSecrets(t *testing.T) {
	secret := "sk-" + strings.Repeat("s", 40)
	said := strings.Repeat("x", 100_000) + " my key is " + secret + " and my end"
	p := begin(t, command("complain", "AGENT_API_KEY="+secret, "SAY="+said))
	<-p.Done()
	got := p.Stop(t.Context()).Stderr
	if len(got) != 64<<10 || !strings.HasSuffix(got, " my key is [redacted] and my end") {
		t.Errorf("kept %d bytes: …%s", len(got), got[max(0, len(got)-80):])
	}
}

func TestASlowReaderLosesNothing(t *testing.T) {
	p := begin(t, command("flood"))
	n := 0
	for line := range p.Lines() {
		if want := fmt.Sprintf("line %d", n); string(line.Text) != want {
			t.Fatalf("heard %q, want %q", line.Text, want)
		}
		n++
	}
	if n != 20_000 {
		t.Errorf("heard %d lines", n)
	}
}

func TestWhatIsInThePipeIsReadLongAfterTheEnd(t *testing.T) {
	p := begin(t, command("say", "SAY=last words\nhalf a line"))
	<-p.Done()
	var heard []string
	for line := range p.Lines() {
		heard = append(heard, string(line.Text))
	}
	if got := strings.Join(heard, "|"); got != "last words|half a line" {
		t.Errorf("heard %q", got)
	}
	for range p.Lines() {
		t.Error("the output came twice")
	}
}

func TestAFullPipeDoesNotHoldTheWriterForEver(t *testing.T) {
	p := begin(t, command("deaf"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Write(ctx, bytes.Repeat([]byte("x"), 1<<20)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the write: %v", err)
	}
	if err := p.Write(t.Context(), []byte("next")); err == nil {
		t.Error("a torn line was continued with another one")
	}
}

func TestStopFreesAWriter(t *testing.T) {
	p := begin(t, command("deaf"))
	wrote := make(chan error, 1)
	go func() { wrote <- p.Write(context.Background(), bytes.Repeat([]byte("x"), 1<<20)) }()
	p.Kill()
	if err := <-wrote; err == nil {
		t.Error("a megabyte went into a dead process")
	}
}

func TestSoftEnds(t *testing.T) {
	for name, c := range map[string]struct {
		as   string
		soft process.Soft
		code int
		want messages.Class
	}{
		"closed input": {"echo", process.CloseInput, 0, messages.ClassNone},
		"SIGINT":       {"polite", process.Interrupt, 143, messages.ClassKilled},
		"SIGTERM":      {"polite", process.Terminate, 143, messages.ClassKilled},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := command(c.as)
			cmd.Soft = c.soft
			p := begin(t, cmd)
			if c.as == "polite" {
				waitFor(t, p, "ready")
			}
			if e := p.Stop(t.Context()); e.Code != c.code || e.Class != c.want {
				t.Errorf("exit %+v", e)
			}
		})
	}
}

func TestStopByManyIsOneStop(t *testing.T) {
	cmd := command("deaf")
	cmd.Grace = 20 * time.Millisecond
	p := begin(t, cmd)
	exits := make([]messages.Exit, 8)
	var wg sync.WaitGroup
	for i := range exits {
		wg.Go(func() { exits[i] = p.Stop(t.Context()) })
	}
	wg.Wait()
	for _, e := range exits {
		if e != exits[0] || e.Signal != "SIGKILL" || e.Class != messages.ClassKilled {
			t.Errorf("exit %+v", e)
		}
	}
}

// waitFor reads on until the life has said the word.
func waitFor(t *testing.T, p *process.Process, word string) {
	t.Helper()
	heard := make(chan struct{})
	read := make(chan struct{})
	t.Cleanup(func() { p.Kill(); <-read })
	go func() {
		defer close(read)
		for line := range p.Lines() {
			if string(line.Text) == word {
				close(heard)
			}
		}
	}()
	select {
	case <-heard:
	case <-read:
		t.Fatalf("it ended without having said %q: %+v", word, p.Stop(t.Context()))
	}
}

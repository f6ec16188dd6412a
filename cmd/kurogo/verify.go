package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A prover runs the programs that are to prove a step: no shell, a time and an
// output that are bounded, an environment without keys, and shut in where the
// machine can (verifybox.go).
type prover struct {
	cfg   config.Run
	site  site
	store string // the journal's id, for the mark of each life
	log   *slog.Logger
	box   *box
	count atomic.Int64
}

func newProver(cfg config.Run, s site, store string, log *slog.Logger) *prover {
	return &prover{cfg: cfg, site: s, store: store, log: log, box: &box{cfg: cfg, site: s}}
}

// known are the variables by which toolchains find themselves. None of them is a
// secret.
var known = []string{
	"GOROOT", "GOPATH", "GOMODCACHE", "GOFLAGS", "GOTOOLCHAIN", "GOOS", "GOARCH", "CGO_ENABLED", "CC", "CXX",
	"PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV", "CONDA_PREFIX", "NVM_DIR", "NVM_BIN", "VOLTA_HOME", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME",
}

// run runs a command below a root, and tells what came of it.
func (p *prover) run(ctx context.Context, root string, command []string) messages.RunVerify {
	v := messages.RunVerify{Command: command, Sandbox: boxNone}
	began := time.Now()
	defer func() { v.Time = time.Since(began).Milliseconds() }()
	fail := func(err error) messages.RunVerify {
		v.Exit, v.Error, v.Time = -1, messages.AsError(err).Error(), time.Since(began).Milliseconds()
		return v
	}
	if strings.ContainsRune(command[0], '/') && !filepath.IsAbs(command[0]) {
		return fail(messages.Invalid("verify", "%q is neither a program's name nor its whole path", command[0]).Try("name a program that is installed"))
	}
	path, err := process.Look(command[0])
	if err != nil {
		return fail(err)
	}
	cache := filepath.Join(p.site.state, "verify")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return fail(err)
	}
	c := process.Command{
		Path: path, Args: command[1:], Dir: root, Env: p.environ(cache), Grace: time.Second, Soft: process.Terminate,
		Life: fmt.Sprintf("%s:0:verify-%d", p.store, p.count.Add(1)),
	}
	level, why := p.box.level(ctx)
	switch {
	case level == boxBubble:
		c.Path, c.Args = p.box.wrap(root, cache, append([]string{path}, command[1:]...))
		v.Sandbox = boxBubble
	case p.cfg.Sandbox == config.SandboxRequired:
		return fail(messages.Errorf(messages.CodeUnavailable, "run.sandbox is required, and there is none: %s", why).Try(`install bubblewrap, or set run.sandbox = "auto"`))
	}
	exit, output, err := p.live(ctx, c)
	v.Exit, v.Output = exit.Code, output
	if err != nil {
		v.Error = err.Error()
	} else if exit.Code < 0 {
		v.Error = exit.Reason
	}
	v.Time = time.Since(began).Milliseconds()
	return v
}

// environ is what the program may know: where toolchains are, and a cache of its
// own, so that what it makes is believed by nobody else.
func (p *prover) environ(cache string) []string {
	return process.Environ(os.Environ(), map[string]string{
		"XDG_CACHE_HOME": cache, "GOCACHE": filepath.Join(cache, "go"), "npm_config_cache": filepath.Join(cache, "npm"), "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1",
	}, known...)
}

// live runs a process to its end, or to that of its time, and keeps the last of
// what it says.
func (p *prover) live(ctx context.Context, c process.Command) (messages.Exit, string, error) {
	ctx, cancel := context.WithTimeout(ctx, p.cfg.VerifyTimeout)
	defer cancel()
	life, err := process.Start(ctx, c)
	if err != nil {
		return messages.Exit{Code: -1}, "", messages.AsError(err)
	}
	life.CloseInput()
	ended := make(chan messages.Exit, 1)
	disarm := context.AfterFunc(ctx, func() { ended <- life.Stop(ctx) })
	last := &lastBytes{most: p.cfg.VerifyOutputBytes}
	for line := range life.Lines() {
		last.add(line.Text)
		last.add([]byte("\n"))
	}
	<-life.Done()
	late := !disarm()
	exit := life.Stop(context.WithoutCancel(ctx)) // it has ended: this only says how
	if late {
		exit = <-ended
	}
	last.add([]byte(exit.Stderr))
	text := strings.ToValidUTF8(harmless(last.String()), "\uFFFD")
	if late {
		if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			return exit, text, messages.Errorf(messages.CodeDeadline, "it was not over within %s", p.cfg.VerifyTimeout).Try("make it quicker, or raise run.verify_timeout")
		}
		return exit, text, context.Cause(ctx)
	}
	return exit, text, nil
}

// lastBytes keeps the end of what is said: it is there that a test tells why it
// failed.
type lastBytes struct {
	most int
	kept []byte
	cut  bool
}

func (l *lastBytes) add(b []byte) {
	l.kept = append(l.kept, b...)
	if over := len(l.kept) - 2*l.most; over > 0 {
		l.kept, l.cut = bytes.Clone(l.kept[len(l.kept)-l.most:]), true
	}
}

func (l *lastBytes) String() string {
	if over := len(l.kept) - l.most; over > 0 {
		l.kept, l.cut = l.kept[over:], true
	}
	if l.cut {
		return "…\n" + string(l.kept)
	}
	return string(l.kept)
}

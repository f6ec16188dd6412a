package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/local"
)

func hello() local.Hello { return local.Hello{Version: version, Schema: sqlite.Schema()} }

// connect reaches the owner of the site and starts one where there is none.
// Inside an agent it finds the owner that started the agent, and never starts
// another.
func (p *program) connect(ctx context.Context) (*local.Client, error) {
	if socket := p.getenv("KUROGO_SOCKET"); socket != "" {
		return local.Dial(ctx, socket, hello())
	}
	return local.ConnectOrStart(ctx, local.Ladder{
		Dial:  p.dialOrMayStart,
		Lock:  p.site.startLock(),
		Spawn: p.spawn,
	})
}

// dial reaches the owner of the site, if there is one. One that falls while we
// say hello is none.
func (p *program) dial(ctx context.Context) (*local.Client, error) {
	client, err := local.Dial(ctx, p.site.socket(), hello())
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return nil, fmt.Errorf("%w: %w", local.ErrNobody, err)
	}
	return client, err
}

// dialOrMayStart says that nobody serves only where somebody could.
func (p *program) dialOrMayStart(ctx context.Context) (*local.Client, error) {
	client, err := p.dial(ctx)
	if errors.Is(err, local.ErrNobody) {
		if unusable := p.site.writable(); unusable != nil {
			return nil, unusable
		}
	}
	return client, err
}

// ask connects, asks once and leaves.
func ask[T messages.Message](ctx context.Context, p *program, m messages.Message) (T, error) {
	var none T
	c, err := p.connect(ctx)
	if err != nil {
		return none, err
	}
	defer c.Close()
	return askOn[T](ctx, c, m)
}

func askOn[T messages.Message](ctx context.Context, h local.House, m messages.Message) (T, error) {
	var none T
	answer, err := h.Ask(ctx, m)
	if err != nil {
		return none, err
	}
	word, ok := answer.(T)
	if !ok {
		return none, messages.Errorf(messages.CodeInternal, "asked %s, was answered %s", messages.KindOf(m), messages.KindOf(answer))
	}
	return word, nil
}

// spawnTimeout is how long a new owner may take until it serves.
const spawnTimeout = 20 * time.Second

// spawn starts an owner in a session of its own and waits until it serves. It
// tells us through a pipe: "ready", or why not.
func (p *program) spawn(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start kurogo: %w", err)
	}
	defer r.Close()
	log, err := os.OpenFile(p.site.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	defer log.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return fmt.Errorf("start kurogo: %w", err)
	}
	defer null.Close()
	args := []string{self, "serve", "--ready-fd", "3", "--project", p.site.project}
	child, err := os.StartProcess(self, append(args, p.passedOn()...), &os.ProcAttr{
		Dir: p.site.project, Env: p.daemonEnv(), Files: []*os.File{null, log, log, w},
		Sys: &syscall.SysProcAttr{Setsid: true},
	})
	_ = w.Close()
	if err != nil {
		return fmt.Errorf("start kurogo: %w", err)
	}
	go func() { _, _ = child.Wait() }()
	return p.awaitReady(ctx, r)
}

func (p *program) awaitReady(ctx context.Context, r *os.File) error {
	_ = r.SetReadDeadline(time.Now().Add(spawnTimeout))
	stop := context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })
	defer stop()
	buf := make([]byte, 64<<10)
	n := 0
	for n < len(buf) {
		m, err := r.Read(buf[n:])
		n += m
		if err != nil {
			break
		}
	}
	word := strings.TrimSpace(string(buf[:n]))
	switch {
	case word == "ready":
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case word == "":
		return messages.Errorf(messages.CodeUnavailable, "kurogo did not start").Try("see " + p.site.log())
	}
	return messages.Errorf(messages.CodeUnavailable, "kurogo did not start: %s", word)
}

// passedOn are the flags that a daemon needs of the verb that starts it.
func (p *program) passedOn() []string {
	args := []string{"--lang", p.cfg.Language}
	if p.cfg.Path != "" {
		args = append(args, "--config", p.cfg.Path)
	}
	for k, v := range p.flags.set {
		args = append(args, "--set", k+"="+v)
	}
	return args
}

// keys are what agents need to be somebody. They go to the owner, who hands each
// only to the agents of its own driver; nothing else of the terminal does.
var keys = []string{
	"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR",
	"CODEX_API_KEY", "OPENAI_API_KEY", "CODEX_HOME", "CURSOR_API_KEY",
}

// documentNames are the variables of the five documents, which the configuration reads.
var documentNames = []string{
	"KUROMAJUTSU_PORT", "KUROMAJUTSU_LOG_LEVEL", "EVALUATION_PROMPT_PATH", "USE_MOCK_EVALUATOR",
	"EC_APP_ROOT", "EC_ALLOW_EXT", "EC_MAX_BYTES", "EC_OLLAMA_ENDPOINT", "EC_MODEL_NAME", "EC_MCP_URL", "EC_RAG_URL",
}

// daemonEnv is the allow-list with what the configuration may read and the keys
// of agents: a daemon outlives the terminal it was started in and must not keep
// its other secrets.
func (p *program) daemonEnv() []string {
	add := map[string]string{"KUROGO_STATE_DIR": p.site.state}
	for _, pair := range p.environ {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "KUROGO_") && name != process.Marker && name != "KUROGO_SOCKET" && name != "KUROGO_STATE_DIR" {
			add[name] = value
		}
	}
	env := process.Environ(p.environ, add, slices.Concat(keys, documentNames)...)
	if dir := p.getenv("XDG_STATE_HOME"); dir != "" && filepath.IsAbs(dir) {
		env = append(env, "XDG_STATE_HOME="+dir)
	}
	return env
}

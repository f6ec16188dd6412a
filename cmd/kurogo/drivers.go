package main

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"os"
	"slices"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/drivers/claude"
	"kurogo/drivers/codex"
	"kurogo/drivers/command"
	"kurogo/drivers/cursor"
	"kurogo/drivers/hermes"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// drivers are the drivers of one configuration, by their names there.
type drivers struct {
	byName    map[string]messages.Driver
	paid      map[string]bool // whose turns cost money
	shipped   map[string]bool // which play the shipped performance
	kind      map[string]string
	rehearsal bool // some persona is played
}

// pickDriver chooses for the personas and roles that name no driver: Claude Code
// where it is installed and logged in, else the rehearsal; for roles the Cursor
// CLI before both, where it is installed and has a key.
func pickDriver(ctx context.Context, cfg *config.Config, s site) {
	if cfg.Driver != "" {
		return
	}
	name := rehearsal.Kind
	settings := cfg.Drivers[claude.Kind]
	if installed(cmp.Or(settings.Command, claude.Kind)) {
		if login, err := claude.LoggedIn(ctx, claudeOptions(settings, s)); err == nil && login.In {
			name = claude.Kind
		}
	}
	cfg.UseDriver(name)
	if settings = cfg.Drivers[cursor.Kind]; cursorInstalled(settings) && (settings.Config == cursor.Shared || agentEnv(settings, s)[cursorKey] != "") {
		cfg.UseRoleDriver(cursor.Kind, cursorModel)
		return
	}
	cfg.UseRoleDriver(name, "")
}

// What the documents' roles use with the Cursor CLI.
const (
	cursorModel = "claude-4-sonnet"
	cursorKey   = "CURSOR_API_KEY"
)

func cursorInstalled(settings config.Driver) bool {
	if settings.Command != "" {
		return installed(settings.Command)
	}
	return installed("agent") || installed("cursor-agent")
}

// claudeOptions are the settings of one [drivers] table for Claude Code.
func claudeOptions(settings config.Driver, s site) claude.Options {
	return claude.Options{
		Command: settings.Command, Args: settings.Args, Env: agentEnv(settings, s),
		Config: settings.Config, Permission: cmp.Or(settings.Permission, editsOnly),
	}
}

// editsOnly is what an agent may do unasked where nobody says otherwise: change
// files, run nothing.
const editsOnly = "Edit,MultiEdit,NotebookEdit,Write"

// chooseDrivers makes the drivers that the crew and the roles name.
func chooseDrivers(cfg config.Config, s site) (drivers, error) {
	d := drivers{byName: map[string]messages.Driver{}, paid: map[string]bool{}, shipped: map[string]bool{}, kind: map[string]string{}}
	for _, p := range cfg.Hierarchy() {
		if err := d.choose(p.Driver, cfg, s); err != nil {
			return d, err
		}
		d.rehearsal = d.rehearsal || d.kind[p.Driver] == rehearsal.Kind
	}
	for _, r := range roleList(cfg) {
		if err := d.choose(r.Driver, cfg, s); err != nil {
			return d, err
		}
	}
	return d, nil
}

func (d drivers) choose(name string, cfg config.Config, s site) error {
	if _, ok := d.byName[name]; ok {
		return nil
	}
	settings := cfg.Drivers[name]
	d.kind[name] = settings.Kind
	env := agentEnv(settings, s)
	switch settings.Kind {
	case claude.Kind:
		d.byName[name] = claude.New(claudeOptions(settings, s))
		d.paid[name] = true
	case codex.Kind:
		d.byName[name] = codex.New(codex.Options{
			Command: settings.Command, Args: settings.Args, Env: env, Config: settings.Config, Permission: cmp.Or(settings.Permission, codex.Edits),
		})
	case cursor.Kind:
		d.byName[name] = cursor.New(cursor.Options{
			Command: settings.Command, Args: settings.Args, Env: env, Config: settings.Config, Permission: settings.Permission,
		})
	case command.Kind:
		d.byName[name] = command.New(commandOptions(settings, env))
	case hermes.Kind:
		d.byName[name] = hermes.New(hermesOptions(settings, cfg.Run))
	case rehearsal.Kind:
		player, err := rehearse(cfg, settings, s)
		if err != nil {
			return err
		}
		d.byName[name] = player
		d.shipped[name] = settings.Performance == ""
	default:
		d.byName[name] = absent{settings.Kind}
	}
	return nil
}

// commandOptions are the settings of a driver that is any program.
func commandOptions(settings config.Driver, env map[string]string) command.Options {
	o := command.Options{
		Command: settings.Command, Args: settings.Args, Env: env, Output: settings.Output, Type: settings.Type, Session: settings.Session,
		Events: map[string]command.Event{},
	}
	for name, e := range settings.Events {
		o.Events[name] = command.Event(e)
	}
	if len(o.Events) == 0 {
		o.Events = nil
	}
	return o
}

// hermesOptions are the settings of a driver that calls a model itself. It has no
// processes, and takes its key from where the settings say.
func hermesOptions(settings config.Driver, run config.Run) hermes.Options {
	return hermes.Options{
		API: settings.API, Endpoint: settings.Endpoint, KeyVariable: settings.APIKeyEnv, Model: settings.Model, Env: settings.Env,
		MaxTokens: settings.MaxTokens, ContextTokens: settings.ContextTokens, Temperature: &settings.Temperature, NativeTools: settings.NativeTools,
		Limits: hermes.Limits{MaxAnswerBytes: settings.MaxAnswerBytes, MaxTurns: run.MaxTurns, MaxInvalid: run.MaxInvalidJSON},
	}
}

// rehearse plays a performance in processes of this very program.
func rehearse(cfg config.Config, settings config.Driver, s site) (messages.Driver, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, messages.Errorf(messages.CodeInternal, "find this program: %v", err)
	}
	argv := []string{self, "play", "--lang", cfg.Language}
	if settings.Performance != "" {
		argv = append(argv, "--performance", settings.Performance)
	}
	return rehearsal.New(rehearsal.Options{Command: argv, Env: agentEnv(settings, s)}), nil
}

// lent are the keys that each kind of agent may have: from the environment of
// the owner, or of whoever ordered the agent. No other kind hears of them.
var lent = map[string][]string{
	claude.Kind: {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"},
	codex.Kind:  {"CODEX_API_KEY", "OPENAI_API_KEY"},
	cursor.Kind: {cursorKey},
}

// agentEnv is what an agent's environment has besides the allow-list. A kurogo
// that the agent runs finds us by it. (The claude driver takes its keys from the
// environment itself.)
func agentEnv(settings config.Driver, s site) map[string]string {
	env := map[string]string{"KUROGO_SOCKET": s.socket()}
	if settings.Kind != claude.Kind {
		for _, name := range lent[settings.Kind] {
			if value := os.Getenv(name); value != "" {
				env[name] = value
			}
		}
	}
	maps.Copy(env, settings.Env)
	return env
}

// crafts are the drivers as agents of groups use them.
func (d drivers) crafts(cfg config.Config, log *slog.Logger) map[string]actors.Craft {
	out := map[string]actors.Craft{}
	for name, driver := range d.byName {
		out[name] = actors.Craft{
			Life: actors.Lives(driver, log), Probe: driver.Probe, InBand: d.kind[name] == rehearsal.Kind || d.kind[name] == hermes.Kind, Keys: borrowed(cfg.Drivers[name]),
			Reserve: func(role string) int64 {
				if !d.paid[name] {
					return 0
				}
				return cfg.RoleBudget(role)
			},
		}
	}
	return out
}

// borrowed are the keys that an agent may have of whoever ordered it: not those
// that the configuration has a value for. A client's own model is no agent's.
func borrowed(settings config.Driver) []string {
	return slices.DeleteFunc(slices.Clone(lent[settings.Kind]), func(name string) bool {
		_, ours := settings.Env[name]
		return ours
	})
}

// reserve is what is set aside for a turn, in micro-dollars.
func (d drivers) reserve(name string, usd float64) int64 {
	if !d.paid[name] {
		return 0
	}
	return config.Micros(usd)
}

func (d drivers) of(name string) messages.Driver { return d.byName[name] }

// absent stands for a kind of driver that this version cannot run.
type absent struct{ kind string }

func (a absent) Name() string { return a.kind }

func (a absent) Probe(context.Context) (messages.Caps, error) { return messages.Caps{}, a.error() }

func (a absent) Start(context.Context, messages.Spec) (messages.Session, error) {
	return nil, a.error()
}

func (a absent) error() error {
	return messages.Errorf(messages.CodeUnavailable, "this kurogo has no driver of kind %q", a.kind).Try("use the kind rehearsal")
}

package main

import (
	"cmp"
	"context"
	"maps"
	"os"

	"kurogo/config"
	"kurogo/drivers/claude"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// drivers are the drivers of one configuration, by their names there.
type drivers struct {
	byName    map[string]messages.Driver
	paid      map[string]bool // whose turns cost money
	shipped   map[string]bool // which play the shipped performance
	rehearsal bool            // some persona is played
}

// pickDriver chooses for the personas that name no driver: Claude Code where it
// is installed and logged in, else the rehearsal.
func pickDriver(ctx context.Context, cfg *config.Config, s site) {
	if cfg.Driver != "" {
		return
	}
	settings := cfg.Drivers[claude.Kind]
	if !installed(cmp.Or(settings.Command, claude.Kind)) {
		cfg.UseDriver(rehearsal.Kind)
		return
	}
	login, err := claude.LoggedIn(ctx, claudeOptions(settings, s))
	if err != nil || !login.In {
		cfg.UseDriver(rehearsal.Kind)
		return
	}
	cfg.UseDriver(claude.Kind)
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

// chooseDrivers makes the drivers that the crew names.
func chooseDrivers(cfg config.Config, s site) (drivers, error) {
	d := drivers{byName: map[string]messages.Driver{}, paid: map[string]bool{}, shipped: map[string]bool{}}
	for _, p := range cfg.Hierarchy() {
		if _, ok := d.byName[p.Driver]; ok {
			continue
		}
		settings := cfg.Drivers[p.Driver]
		switch settings.Kind {
		case claude.Kind:
			d.byName[p.Driver] = claude.New(claudeOptions(settings, s))
			d.paid[p.Driver] = true
		case rehearsal.Kind:
			player, err := rehearse(cfg, settings, s)
			if err != nil {
				return d, err
			}
			d.byName[p.Driver] = player
			d.rehearsal = true
			d.shipped[p.Driver] = settings.Performance == ""
		default:
			d.byName[p.Driver] = absent{settings.Kind}
		}
	}
	return d, nil
}

// driven reports whether this version can run a kind of driver.
func driven(kind string) bool { return kind == rehearsal.Kind || kind == claude.Kind }

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

// agentEnv is what an agent's environment has besides the allow-list. A kurogo
// that the agent runs finds us by it.
func agentEnv(settings config.Driver, s site) map[string]string {
	env := map[string]string{"KUROGO_SOCKET": s.socket()}
	maps.Copy(env, settings.Env)
	return env
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

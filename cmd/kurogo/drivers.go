package main

import (
	"context"
	"maps"
	"os"

	"kurogo/config"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// drivers are the drivers of one configuration, by their names there.
type drivers struct {
	byName    map[string]messages.Driver
	rehearsal bool // some persona is played
}

// chooseDrivers makes the drivers that the crew names. Where the configuration
// leaves the choice to us, the rehearsal plays.
func chooseDrivers(cfg config.Config, s site) (drivers, error) {
	d := drivers{byName: map[string]messages.Driver{}}
	for _, p := range cfg.Hierarchy() {
		if _, ok := d.byName[p.Driver]; ok {
			continue
		}
		settings := cfg.Drivers[p.Driver]
		switch settings.Kind {
		case rehearsal.Kind:
			player, err := rehearse(cfg, settings, s)
			if err != nil {
				return d, err
			}
			d.byName[p.Driver] = player
			d.rehearsal = true
		default:
			d.byName[p.Driver] = absent{settings.Kind}
		}
	}
	return d, nil
}

// driven reports whether this version can run a kind of driver.
func driven(kind string) bool { return kind == rehearsal.Kind }

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

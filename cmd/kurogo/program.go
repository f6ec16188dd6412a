package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/messages"
)

// program is what every verb shares: where to print, what the flags say, the
// configuration and the site. prepare fills it before a verb runs.
type program struct {
	out, err io.Writer // stdout is data, stderr is for people
	environ  []string
	flags    struct {
		config, project, lang string
		set                   map[string]string
		json, noColor         bool
	}

	cfg  config.Config
	site site
}

// prepare finds the project and reads its configuration, as far as the verb
// needs them: one that only speaks must work in any directory, and an owner can
// be stopped beside a kurogo.toml that was broken in the meantime.
func (p *program) prepare(verb string) error {
	err := p.locate()
	if err == nil || needsNoProject(verb) {
		err = errors.Join(err, p.configure())
	}
	if err != nil && (needsNoProject(verb) || verb == "stop" && p.site.state != "") {
		p.cfg = config.Config{Language: cmp.Or(p.flags.lang, p.localeLanguage())}
		return nil
	}
	return err
}

func needsNoProject(verb string) bool {
	switch verb {
	case "kurogo", "demo", "version", "help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd:
		return true
	}
	return false
}

// locate finds the project and where its state is.
func (p *program) locate() error {
	dir, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find working directory: %w", err)
	}
	p.site, err = findSite(p.flags.project, dir, p.getenv)
	return err
}

// configure reads the project's configuration.
func (p *program) configure() (err error) {
	set := map[string]string{}
	for k, v := range p.flags.set {
		set[k] = v
	}
	if p.flags.lang != "" {
		set["language"] = p.flags.lang
	}
	src := config.Source{Path: p.flags.config, Overrides: set, Environ: p.environ, Dir: p.site.project}
	if p.cfg, err = config.Load(src); err != nil {
		return err
	}
	if p.cfg.Path == "" && p.flags.lang == "" && p.getenv("KUROGO_LANGUAGE") == "" && set["language"] == "" {
		set["language"] = p.localeLanguage()
		if p.cfg, err = config.Load(src); err != nil {
			return err
		}
	}
	return nil
}

// localeLanguage is what the terminal speaks, where no file says otherwise.
func (p *program) localeLanguage() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := p.getenv(name); v != "" {
			if strings.HasPrefix(v, "ja") {
				return "ja"
			}
			return "en"
		}
	}
	return "en"
}

// getenv reads the environment that the program was given.
func (p *program) getenv(name string) string {
	for i := len(p.environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(p.environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// print writes data to stdout: a word as one line of JSON.
func (p *program) print(word any) error {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(word)
}

// printEach writes each row as one line of JSON.
func printEach[T any](p *program, rows []T) error {
	for _, row := range rows {
		if err := p.print(row); err != nil {
			return err
		}
	}
	return nil
}

// tell writes one line for people to stderr.
func (p *program) tell(format string, args ...any) {
	fmt.Fprintf(p.err, format+"\n", args...)
}

// tellError tells what went wrong, as JSON where JSON was asked for.
func (p *program) tellError(e messages.Error, text string) {
	if p.flags.json {
		b, _ := json.Marshal(map[string]messages.Error{"error": e}) // cannot fail
		p.tell("%s", b)
		return
	}
	p.tell("kurogo: %s", text)
}

// colours reports whether w is a terminal that wants colours.
func (p *program) colours(w io.Writer) bool {
	if p.flags.noColor || p.flags.json || p.getenv("NO_COLOR") != "" || p.getenv("TERM") == "dumb" {
		return false
	}
	return p.getenv("CLICOLOR_FORCE") != "" || isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

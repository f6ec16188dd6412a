package codex

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"sync"
	"time"

	"kurogo/drivers/process"
)

// listing is how long the list of the models may take.
const listing = 10 * time.Second

// knowsModels reports whether what the CLI lists is what the service has: behind
// another address there may be anything.
func (o Options) knowsModels() bool {
	return cmp.Or(o.Env[baseVariable], os.Getenv(baseVariable)) == ""
}

// A catalogue is the models that a version of the CLI knows. It has a lock of its
// own: who starts does not wait for it.
type catalogue struct {
	mu    sync.Mutex
	stamp string
	names []string
}

// models are those that the CLI knows; none where it cannot tell. It is asked
// once.
func (d *driver) models(ctx context.Context, f features) []string {
	if !f.lists || !d.knowsModels() {
		return nil
	}
	d.catalogue.mu.Lock()
	defer d.catalogue.mu.Unlock()
	if d.catalogue.stamp == f.stamp {
		return d.catalogue.names
	}
	home, leave, err := lodging()
	if err != nil {
		return nil
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, listing)
	defer cancel()
	if d.catalogue.names = d.list(ctx, home); d.catalogue.names != nil {
		d.catalogue.stamp = f.stamp
	}
	return d.catalogue.names
}

// list asks an app-server for its models.
func (d *driver) list(ctx context.Context, home string) []string {
	p, err := process.Start(ctx, process.Command{
		Path: d.command(), Args: append(append([]string{}, d.Args...), "app-server"), Env: d.asking(home),
	})
	if err != nil {
		return nil
	}
	defer p.Kill()                                        //nolint:contextcheck // it has told what it knows
	disarm := context.AfterFunc(ctx, func() { p.Kill() }) //nolint:contextcheck // the same
	defer disarm()
	for _, say := range []func() ([]byte, error){
		func() ([]byte, error) { return request(requestInitialize, "initialize", introduction()) },
		func() ([]byte, error) { return notify("initialized") },
		func() ([]byte, error) {
			return request(requestModels, "model/list", map[string]any{"includeHidden": true, "limit": 500})
		},
	} {
		line, err := say()
		if err != nil || p.Write(ctx, line) != nil {
			return nil
		}
	}
	for line := range p.Lines() {
		var m message
		if json.Unmarshal(line.Text, &m) == nil && m.id() == requestModels {
			return listed(m.Result)
		}
	}
	return nil
}

func listed(result json.RawMessage) []string {
	var list struct {
		Data []struct {
			Model string `json:"model"`
		} `json:"data"`
	}
	if json.Unmarshal(result, &list) != nil {
		return nil
	}
	var names []string
	for _, m := range list.Data {
		if m.Model != "" {
			names = append(names, m.Model)
		}
	}
	return names
}

package hermes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"kurogo/messages"
)

const (
	probing     = 10 * time.Second
	longestList = 4 << 20 // of models
)

// Probe asks the service for its version and its models; no model is called.
func (d *driver) Probe(ctx context.Context) (messages.Caps, error) {
	c, err := d.client(nil)
	if err != nil {
		return messages.Caps{}, err
	}
	defer c.close()
	ctx, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	caps := messages.Caps{
		LongLived: true, Resume: true, InBandTools: true, Interrupt: true, SystemPrompt: true, Schema: true,
		Version: "chat completions at " + c.base,
	}
	if c.api == Ollama {
		var said struct {
			Version string `json:"version"`
		}
		if err := c.get(ctx, "/api/version", &said); err != nil {
			return messages.Caps{}, unavailable(ctx, c, err)
		}
		caps.Version = "ollama " + messages.Cut(said.Version, 40)
	}
	if caps.Models, err = c.models(ctx); err != nil {
		return messages.Caps{}, unavailable(ctx, c, err)
	}
	return caps, nil
}

// models are those that the service has; none where it does not tell.
func (c *client) models(ctx context.Context) ([]string, error) {
	var list struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"` // Ollama
		Data []struct {
			ID string `json:"id"`
		} `json:"data"` // OpenAI
	}
	path := "/models"
	if c.api == Ollama {
		path = "/api/tags"
	}
	var f *failure
	if err := c.get(ctx, path, &list); errors.As(err, &f) && f.status == http.StatusNotFound {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.Name)
		if bare, ok := strings.CutSuffix(m.Name, ":latest"); ok { // it answers to both
			names = append(names, bare)
		}
	}
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// get reads a whole answer.
func (c *client) get(ctx context.Context, path string, into any) error {
	res, err := c.ask(ctx, c.base+path, nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, longestList))
	if err != nil {
		return c.broken(ctx, err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

package index

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// An Embedder turns texts into vectors of one length: what means the same lies
// close together.
type Embedder interface {
	// Model names the vectors: those of another model say nothing here.
	Model() string
	// Embed returns one vector a text, in the same order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A Server is where embeddings are made.
type Server struct {
	URL    string // without the path that the protocol adds
	Model  string
	Key    string       // sent as a bearer token; "" = none
	Client *http.Client // nil: http.DefaultClient
}

// Ollama is an Embedder that speaks to /api/embed.
type Ollama struct{ Server }

// Model implements Embedder.
func (o Ollama) Model() string { return o.Server.Model }

// Embed implements Embedder.
func (o Ollama) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var answer struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	if err := o.post(ctx, "/api/embed", texts, &answer); err != nil {
		return nil, err
	}
	return whole32(answer.Embeddings, len(texts))
}

// OpenAI is an Embedder that speaks to /v1/embeddings, as many servers do.
type OpenAI struct{ Server }

// Model implements Embedder.
func (o OpenAI) Model() string { return o.Server.Model }

// Embed implements Embedder.
func (o OpenAI) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var answer struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := o.post(ctx, "/v1/embeddings", texts, &answer); err != nil {
		return nil, err
	}
	slices.SortFunc(answer.Data, func(a, b struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	},
	) int {
		return cmp.Compare(a.Index, b.Index)
	})
	var out [][]float32
	for _, d := range answer.Data {
		out = append(out, d.Embedding)
	}
	return whole32(out, len(texts))
}

// whole32 refuses what cannot be one vector a text.
func whole32(vectors [][]float32, texts int) ([][]float32, error) {
	if len(vectors) != texts {
		return nil, fmt.Errorf("embed: %d vectors came for %d texts", len(vectors), texts)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("embed: vectors of %d and %d numbers came together", len(vectors[0]), len(v))
		}
	}
	return vectors, nil
}

const mostAnswer = 64 << 20

// post asks once, and once more if the server stumbled.
func (s Server) post(ctx context.Context, path string, texts []string, answer any) error {
	body, err := json.Marshal(map[string]any{"model": s.Model, "input": texts})
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	again, err := s.try(ctx, path, body, answer)
	if again && ctx.Err() == nil {
		_, err = s.try(ctx, path, body, answer)
	}
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	return nil
}

func (s Server) try(ctx context.Context, path string, body []byte, answer any) (again bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(s.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	if s.Key != "" {
		request.Header.Set("Authorization", "Bearer "+s.Key)
	}
	response, err := cmp.Or(s.Client, http.DefaultClient).Do(request)
	if err != nil {
		return true, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	switch {
	case err != nil:
		return true, err
	case response.StatusCode != http.StatusOK:
		return response.StatusCode >= 500, fmt.Errorf("%s said %s: %.200q", s.URL, response.Status, said)
	}
	return false, json.Unmarshal(said, answer)
}

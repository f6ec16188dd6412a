package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"kurogo/messages"
)

// A Client is a program that speaks MCP and has a file of its own in which the
// servers are listed that it may use.
type Client string

// The clients whose file we can edit.
const (
	ClaudeClient Client = "claude"
	CodexClient  Client = "codex"
	CursorClient Client = "cursor"
	GeminiClient Client = "gemini"
	VSCodeClient Client = "vscode"
)

// Clients lists them.
func Clients() []Client {
	return []Client{ClaudeClient, CodexClient, CursorClient, GeminiClient, VSCodeClient}
}

// A ServerEntry is how a client finds Kurogo: a command that speaks on its
// stdin and stdout or, where there is a URL, streamable HTTP. Token means that
// the URL wants one, from the variable KUROGO_TOKEN: it is never in the file.
// Variables are those of the client's environment that the command needs; only
// Codex wants them named.
type ServerEntry struct {
	Command   string
	Args      []string
	Variables []string
	URL       string
	Token     bool
}

// serverName is what clients know us as; our prompts speak of it.
const serverName = "kurogo"

// Edit puts the entry into the text of a client's file and leaves everything else
// as it is: what others wrote, their comments, and what is said of us that the
// entry does not say. An empty text is a file that is not there yet; one that has
// the entry already comes back unchanged. The error is one sentence for people.
func (c Client) Edit(text string, e ServerEntry) (string, error) {
	edit := editJSON
	if c == CodexClient {
		edit = editTOML
	}
	out, err := edit(c, text, e)
	if err != nil {
		return "", messages.Errorf(messages.CodeConflict, "%v", err)
	}
	return out, nil
}

// jsonEntry is the entry as most clients write it. The order is that of the file.
type jsonEntry struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

// ours are the keys of an entry that say where the server is: what stands under
// them does not outlive a new entry.
var ours = []string{"type", "command", "args", "url", "httpUrl", "headers"}

// section is the table of servers in the client's file.
func (c Client) section() string {
	if c == VSCodeClient {
		return "servers"
	}
	return "mcpServers"
}

// tokenInput is what VS Code asks its user for: it puts no variables of the
// environment into headers.
const tokenInput = "kurogo-token" //nolint:gosec // the name of a question, not a credential

func (c Client) json(e ServerEntry) jsonEntry {
	if e.URL == "" {
		out := jsonEntry{Command: e.Command, Args: e.Args}
		if c == VSCodeClient || c == ClaudeClient {
			out.Type = "stdio"
		}
		return out
	}
	token := map[Client]string{
		ClaudeClient: "${KUROGO_TOKEN}", CursorClient: "${env:KUROGO_TOKEN}", GeminiClient: "$KUROGO_TOKEN", VSCodeClient: "${input:" + tokenInput + "}",
	}[c]
	out := jsonEntry{URL: e.URL}
	if e.Token {
		out.Headers = map[string]string{"Authorization": "Bearer " + token}
	}
	switch c {
	case VSCodeClient, ClaudeClient:
		out.Type = "http"
	case GeminiClient:
		out.URL, out.HTTPURL = "", e.URL
	case CursorClient, CodexClient:
	}
	return out
}

// editJSON edits a file that is JSON, or JSON with comments.
func editJSON(c Client, text string, e ServerEntry) (string, error) {
	d, err := parseJSON(text)
	if err != nil {
		return "", err
	}
	before := d.tree()
	entry, err := encodeJSON(c.json(e))
	if err != nil {
		return "", err
	}
	if err := d.merge([]string{c.section(), serverName}, entry, ours); err != nil {
		return "", err
	}
	if !sameBut(before, d.tree(), c.section(), ours) {
		return "", errors.New(c.section() + " is written in a form that cannot be changed in place")
	}
	if c == VSCodeClient && e.Token {
		input := `{"type":"promptString","id":"` + tokenInput + `","description":"Kurogo's token: kurogo token","password":true}`
		if err := d.list("inputs", "id", tokenInput, input); err != nil {
			return "", err
		}
	}
	return d.text, nil
}

// encodeJSON leaves & and < as they are: a URL is to be read.
func encodeJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode entry: %w", err)
	}
	return string(bytes.TrimSpace(b.Bytes())), nil
}

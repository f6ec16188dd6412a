package claude

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"kurogo/messages"
)

// introduce writes down where our MCP server is, for nobody else's eyes, and
// names the file. A token among the arguments could be read by everybody.
func introduce(spec messages.Spec) (string, error) {
	if spec.Home == "" {
		return "", messages.Invalid("home", "a claude that uses our MCP server needs a directory of its own")
	}
	file, err := filepath.Abs(filepath.Join(spec.Home, "mcp.json")) // the CLI would look in its working directory
	if err != nil {
		return "", fmt.Errorf("name MCP server: %w", err)
	}
	ours := map[string]any{"type": "http", "url": spec.MCP.URL}
	if spec.MCP.Token != "" {
		ours["headers"] = map[string]string{"Authorization": "Bearer " + spec.MCP.Token}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{server: ours}})
	if err != nil {
		return "", fmt.Errorf("name MCP server: %w", err)
	}
	_ = os.Remove(file) // one that is there may be another's to read
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("name MCP server: %w", err)
	}
	return file, nil
}

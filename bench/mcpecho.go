package main

import (
	"context"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// mcpEchoVerb makes this program the smallest MCP server there is: mcp-go as it
// comes, on its own pipe, with one tool that says what it was told.
const mcpEchoVerb = "echo-mcp"

const (
	rolesTool     = "list_roles"
	echoTool      = "echo"
	echoArguments = `{"text":"hello"}`
)

func echoMCP() error {
	s := server.NewMCPServer("echo", "1")
	s.AddTool(protocol.NewTool(echoTool, protocol.WithString("text", protocol.Required())),
		func(_ context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
			text, err := r.RequireString("text")
			return protocol.NewToolResultText(text), err
		})
	return server.ServeStdio(s)
}

package codex

import (
	"context"
	"fmt"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// ourServer is what a life knows our MCP server as, and stranger where the user's
// own configuration has one of that name (`kurogo mcp install codex` puts it
// there): an argument cannot take its place, only add to it, and the CLI refuses
// what comes of that.
const (
	ourServer = "kurogo"
	stranger  = "kurogo_agent"
)

// namesake asks the CLI whether the user's own configuration has a server of our
// name. In that one an agent would be the user, so that it must be turned off.
func (o Options) namesake(ctx context.Context, env []string, dir string) bool {
	argv := append([]string{o.command()}, o.Args...)
	_, _, code, err := process.Exec{}.Run(ctx, dir, env, append(argv, "mcp", "get", ourServer)...)
	return err == nil && code == 0
}

// tools are the settings by which a life finds our tools. Asking nobody would
// refuse every one that changes something.
func (o Options) tools(at messages.MCPServer) (pairs []string) {
	name := ourServer
	if o.taken {
		name, pairs = stranger, append(pairs, "mcp_servers."+ourServer+".enabled=false")
	}
	return append(pairs, fmt.Sprintf("mcp_servers.%s={url=%s,bearer_token_env_var=%s,default_tools_approval_mode=\"approve\"}",
		name, quote(at.URL), quote(tokenVariable)))
}

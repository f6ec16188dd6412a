package conformance

import (
	"context"
	"fmt"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func prompts(s *server.MCPServer) {
	add := func(p protocol.Prompt, says func(arguments map[string]string) []protocol.Content) {
		p.Description = "is asked for by the conformance suite"
		s.AddPrompt(p, func(_ context.Context, r protocol.GetPromptRequest) (*protocol.GetPromptResult, error) {
			got := &protocol.GetPromptResult{}
			for _, c := range says(r.Params.Arguments) {
				got.Messages = append(got.Messages, protocol.PromptMessage{Role: protocol.RoleUser, Content: c})
			}
			return got, nil
		})
	}
	add(protocol.NewPrompt("test_simple_prompt"), func(map[string]string) []protocol.Content {
		return []protocol.Content{protocol.NewTextContent("This is a simple prompt for testing.")}
	})
	add(protocol.NewPrompt("test_prompt_with_arguments",
		protocol.WithArgument("arg1", protocol.RequiredArgument()), protocol.WithArgument("arg2", protocol.RequiredArgument()),
	), func(a map[string]string) []protocol.Content {
		return []protocol.Content{protocol.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]))}
	})
	add(protocol.NewPrompt("test_prompt_with_embedded_resource", protocol.WithArgument("resourceUri", protocol.RequiredArgument())),
		func(a map[string]string) []protocol.Content {
			return []protocol.Content{
				protocol.NewEmbeddedResource(protocol.TextResourceContents{URI: a["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}),
				protocol.NewTextContent("Please process the embedded resource above."),
			}
		})
	add(protocol.NewPrompt("test_prompt_with_image"), func(map[string]string) []protocol.Content {
		return []protocol.Content{protocol.NewImageContent(picture, "image/png"), protocol.NewTextContent("Please analyze the image above.")}
	})
}

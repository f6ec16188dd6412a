package conformance

import (
	"context"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// described is for the suite, which wants every tool to be.
var described = protocol.WithDescription("is called by the conformance suite")

// tools answer with each kind of content, and tell of themselves meanwhile.
func tools(s *server.MCPServer) {
	for name, answer := range map[string]*result{
		"test_simple_text":   content(protocol.NewTextContent("This is a simple text response for testing.")),
		"test_image_content": content(protocol.NewImageContent(picture, "image/png")),
		"test_audio_content": content(protocol.NewAudioContent(sound, "audio/wav")),
		"test_embedded_resource": content(protocol.NewEmbeddedResource(protocol.TextResourceContents{
			URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
		})),
		"test_multiple_content_types": content(
			protocol.NewTextContent("Multiple content types test:"),
			protocol.NewImageContent(picture, "image/png"),
			protocol.NewEmbeddedResource(protocol.TextResourceContents{
				URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
			}),
		),
		"test_error_handling": protocol.NewToolResultError("This tool intentionally returns an error for testing"),
	} {
		s.AddTool(protocol.NewTool(name, described), func(context.Context, request) (*result, error) {
			got := *answer // mcp-go writes into what it is given
			return &got, nil
		})
	}
	s.AddTool(protocol.NewTool("test_tool_with_logging", described), func(ctx context.Context, _ request) (*result, error) {
		for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := s.SendNotificationToClient(ctx, "notifications/message", map[string]any{"level": "info", "logger": "fixture", "data": line}); err != nil {
				return nil, err
			}
		}
		return protocol.NewToolResultText("Tool with logging executed successfully"), nil
	})
	s.AddTool(protocol.NewTool("test_logging_tool", described), func(ctx context.Context, _ request) (*result, error) {
		if err := s.SendLogMessageToClient(ctx, protocol.NewLoggingMessageNotification(protocol.LoggingLevelInfo, "fixture", "it is being done")); err != nil {
			return nil, err
		}
		return protocol.NewToolResultText("logged for who listens"), nil
	})
	s.AddTool(protocol.NewTool("test_tool_with_progress", described), func(ctx context.Context, r request) (*result, error) {
		if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
			return protocol.NewToolResultText("nobody asked for progress"), nil
		}
		for _, done := range []int{0, 50, 100} {
			if err := s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
				"progressToken": r.Params.Meta.ProgressToken, "progress": done, "total": 100,
			}); err != nil {
				return nil, err
			}
		}
		return protocol.NewToolResultText("progress reported"), nil
	})
}

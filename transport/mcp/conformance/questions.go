package conformance

import (
	"context"
	"fmt"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type object = map[string]any

// questions are tools that ask the client something before they answer.
func questions(s *server.MCPServer) {
	s.AddTool(protocol.NewTool("test_sampling", described, protocol.WithString("prompt", protocol.Required())), func(ctx context.Context, r request) (*result, error) {
		answer, err := s.RequestSampling(ctx, protocol.CreateMessageRequest{CreateMessageParams: protocol.CreateMessageParams{ //nolint:staticcheck // the older versions have it
			Messages:  []protocol.SamplingMessage{{Role: protocol.RoleUser, Content: protocol.NewTextContent(r.GetString("prompt", ""))}},
			MaxTokens: 100,
		}})
		if err != nil {
			return protocol.NewToolResultError(err.Error()), nil
		}
		return protocol.NewToolResultText(fmt.Sprintf("LLM response: %v", answer.Content)), nil
	})
	s.AddTool(protocol.NewTool("test_elicitation", described, protocol.WithString("message", protocol.Required())), func(ctx context.Context, r request) (*result, error) {
		return elicit(ctx, s, "User response", r.GetString("message", ""), object{
			"username": object{"type": "string", "description": "User's response"},
			"email":    object{"type": "string", "description": "User's email address"},
		}, "username", "email")
	})
	s.AddTool(protocol.NewTool("test_elicitation_sep1034_defaults", described), func(ctx context.Context, _ request) (*result, error) {
		return elicit(ctx, s, "Elicitation completed", "Provide your information", object{
			"name":     object{"type": "string", "default": "John Doe"},
			"age":      object{"type": "integer", "default": 30},
			"score":    object{"type": "number", "default": 95.5},
			"status":   object{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
			"verified": object{"type": "boolean", "default": true},
		})
	})
	s.AddTool(protocol.NewTool("test_elicitation_sep1330_enums", described), func(ctx context.Context, _ request) (*result, error) {
		titled := []any{object{"const": "value1", "title": "Value One"}, object{"const": "value2", "title": "Value Two"}}
		return elicit(ctx, s, "Elicitation completed", "Select options", object{
			"untitledSingle": object{"type": "string", "enum": []string{"option1", "option2"}},
			"titledSingle":   object{"type": "string", "oneOf": titled},
			"legacyEnum":     object{"type": "string", "enum": []string{"opt1", "opt2"}, "enumNames": []string{"Option One", "Option Two"}},
			"untitledMulti":  object{"type": "array", "items": object{"type": "string", "enum": []string{"option1", "option2"}}},
			"titledMulti":    object{"type": "array", "items": object{"anyOf": titled}},
		})
	})
}

func elicit(ctx context.Context, s *server.MCPServer, says, message string, properties object, required ...string) (*result, error) {
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	answer, err := s.RequestElicitation(ctx, protocol.ElicitationRequest{
		Params: protocol.ElicitationParams{Message: message, RequestedSchema: schema},
	})
	if err != nil {
		return protocol.NewToolResultError(err.Error()), nil
	}
	return protocol.NewToolResultText(fmt.Sprintf("%s: action=%s, content=%v", says, answer.Action, answer.Content)), nil
}

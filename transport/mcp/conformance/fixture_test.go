package conformance_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	protocol "github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/goleak"

	"kurogo/messages"
	"kurogo/transport/mcp"
	"kurogo/transport/mcp/conformance"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// person answers whatever a server asks.
type person struct{}

func (person) CreateMessage(_ context.Context, r protocol.CreateMessageRequest) (*protocol.CreateMessageResult, error) {
	return &protocol.CreateMessageResult{
		SamplingMessage: protocol.SamplingMessage{Role: protocol.RoleAssistant, Content: r.Messages[0].Content}, Model: "parrot",
	}, nil
}

func (person) ListRoots(context.Context, protocol.ListRootsRequest) (*protocol.ListRootsResult, error) {
	return &protocol.ListRootsResult{Roots: []protocol.Root{{URI: "file:///stage"}}}, nil
}

func (person) Elicit(_ context.Context, r protocol.ElicitationRequest) (*protocol.ElicitationResult, error) {
	return &protocol.ElicitationResult{ElicitationResponse: protocol.ElicitationResponse{
		Action: protocol.ElicitationResponseActionAccept, Content: map[string]any{"said": r.Params.Message},
	}}, nil
}

func connect(t *testing.T) *client.Client {
	t.Helper()
	s := conformance.New(mcp.Options{Version: "fixture"})
	in, says := io.Pipe()
	hears, out := io.Pipe()
	go func() {
		_ = s.ServeStdio(t.Context(), in, out, messages.Caller{})
		_ = out.Close()
		_ = in.Close()
	}()
	c := client.NewClient(transport.NewIO(hears, says, io.NopCloser(strings.NewReader(""))),
		client.WithSamplingHandler(person{}), client.WithElicitationHandler(person{}), client.WithRootsHandler(person{}), client.WithProtocolVersion("2025-11-25"))
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(); s.Close() })
	r := protocol.InitializeRequest{}
	r.Params.ProtocolVersion = "2025-11-25"
	if _, err := c.Initialize(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return c
}

// What the suite calls is there, and a tool that asks the client something gets
// its answer while the call lasts.
func TestTheFixtureAnswers(t *testing.T) {
	c := connect(t)
	for tool, want := range map[string]string{
		"test_simple_text":                           "This is a simple text response for testing.",
		"test_error_handling":                        "This tool intentionally returns an error for testing",
		"test_tool_with_logging":                     "Tool with logging executed successfully",
		"test_sampling":                              "hello",
		"test_elicitation":                           "User response: action=accept, content=map[said:hello]",
		"test_elicitation_sep1034_defaults":          "Elicitation completed: action=accept",
		"test_elicitation_sep1330_enums":             "Elicitation completed: action=accept",
		"json_schema_2020_12_tool":                   "invalid: message: there is no such argument",
		"test_input_required_result_multi_round":     "two rounds",
		"test_input_required_result_multiple_inputs": "all three are there",
		"test_input_required_result_request_state":   "state-ok",
	} {
		r := protocol.CallToolRequest{}
		r.Params.Name, r.Params.Arguments = tool, map[string]any{"prompt": "hello", "message": "hello"}
		got, err := c.CallTool(t.Context(), r)
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		if text, ok := got.Content[0].(protocol.TextContent); !ok || !strings.Contains(text.Text, want) {
			t.Errorf("%s: got %+v, want %q", tool, got.Content, want)
		}
	}
	list, err := c.ListTools(t.Context(), protocol.ListToolsRequest{})
	if err != nil || len(list.Tools) != 23 {
		t.Errorf("%d tools, %v", len(list.Tools), err)
	}
	prompts, err := c.ListPrompts(t.Context(), protocol.ListPromptsRequest{})
	if err != nil || len(prompts.Prompts) != 5 {
		t.Errorf("%v, %v", prompts, err)
	}
	read := protocol.ReadResourceRequest{}
	read.Params.URI = "test://template/42/data"
	got, err := c.ReadResource(t.Context(), read)
	if err != nil || !strings.Contains(got.Contents[0].(protocol.TextResourceContents).Text, `"id":"42"`) {
		t.Errorf("%+v, %v", got, err)
	}
}

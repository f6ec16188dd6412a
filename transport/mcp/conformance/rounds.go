package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// An interview asks the client in rounds, and answers when the last was
// answered. What it asks is part of a result: this version has no requests of
// the server. Its state says which round is on, and is signed.
type interview struct {
	name   string
	rounds []protocol.InputRequests
	bare   bool // has no state
	says   func(protocol.InputResponses) string
}

// interviews are tools that are interviews.
func interviews(s *server.MCPServer) {
	name := elicitation("What is your name?", "name", "string")
	greeting := sampling("Generate a greeting")
	roots := protocol.NewRootsInputRequest()
	confirm := []protocol.InputRequests{{"confirm": elicitation("Please confirm", "ok", "boolean")}}
	several := protocol.InputRequests{"user_name": name, "greeting": greeting, "client_roots": roots}
	for _, i := range []interview{
		{"elicitation", []protocol.InputRequests{{"user_name": name}}, true, func(a protocol.InputResponses) string {
			content, _ := server.ElicitationResponse(a, "user_name").Content.(object)
			return fmt.Sprintf("Hello, %v!", content["name"])
		}},
		{"sampling", []protocol.InputRequests{{"capital_question": sampling("What is the capital of France?")}}, true, func(a protocol.InputResponses) string {
			return fmt.Sprintf("LLM response: %v", server.SamplingResponse(a, "capital_question").Content)
		}},
		{"list_roots", []protocol.InputRequests{{"client_roots": roots}}, true, func(a protocol.InputResponses) string {
			return fmt.Sprintf("Roots: %v", server.RootsResponse(a, "client_roots").Roots)
		}},
		{"request_state", confirm, false, said("state-ok")},
		{"tampered_state", confirm, false, said("untouched")},
		{"multiple_inputs", []protocol.InputRequests{several}, false, said("all three are there")},
		{"capabilities", []protocol.InputRequests{several}, true, said("as able")},
		{"multi_round", []protocol.InputRequests{
			{"step1": elicitation("Step 1: What is your name?", "name", "string")},
			{"step2": elicitation("Step 2: What is your favorite color?", "color", "string")},
		}, false, said("two rounds")},
	} {
		i.tool(s, "test_input_required_result_"+i.name)
	}
	asked := interview{rounds: []protocol.InputRequests{{"user_name": name}}, bare: true, says: said("streamed")}
	asked.tool(s, "test_streaming_elicitation")
	context := interview{
		rounds: []protocol.InputRequests{{"user_context": elicitation("What context should the prompt use?", "context", "string")}}, bare: true,
		says: said("A prompt in context."),
	}
	context.prompt(s, "test_input_required_result_prompt")
}

func said(text string) func(protocol.InputResponses) string {
	return func(protocol.InputResponses) string { return text }
}

func elicitation(message, field, kind string) protocol.InputRequest {
	return protocol.NewElicitationInputRequest(protocol.ElicitationParams{
		Mode: protocol.ElicitationModeForm, Message: message,
		RequestedSchema: object{"type": "object", "properties": object{field: object{"type": kind}}, "required": []string{field}},
	})
}

func sampling(question string) protocol.InputRequest {
	return protocol.NewSamplingInputRequest(protocol.CreateMessageParams{
		Messages:  []protocol.SamplingMessage{{Role: protocol.RoleUser, Content: protocol.NewTextContent(question)}},
		MaxTokens: 100,
	})
}

func (i interview) tool(s *server.MCPServer, name string) {
	s.AddTool(protocol.NewTool(name, described), func(ctx context.Context, r request) (*result, error) {
		asks, state, text, err := i.next(ctx, r.Params.MultiRoundTripParams)
		switch {
		case err != nil:
			return nil, err
		case asks == nil:
			return protocol.NewToolResultText(text), nil
		}
		return &result{
			Result:               protocol.Result{ResultType: protocol.ResultTypeInputRequired},
			MultiRoundTripResult: protocol.MultiRoundTripResult{InputRequests: asks, RequestState: state},
		}, nil
	})
}

func (i interview) prompt(s *server.MCPServer, name string) {
	s.AddPrompt(protocol.NewPrompt(name, protocol.WithPromptDescription("asks before it says anything")), func(ctx context.Context, r protocol.GetPromptRequest) (*protocol.GetPromptResult, error) {
		asks, state, text, err := i.next(ctx, r.Params.MultiRoundTripParams)
		switch {
		case err != nil:
			return nil, err
		case asks == nil:
			return &protocol.GetPromptResult{Messages: []protocol.PromptMessage{{Role: protocol.RoleUser, Content: protocol.NewTextContent(text)}}}, nil
		}
		return &protocol.GetPromptResult{
			Result:               protocol.Result{ResultType: protocol.ResultTypeInputRequired},
			MultiRoundTripResult: protocol.MultiRoundTripResult{InputRequests: asks, RequestState: state},
			Messages:             []protocol.PromptMessage{},
		}, nil
	})
}

// next is what is to be asked now, or the answer. What is missing is asked for
// again.
func (i interview) next(ctx context.Context, got protocol.MultiRoundTripParams) (asks protocol.InputRequests, state, text string, err error) {
	round := 0
	if got.RequestState != "" {
		if round, err = opened(got.RequestState); err != nil || round >= len(i.rounds) {
			return nil, "", "", errors.Join(errors.New("the request state is not ours"), err)
		}
	}
	asks = able(ctx, i.rounds[round])
	if len(asks) == 0 {
		return nil, "", "", errors.New("the client has not said that it can answer")
	}
	if complete(asks, got.InputResponses) && (i.bare || got.RequestState != "") {
		if round++; round == len(i.rounds) {
			return nil, "", i.says(got.InputResponses), nil
		}
		asks = able(ctx, i.rounds[round])
	}
	if !i.bare {
		state = sealed(round)
	}
	return asks, state, "", nil
}

// able leaves out what the client has not said it can answer. Older clients are
// asked in the older way, which looks for itself.
func able(ctx context.Context, asks protocol.InputRequests) protocol.InputRequests {
	info := server.RequestProtocolInfoFromContext(ctx)
	if info == nil || !info.Modern || info.ClientCapabilities == nil {
		return asks
	}
	can := map[protocol.MCPMethod]bool{
		protocol.MethodElicitationCreate:     info.ClientCapabilities.Elicitation != nil,
		protocol.MethodSamplingCreateMessage: info.ClientCapabilities.Sampling != nil,
		protocol.MethodListRoots:             info.ClientCapabilities.Roots != nil,
	}
	asks = maps.Clone(asks)
	maps.DeleteFunc(asks, func(_ string, r protocol.InputRequest) bool { return !can[r.Method] })
	return asks
}

func complete(asks protocol.InputRequests, answers protocol.InputResponses) bool {
	for id, r := range asks {
		switch r.Method {
		case protocol.MethodElicitationCreate:
			a := server.ElicitationResponse(answers, id)
			if a == nil || a.Action == "" {
				return false
			}
		case protocol.MethodSamplingCreateMessage:
			if server.SamplingResponse(answers, id) == nil {
				return false
			}
		default:
			if server.RootsResponse(answers, id) == nil {
				return false
			}
		}
	}
	return true
}

var seal = rand.Text()

func sealed(round int) string {
	text := strconv.Itoa(round)
	mac := hmac.New(sha256.New, []byte(seal))
	mac.Write([]byte(text))
	return text + "." + hex.EncodeToString(mac.Sum(nil))
}

func opened(state string) (round int, err error) {
	text, _, _ := strings.Cut(state, ".")
	if round, err = strconv.Atoi(text); err == nil && !hmac.Equal([]byte(state), []byte(sealed(round))) {
		err = errors.New("it was changed")
	}
	return round, err
}

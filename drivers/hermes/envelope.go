package hermes

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"kurogo/messages"
)

// An envelope is an answer in strict JSON: {thought, tool_calls, final_answer},
// and nothing else.
type envelope struct {
	thought string
	calls   []messages.ToolCall // without ids
	final   json.RawMessage     // nil = none
}

// openEnvelope reads one. The error is for the model, which is to do better.
func openEnvelope(text string) (envelope, error) {
	var e envelope
	keys, err := object(unfenced(text))
	if err != nil {
		return e, err
	}
	for key, value := range keys {
		switch key {
		case "thought":
			if err := json.Unmarshal(value, &e.thought); err != nil {
				return e, errors.New("thought must be a string")
			}
		case "tool_calls":
			if e.calls, err = readCalls(value); err != nil {
				return e, err
			}
		case "final_answer":
			if string(value) != "null" {
				e.final = value
			}
		default:
			return e, fmt.Errorf("there is no key %q: the keys are thought, tool_calls and final_answer", messages.Cut(key, 60))
		}
	}
	if len(e.calls) == 0 && e.final == nil {
		return e, errors.New("it has neither tool_calls nor final_answer: one of them is needed")
	}
	return e, nil
}

func readCalls(raw json.RawMessage) ([]messages.ToolCall, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("tool_calls must be a list")
	}
	calls := make([]messages.ToolCall, 0, min(len(list), 64))
	for i, one := range list {
		keys, err := object(string(one))
		if err != nil {
			return nil, fmt.Errorf("tool_calls[%d] must be an object with name and parameters", i)
		}
		var call messages.ToolCall
		for key, value := range keys {
			switch key {
			case "name":
				_ = json.Unmarshal(value, &call.Name) // what is no name is none
			case "parameters":
				call.Input = value
			default:
				return nil, fmt.Errorf("tool_calls[%d] has no key %q: its keys are name and parameters", i, messages.Cut(key, 60))
			}
		}
		input, ok := arguments(call.Input)
		switch {
		case call.Name == "":
			return nil, fmt.Errorf("tool_calls[%d] has no name", i)
		case !ok:
			return nil, fmt.Errorf("parameters of tool_calls[%d] must be an object", i)
		}
		call.Input = input
		calls = append(calls, call)
	}
	return calls, nil
}

// object reads the keys of a JSON object.
func object(text string) (map[string]json.RawMessage, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		if strings.HasPrefix(text, "{") {
			return nil, fmt.Errorf("it is no valid JSON: %w", err)
		}
		return nil, errors.New("it is no JSON object")
	}
	if keys == nil {
		return nil, errors.New("it is no JSON object")
	}
	return keys, nil
}

// unfenced takes away what models like to put around JSON: a fence of Markdown.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	if inner, ok = strings.CutSuffix(inner, "```"); !ok {
		return text
	}
	if first, rest, ok := strings.Cut(inner, "\n"); ok && !strings.Contains(first, "{") {
		inner = rest // the name of the language
	}
	return strings.TrimSpace(inner)
}

// aloud takes the thoughts from a text in which a model has written them first.
func aloud(text string) (thought, rest string) {
	inner, ok := strings.CutPrefix(strings.TrimLeft(text, " \n"), "<think>")
	if !ok {
		return "", text
	}
	thought, rest, ok = strings.Cut(inner, "</think>")
	if !ok {
		return strings.TrimSpace(inner), ""
	}
	return strings.TrimSpace(thought), strings.TrimSpace(rest)
}

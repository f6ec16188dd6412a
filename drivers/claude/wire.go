package claude

import "encoding/json"

// An event is a line of the CLI. One type serves all kinds of line, so that a
// line is read once; fields that no kind of line of ours uses are not here.
type event struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	SessionID string          `json:"session_id"`
	UUID      string          `json:"uuid"`
	Parent    string          `json:"parent_tool_use_id"` // within a tool that is an agent itself
	Message   json.RawMessage `json:"message"`            // assistant, user
	Error     string          `json:"error"`              // assistant, api_retry
	Outcome   json.RawMessage `json:"tool_use_result"`    // user
	Piece     json.RawMessage `json:"event"`              // stream_event

	// system init
	Servers []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"mcp_servers"`

	// system api_retry
	Attempt    int     `json:"attempt"`
	MaxRetries int     `json:"max_retries"`
	RetryDelay float64 `json:"retry_delay_ms"`
	Status     int     `json:"error_status"`

	// rate_limit_event
	Limit struct {
		Status string `json:"status"`
		Resets int64  `json:"resetsAt"` // seconds since 1970
	} `json:"rate_limit_info"`

	// control_request, control_cancel_request, control_response
	RequestID string   `json:"request_id"`
	Request   request  `json:"request"`
	Response  response `json:"response"`

	// result
	IsError   bool             `json:"is_error"`
	Result    string           `json:"result"`
	Fitted    json.RawMessage  `json:"structured_output"`
	Errors    []string         `json:"errors"`
	APIStatus int              `json:"api_error_status"`
	Reason    string           `json:"terminal_reason"`
	Denials   []denial         `json:"permission_denials"`
	Cost      float64          `json:"total_cost_usd"` // of the session, however it was resumed
	Usage     usage            `json:"usage"`          // of the turn
	Since     map[string]spent `json:"model_usage_since_last_result"`
	Answers   []string         `json:"user_message_uuids"`
}

type request struct {
	Subtype string          `json:"subtype"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"input"`
	Server  string          `json:"server_name"`
	Message call            `json:"message"`
}

type response struct {
	Subtype   string `json:"subtype"`
	RequestID string `json:"request_id"`
	Error     string `json:"error"`
}

type denial struct {
	Tool string `json:"tool_name"`
}

type usage struct {
	Input   int64 `json:"input_tokens"`
	Output  int64 `json:"output_tokens"`
	Written int64 `json:"cache_creation_input_tokens"`
	Read    int64 `json:"cache_read_input_tokens"`
}

// A stroke is the event of the model's own stream within a stream_event.
type stroke struct {
	Type  string `json:"type"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"delta"`
}

type spent struct {
	Cost float64 `json:"costUSD"`
}

// A speech is the message of an assistant or user event.
type speech struct {
	Model   string  `json:"model"`
	Content content `json:"content"`
}

// synthetic is the model of what the CLI itself says.
const synthetic = "<synthetic>"

// A block is one part of a speech.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Call     string          `json:"tool_use_id"`
	IsError  bool            `json:"is_error"`
}

// content is a list of blocks, or one text.
type content []block

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*c = content{{Type: "text"}}
		return json.Unmarshal(b, &(*c)[0].Text)
	}
	return json.Unmarshal(b, (*[]block)(c))
}

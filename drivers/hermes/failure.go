package hermes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
)

// A failure is why a turn failed. All that can go wrong with a model becomes one.
type failure struct {
	class  messages.Class
	text   string
	remedy string
	wait   time.Duration
	status int // of the service, 0 if it did not answer
}

func (f *failure) Error() string { return f.text }

// told is all that a person should know.
func (f *failure) told() string {
	if f.remedy == "" {
		return f.text
	}
	return f.text + ". Remedy: " + f.remedy
}

func failed(class messages.Class, format string, args ...any) *failure {
	return &failure{class: class, text: fmt.Sprintf(format, args...)}
}

// Why a turn's context ends.
var (
	errInterrupted = errors.New("interrupted")
	errStopped     = errors.New("stopped")
	errStalled     = errors.New("the model says nothing any more")
)

// because is the failure of whoever ended a context.
func because(ctx context.Context) *failure {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errInterrupted):
		return failed(messages.ClassInterrupted, "interrupted")
	case errors.Is(cause, errStopped):
		return failed(messages.ClassKilled, "stopped")
	case errors.Is(cause, errStalled):
		return failed(messages.ClassTimeout, "%v", cause)
	case errors.Is(cause, context.DeadlineExceeded):
		return failed(messages.ClassTimeout, "the turn has taken too long")
	default:
		return failed(messages.ClassInterrupted, "%v", cause)
	}
}

// refused reads a service's refusal.
func (c *client) refused(res *http.Response) *failure {
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // what came of it
	code, text := complaint(body)
	text = c.hide(messages.Cut(strings.ToValidUTF8(text, "\uFFFD"), longestReason))
	f := &failure{status: res.StatusCode, class: byStatus(res.StatusCode), text: text}
	if f.text == "" {
		f.text = fmt.Sprintf("the model's service answered %d %s", res.StatusCode, http.StatusText(res.StatusCode))
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		f.text, f.remedy = "the model's service is elsewhere", "name the endpoint that it moved to in kurogo.toml"
	case f.class == messages.ClassRate && code == "insufficient_quota":
		f.class = messages.ClassAuth // waiting fills no purse
	case res.StatusCode == http.StatusNotFound:
		f.remedy = c.missing()
	case f.class == messages.ClassAuth && c.name == "":
		f.remedy = "name the variable that holds the key in api_key_env"
	case f.class == messages.ClassAuth:
		f.remedy = "give " + c.name + " a key that the service takes, where kurogo is started or under env of the driver"
	}
	if f.class == messages.ClassRate || f.class == messages.ClassServer {
		f.wait = retryAfter(res.Header.Get("Retry-After"), time.Now())
	}
	return f
}

// missing is the remedy for a model that is not there.
func (c *client) missing() string {
	if c.api == Ollama {
		return "get the model (ollama pull NAME), or name one of `ollama list`"
	}
	return "name a model that the service has, and its endpoint with the /v1 that it ends in"
}

func byStatus(status int) messages.Class {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusPaymentRequired:
		return messages.ClassAuth
	case status == http.StatusTooManyRequests || status == 529: // overloaded
		return messages.ClassRate
	case status >= 500 || status == http.StatusRequestTimeout:
		return messages.ClassServer
	}
	return messages.ClassInvalid
}

// complaint is what went wrong in a service's own words: an object, or a text.
func complaint(body []byte) (code, text string) {
	var said struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil {
		return "", strings.TrimSpace(string(body))
	}
	if len(said.Error) == 0 {
		return "", said.Message
	}
	return worded(said.Error)
}

// worded reads an error that is a text or an object with one.
func worded(raw json.RawMessage) (code, text string) {
	var e struct {
		Message string `json:"message"`
		Code    any    `json:"code"` // a text, or a number
	}
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return "", text
	case json.Unmarshal(raw, &e) != nil:
		return "", string(raw)
	}
	code, _ = e.Code.(string)
	return code, e.Message
}

// longestWait bounds what a service may ask of our patience.
const longestWait = 24 * time.Hour

// retryAfter reads seconds, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), longestWait)
}

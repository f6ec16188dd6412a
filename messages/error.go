package messages

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A Code is the kind of an error as everybody outside sees it.
type Code string

// The codes. The edge translates them by the table below and nowhere else.
const (
	CodeInvalid     Code = "invalid"
	CodeNotFound    Code = "not_found"
	CodeConflict    Code = "conflict"
	CodeBusy        Code = "busy"
	CodeDenied      Code = "denied"
	CodeDeadline    Code = "deadline"
	CodeRateLimited Code = "rate_limited"
	CodeUnavailable Code = "unavailable"
	CodeCancelled   Code = "cancelled"
	CodeInternal    Code = "internal"
)

var codes = map[Code]struct {
	http, exit, rpc int
	retryable       bool
}{
	CodeInvalid:     {400, 64, -32602, false},
	CodeNotFound:    {404, 1, -32000, false},
	CodeConflict:    {409, 1, -32603, false},
	CodeBusy:        {503, 75, -32603, true},
	CodeDenied:      {403, 2, -32603, false},
	CodeDeadline:    {504, 124, -32001, true},
	CodeRateLimited: {429, 75, -32002, true},
	CodeUnavailable: {503, 69, -32603, true},
	CodeCancelled:   {409, 131, -32603, false},
	CodeInternal:    {500, 70, -32603, false},
}

// HTTP is the status of an answer that carries the code.
func (c Code) HTTP() int { return codes[c.known()].http }

// Exit is the exit status of a verb that ends with the code.
func (c Code) Exit() int { return codes[c.known()].exit }

// RPC is the JSON-RPC number of the code, spoken only in legacy mode.
func (c Code) RPC() int { return codes[c.known()].rpc }

// Retryable reports whether the same request may succeed later.
func (c Code) Retryable() bool { return codes[c.known()].retryable }

func (c Code) known() Code {
	if _, ok := codes[c]; ok {
		return c
	}
	return CodeInternal
}

// An Error is what a person or a program is told: a code, the field at fault,
// one sentence and what to do about it.
type Error struct {
	Code       Code          `json:"code"`
	Field      string        `json:"field,omitempty"`
	Message    string        `json:"message"`
	Remedy     string        `json:"remedy,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"`
}

func (Error) word() {}

// Error reads "code: field: sentence. Remedy: what to do".
func (e *Error) Error() string {
	s := string(e.Code) + ": "
	if e.Field != "" {
		s += e.Field + ": "
	}
	s += e.Message
	if e.Remedy != "" {
		s += ". Remedy: " + e.Remedy
	}
	return s
}

// Try adds the remedy.
func (e *Error) Try(remedy string) *Error {
	e.Remedy = remedy
	return e
}

// Errorf makes an Error without a field.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid makes an Error that blames one field of the request.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Field: field, Message: fmt.Sprintf(format, args...)}
}

// TooLarge blames a field that is over the named limit.
func TooLarge(field, limit string, got, most int) *Error {
	return Invalid(field, "%d bytes are over the limit %s = %d", got, limit, most).
		Try("shorten it, or raise limits." + limit)
}

// AsError turns any error into the one that the edge shows. An error that
// carries no code is internal.
func AsError(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(CodeDeadline, "%v", err)
	case errors.Is(err, context.Canceled):
		return Errorf(CodeCancelled, "%v", err)
	}
	return Errorf(CodeInternal, "%v", err)
}

// IsCode reports whether err carries the code.
func IsCode(err error, code Code) bool {
	e := AsError(err)
	return e != nil && e.Code == code
}

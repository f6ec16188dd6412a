package tools

import (
	"errors"
	"regexp"
	"strconv"

	"kurogo/messages"
)

// A fault is what a refusal of the house means for the arguments of one tool,
// where the house itself has not said it.
type fault struct{ field, remedy string }

type faults map[messages.Code]fault

// also joins what several arguments can be refused for; the last word counts.
func (f faults) also(more faults) faults {
	out := make(faults, len(f)+len(more))
	for _, one := range []faults{f, more} {
		for code, what := range one {
			out[code] = what
		}
	}
	return out
}

// explain completes an error that the house gave: every refusal names a field
// and a remedy.
func (f faults) explain(err error) error {
	var e *messages.Error
	if !errors.As(err, &e) {
		return err
	}
	out, known := *e, f[e.Code]
	if out.Field == "" {
		out.Field = known.field
	}
	if out.Remedy == "" {
		out.Remedy = known.remedy
	}
	if out.Remedy == "" {
		out.Remedy = always[out.Code]
	}
	return &out
}

// always is what helps against a code when nobody knows better.
var always = map[messages.Code]string{
	messages.CodeInvalid:     "see the description of the tool",
	messages.CodeBusy:        "try again soon",
	messages.CodeRateLimited: "try again later",
	messages.CodeUnavailable: "try again; kurogo doctor says what is wrong",
	messages.CodeDeadline:    "try again: what was begun goes on",
	messages.CodeInternal:    "try again; the log of kurogo serve says more",
}

// denied refuses a field to this caller.
func denied(field, message, remedy string) *messages.Error {
	return &messages.Error{Code: messages.CodeDenied, Field: field, Message: message, Remedy: remedy}
}

// staged are the ways to name an order: as the word does it, and as the tools do.
var (
	staged = regexp.MustCompile(`^stages\[(\d+)\](?:\.tasks)?\[(\d+)\]\.?`)
	listed = regexp.MustCompile(`^agents\[()(\d+)\]\.?`)
	alone  = regexp.MustCompile(`^()()(?:role|prompt|workingDirectory|timeout_ms)$`)
)

// moved gives the field of an order the name that it has in the tool's arguments,
// whichever the house knows it by. one tells that there is a single order.
func moved(err error, one bool, name func(stage, task int) string) error {
	var e *messages.Error
	if !errors.As(err, &e) {
		return err
	}
	at, end := staged.FindStringSubmatch(e.Field), 0
	if at == nil {
		at = listed.FindStringSubmatch(e.Field)
	}
	if at != nil {
		end = len(at[0])
	} else if at = alone.FindStringSubmatch(e.Field); at == nil || !one {
		return err
	}
	stage, _ := strconv.Atoi(at[1]) // digits, or nothing for the first
	task, _ := strconv.Atoi(at[2])
	out, rest := *e, e.Field[end:]
	switch out.Field = name(stage, task); {
	case out.Field == "":
		out.Field = rest
	case rest != "":
		out.Field += "." + rest
	}
	return &out
}

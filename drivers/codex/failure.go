package codex

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
)

// A failure is why a turn failed, as the CLI words it. Only the app-server adds
// what it means.
type failure struct {
	Message string          `json:"message"`
	Info    json.RawMessage `json:"codexErrorInfo"` // a word, or an object of one word with a status
}

// class is what a failure means, and how long to wait where it says so.
func (f failure) class() (messages.Class, time.Duration) {
	word, status := f.info()
	wait := patience(f.Message)
	if status == 0 {
		if m := statusText.FindStringSubmatch(f.Message); m != nil {
			status, _ = strconv.Atoi(m[1])
		}
	}
	if c, ok := byWord[word]; ok && !strings.Contains(f.Message, "billing") {
		return c, wait
	}
	if status != 0 {
		return byStatus(status), wait
	}
	lower := strings.ToLower(f.Message)
	for _, c := range phrases {
		if strings.Contains(lower, c.phrase) {
			return c.class, wait
		}
	}
	if broken[word] {
		return messages.ClassServer, wait
	}
	// Of all that can go wrong only a request that was refused as wrong is told in
	// the service's own words.
	return messages.ClassInvalid, 0
}

func (f failure) info() (word string, status int) {
	if json.Unmarshal(f.Info, &word) == nil {
		return word, 0
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(f.Info, &object) // neither: then the text tells
	for name, inner := range object {
		var in struct {
			Status int `json:"httpStatusCode"`
		}
		_ = json.Unmarshal(inner, &in)
		return name, in.Status
	}
	return "", 0
}

// byWord are the words that mean one thing, except that some who must pay are
// told to wait.
var byWord = map[string]messages.Class{
	"unauthorized":          messages.ClassAuth,
	"usageLimitExceeded":    messages.ClassRate,
	"rateLimitExceeded":     messages.ClassRate,
	"serverOverloaded":      messages.ClassRate,
	"flexUnavailable":       messages.ClassServer,
	"internalServerError":   messages.ClassServer,
	"badRequest":            messages.ClassInvalid,
	"contextWindowExceeded": messages.ClassInvalid,
	"sessionBudgetExceeded": messages.ClassInvalid,
	"modelNotFound":         messages.ClassInvalid,
	"cyberPolicy":           messages.ClassInvalid,
	"sandboxError":          messages.ClassCrash,
}

// broken are the words for a connection that broke, where no status says why.
var broken = map[string]bool{
	"httpConnectionFailed": true, "responseStreamConnectionFailed": true, "responseStreamDisconnected": true,
	"responseTooManyFailedAttempts": true,
}

// statusText is where a message names the service's status.
var statusText = regexp.MustCompile(`(?:unexpected|last) status:? (\d{3})`)

func byStatus(status int) messages.Class {
	switch {
	case status == 401 || status == 403:
		return messages.ClassAuth
	case status == 429:
		return messages.ClassRate
	case status >= 500 || status == 408:
		return messages.ClassServer
	}
	return messages.ClassInvalid
}

// A clue is a phrase of the CLI that says what went wrong.
type clue struct {
	phrase string // in small letters
	class  messages.Class
}

// phrases are what it says where it names nothing.
var phrases = []clue{
	{"not logged in", messages.ClassAuth},
	{"codex login", messages.ClassAuth},
	{"log in again", messages.ClassAuth},
	{"missing environment variable", messages.ClassAuth},
	{"billing", messages.ClassAuth},
	{"usage limit", messages.ClassRate},
	{"rate limit", messages.ClassRate},
	{"at capacity", messages.ClassRate},
	{"high demand", messages.ClassServer},
	{"stream disconnected", messages.ClassServer},
	{"reconnecting", messages.ClassServer},
	{"connection failed", messages.ClassServer},
	{"error sending request", messages.ClassServer},
	{"timeout", messages.ClassServer},
	{"timed out", messages.ClassServer},
	{"internal server error", messages.ClassServer},
	{"interrupted", messages.ClassInterrupted},
}

var (
	again = regexp.MustCompile(`(?i)try again in ((?:\d+(?:\.\d+)?\s*[a-z]+[ ,]*)+)`)
	span  = regexp.MustCompile(`(?i)(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)`)
	units = map[string]time.Duration{
		"ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
	}
)

// patience is how long a message asks us to wait: "Please try again in 7.5s",
// "Try again in 2 days 3 hours".
func patience(text string) time.Duration {
	m := again.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	var wait time.Duration
	for _, part := range span.FindAllStringSubmatch(m[1], -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err == nil && n < 1e6 {
			wait += time.Duration(n * float64(units[strings.ToLower(part[2])]))
		}
	}
	return wait
}

// limits are the windows of a login's limits.
type limits struct {
	Primary   window `json:"primary"`
	Secondary window `json:"secondary"`
}

type window struct {
	Used   float64 `json:"usedPercent"`
	Resets int64   `json:"resetsAt"` // seconds since 1970
}

// wait is how long it is until every window that is used up begins anew.
func (l limits) wait() time.Duration {
	var wait time.Duration
	for _, w := range []window{l.Primary, l.Secondary} {
		if w.Used >= 100 && w.Resets > 0 {
			wait = max(wait, time.Until(time.Unix(w.Resets, 0)))
		}
	}
	return wait
}

func decode(raw json.RawMessage, into any) error {
	return json.Unmarshal(raw, into) //nolint:wrapcheck // the caller knows what it is
}

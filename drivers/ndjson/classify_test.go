package ndjson_test

import (
	"testing"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// The same words mean the same of every agent that has no other.
func TestWhatAComplaintIsAbout(t *testing.T) {
	for text, want := range map[string]messages.Class{
		"401":                                  messages.ClassAuth,
		"HTTP 403 Forbidden":                   messages.ClassAuth,
		"Please set GEMINI_API_KEY":            messages.ClassAuth,
		"429 Too Many Requests":                messages.ClassRate,
		"Quota exceeded":                       messages.ClassRate,
		"model gpt-9 not found":                messages.ClassInvalid,
		"error: unknown option '--x'":          messages.ClassInvalid,
		"503 Service Unavailable":              messages.ClassServer,
		"connect ECONNREFUSED 127.0.0.1:1":     messages.ClassServer,
		"it took 512 ms and 4290 bytes":        messages.ClassNone,
		"Cannot read properties of undefined":  messages.ClassNone,
		"(node:7) ExperimentalWarning: SQLite": messages.ClassNone,
	} {
		if got := ndjson.Classify(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	e := messages.Exit{Code: 1, Class: messages.ClassCrash, Reason: "x ended with status 1", Stderr: "{\"error\":429}\nWarning: old\nLogin: 401\nbye"}
	if got := ndjson.Blame("x", e, ""); got.Class != messages.ClassAuth || got.Reason != "x: Login: 401" {
		t.Errorf("%+v", got)
	}
	e.Stderr = ""
	if got := ndjson.Blame("x", e, "bye"); got.Class != messages.ClassCrash || got.Reason != "x ended with status 1: bye" {
		t.Errorf("%+v", got)
	}
}

package codex

import (
	"time"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// NewDialogue lets a test speak to the app-server's protocol without a process.
func NewDialogue(spec messages.Spec) ndjson.Protocol { return newDialogue(spec, "read-only") }

// NewRun lets a test hear what `codex exec` says without a process.
func NewRun() ndjson.OneShot { return &run{work: work{}} }

// Failed is what a failure means: its message, and the app-server's word for it.
func Failed(message, info string) (messages.Class, time.Duration) {
	return failure{Message: message, Info: []byte(info)}.class()
}

// Quote is a text in TOML.
func Quote(s string) string { return quote(s) }

// Borders reads a border and writes it again.
func Borders(s string) string { return readBorder(s).String() }

package cursor

import (
	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// NewDialogue lets a test speak to the driver's protocol without a process.
func NewDialogue(spec messages.Spec) ndjson.OneShot { return newDialogue(Options{}, spec) }

// The bounds and the parser that tests go up to.
const (
	LongestPrompt  = longestPrompt
	LongestPassage = longestPassage
)

// ParseModels reads the CLI's list.
func ParseModels(text string) []string { return parseModels(text) }

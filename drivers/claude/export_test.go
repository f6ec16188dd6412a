package claude

import (
	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// NewDialogue lets a test speak to the driver's protocol without a process.
func NewDialogue(spec messages.Spec, permission string) ndjson.Protocol {
	return newDialogue(spec, permission, "")
}

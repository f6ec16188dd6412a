package command

import "kurogo/drivers/ndjson"

// NewDialogue lets a test speak to the driver's protocol without a process.
func NewDialogue(o Options) ndjson.OneShot { return driver{o}.dialogue("") }

// LongestPassage is a bound that tests go up to.
const LongestPassage = longestPassage

package cursor

import (
	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// longestComplaint is how much of a complaint is told.
const longestComplaint = 300

// Judge looks into what it complained of, on either output.
func (d *dialogue) Judge(e messages.Exit) messages.Exit { return ndjson.Blame(Kind, e, d.plain) }

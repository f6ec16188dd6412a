package ndjson

import (
	"strings"

	"kurogo/drivers/process"
)

// shown is how much of a line a warning shows.
const shown = 200

// Show words a warning about a line: why, and its head.
func Show(why string, line process.Line) string {
	return why + ": " + strings.ToValidUTF8(string(line.Text[:min(len(line.Text), shown)]), "\uFFFD")
}

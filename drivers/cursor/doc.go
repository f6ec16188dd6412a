// Package cursor drives the Cursor CLI: one `agent -p` process in its
// stream-json mode is one life of one turn.
//
// The CLI is not known to read its stdin, so the prompt is its last argument,
// which bounds it. It has no system prompt of its own: ours comes before the
// prompt. Parallel processes race for the files of one configuration, so every
// agent has a directory of its own, where it finds our MCP server too.
//
// Its stream is documented in part and was observed in part: every key that
// ends in ToolCall is a tool, plain lines are complaints, and what is unknown
// is a warning. With partial output on, a passage comes in pieces and then
// again as a whole (passages.go).
package cursor

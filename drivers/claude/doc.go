// Package claude drives Claude Code: one `claude -p` process in its bidirectional
// stream-json mode is one life. Turns, interrupts, questions for permission and
// the tools that we offer all travel on its stdin and stdout, so that a life
// needs no port and no token of ours.
//
//	driver                                claude
//	  control_request initialize     ->
//	                                 <-   control_response           (ready)
//	  user                           ->
//	                                 <-   assistant, user …
//	                                 <-   control_request mcp_message, can_use_tool
//	  control_response               ->
//	                                 <-   result                     (the turn's end)
//
// A life of one turn (once.go) hears all of it at once and leaves by itself: its
// permissions are arguments, and our tools it finds by MCP.
//
// The control protocol is the Agent SDK's and not promised to others: what the
// installed version can do is asked before it is used (features.go).
package claude

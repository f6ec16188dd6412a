// Package codex drives the Codex CLI in its two headless modes.
//
// A life of many turns is one `codex app-server`: JSON-RPC in lines, without the
// jsonrpc key. Turns, interrupts and the tools that we offer all travel on its
// stdin and stdout.
//
//	driver                                codex app-server
//	  initialize                     ->
//	                                 <-   its answer
//	  initialized, thread/start      ->        (or thread/fork at the border)
//	                                 <-   the thread                  (ready)
//	  turn/start                     ->
//	                                 <-   item/started, item/completed …
//	                                 <-   item/tool/call, and we answer
//	                                 <-   turn/completed              (the turn's end)
//
// A life of one turn is one `codex exec --json`, its prompt on stdin. It has no
// tools in-band; what it may use of ours it finds by MCP.
package codex

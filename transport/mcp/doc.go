// Package mcp serves a catalogue of tools in the Model Context Protocol: on a
// pipe, over HTTP and over WebSocket, in the versions from 2024-11-05 to
// 2025-11-25, which shake hands, and in 2026-07-28, which keeps no state.
//
// mcp-go knows the protocol. What carries it is ours, because its own carriers
// let five waits block everything, hand the progress of one call to another,
// and lose what is said last. Here every message is an exchange: what the
// server says during it leaves on the exchange's own stream, all of it before
// the answer. A plain call of a tool over a pipe or WebSocket goes past mcp-go.
//
// A connection (a pipe, a WebSocket, a session of HTTP) is owned by an actor:
// who stops the actor closes the connection.
package mcp

// Package ndjson is a life that speaks in lines: the session of every driver
// whose agent is a child process that writes its events, mostly NDJSON, to its
// stdout.
//
// A driver brings a Protocol, which knows the lines. The session knows the rest:
// one turn at a time, a bounded channel of events that holds the agent back,
// answers that never wait for the reader, an agent that is not ready in time,
// and how a life ended (turn-end event and exit status together).
//
// An agent that takes one turn and ends by itself has a OneShot instead, and its
// life begins with Once, where the order of its events is written down.
package ndjson

// Package ndjson is a life that speaks in lines of JSON: the session of every
// driver whose agent is a child process with an NDJSON protocol on its stdin and
// stdout.
//
// A driver brings a Protocol, which knows the lines. The session knows the rest:
// one turn at a time, a bounded channel of events that holds the agent back,
// answers that never wait for the reader, an agent that is not ready in time,
// and how a life ended (turn-end event and exit status together).
package ndjson

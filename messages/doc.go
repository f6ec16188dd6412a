// Package messages is the vocabulary of Kurogo: the words that actors, stores,
// drivers and the edge say to each other, and nothing else. It imports only the
// standard library, so every other room may import it.
//
// Words are grouped in files by conversation (task.go, crew.go, change.go), not
// by kind. A request is an imperative (Submit), an event is a past participle
// (Accepted). Words are values: plain, copyable, never changed once sent.
//
// Two seams live here because they return one another's interfaces and Go
// matches those only by name: driver.go (Driver, Session) and change.go
// (Change, Outcome).
package messages

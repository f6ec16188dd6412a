// Package sqlite is the journal: every message, delivery, task and event in one
// SQLite file with one owner.
//
// The writer is not an actor. One goroutine takes changes from a queue, runs
// each under a savepoint, commits the batch, publishes what happened and only
// then answers. Whoever has an answer has it durably; the two exceptions, Lease
// and Observe, are answered first and written in order.
//
// One file, one change: accept.go, lease.go, endturn.go … each holds the SQL of
// one messages.Change. What they share: post.go writes a message with its
// delivery, settle.go ends tasks, step.go is the transaction they run in,
// tell.go writes what a whole batch has to tell.
package sqlite

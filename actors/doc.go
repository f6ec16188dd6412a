// Package actors holds the behaviour of Kurogo: one file, one actor.
//
// An actor knows the vocabulary (package messages) and the few verbs it needs
// from outside, which it declares itself as small interfaces beside its struct.
// It knows no driver, no store and no socket. What must not be lost is in the
// journal before anybody acts on it; a mailbox carries only what may be lost or
// repeated: Wake, Interrupt, DueAt, and the messages that are not journalled.
//
// The order inside a file is the order of reading: ports, struct, constructor,
// Receive, then one short method per word in the order of the switch.
package actors

// Package storetest is the exam of every journal. Exam tells the protocol's
// rules as stories; Schedules plays random crews that crash, cancel, expire and
// fill up, and asks after each play whether the invariants still hold.
//
// Nothing here knows how a journal works inside: a second store passes the same
// exam or is no journal.
package storetest

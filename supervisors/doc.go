// Package supervisors is the tree: who lives under whom, who rises again, and in
// which order everybody starts and stops.
//
//	core    ── router, timekeeper
//	crew    ── one persona each ── its life
//	company ── admission, checkup, groups ── one group each ── its agents ── their lives
//
// A child that falls is stopped, not restarted in place: its supervisor begins
// a new one after a backoff that grows with each fall. Nothing is lost by that,
// because what must not be lost is in the journal and a new incarnation asks
// there first.
package supervisors

// Package process starts, feeds, reads, stops and sweeps one tree of OS
// processes: a life. It is the only importer of os/exec in the house.
//
// Every life is the leader of its own process group and carries the marker
// KUROGO_LIFE=<store>:<epoch>:<agent> in its environment. Agents start shells
// in sessions of their own, so that killing the group is not enough: the end
// of a life is soft, then hard, then a sweep of whatever descends from it or
// carries its marker. Sweep does the same at the start of a daemon for the
// lives that an earlier one left behind.
//
// On Linux all of it holds. Elsewhere there is no /proc: the group is killed
// and what left the group stays.
package process

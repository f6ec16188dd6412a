// Package files is the file gateway: a Workspace is one directory in which agents
// may list, read, search and change text files, and out of which no path leads.
//
// os.Root keeps every path inside; what it lets pass is refused here (open.go):
// hard links, devices, FIFOs, other file systems, sparse giants, and for writers
// any symbolic link on the way. A policy says which files may be touched at all
// (policy.go, quota.go). A refusal is a messages.Error with a remedy.
//
// A file is never half written: what is new stands beside it, synced, before it
// takes the name (put.go). A patch of several files is worked out in memory,
// staged, and undone where it cannot be ended (patch.go, stage.go).
//
// Before a task changes a file for the first time, the Past keeps it as it was;
// Undo brings it back. Attic is the Past in a directory.
package files

// Package logs keeps what agents say, byte by byte as they said it: one
// directory an agent, and in it the segments of its streams.
//
//	<dir>/impl-code-1739487600-a3f2/stdout-000000000000.log.zst
//	<dir>/impl-code-1739487600-a3f2/stdout-000004194304.log
//
// A segment is named after the offset of its first byte, so that any place of a
// stream is found by a look at the names. The last one grows; a full one, and at
// the agent's end every one, is compressed, and appears under its new name whole
// or not at all. So a process that falls leaves nothing that cannot be read: who
// opens the directory again goes on where it stopped.
//
// The head of a log that is too large is kept. What comes later is counted in
// one line at its end (mark.go).
package logs

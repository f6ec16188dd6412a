// Package index knows the code base: it cuts files into chunks at the borders
// of functions, types and sections, keeps them in a database of its own, and
// finds the right lines again.
//
// Everything is named by its content. A file is a path and a blob, a blob is a
// list of chunks, a chunk is the hash of its symbol and its text. So a rename, a
// branch that is left and come back to and a second copy cost a row each and no
// parsing, and the work of a change grows with the change.
//
// One writer at a time changes the database and then publishes an immutable
// snapshot; readers hold one and never wait. The database can be thrown away: it
// is made again from the files.
package index

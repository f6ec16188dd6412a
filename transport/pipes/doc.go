// Package pipes is a network that no byte leaves: a listener and whoever dials it
// are in one program. The tests of the edge serve on it, because virtual time
// passes through a pipe and not through a socket.
package pipes

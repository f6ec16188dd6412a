// Package local is the door for this machine: one unix socket, which the owner
// of the state directory serves and every verb of the command line dials.
//
// Frames are lines of JSON, one object each and at most 8 MiB. Both sides say
// hello first, with their version and schema. Then the client asks and watches,
// many things at once on one connection, each under an id of its own; the words
// inside the frames are those of package messages. Errors travel whole, so that
// a Client is a House like the one behind the socket.
//
// Watches flow by credit: the server sends no more events than the watcher has
// room for, so a slow watcher holds back nobody but itself.
//
// Beside the wire live the two things that make one owner: Lock, and
// ConnectOrStart, which starts an owner where there is none.
package local

// Package live is the dashboard's socket: GET /ws, one WebSocket a page. It tells
// first who we are (hello), then everything that there is (snapshot), and from then
// on what happens (batch), in the order and under the numbers of the journal. A page
// that comes back with ?epoch=STORE&since=SEQ goes on where it was, also across a
// restart of ours.
//
// One hub reads the tail of the journal, encodes each event once and keeps the
// newest in a ring. A client is a cursor in it and no queue: what a slow one costs
// is one frame, and whoever has fallen behind the ring gets a new snapshot.
//
// The other way go orders, each answered by an ack: call uses a tool, sub and unsub
// follow what an agent says (delta, by offset, without a number), config:* are the
// document's.
//
// Who may come in is decided before us (transport/gate); agents may not. Each
// connection is owned by an actor: who stops the actor closes the connection.
package live

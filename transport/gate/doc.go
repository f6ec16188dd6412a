// Package gate decides who may come in, for every HTTP route of Kurogo.
//
// A request passes in this order: its method is one of ours; its Host and, if it
// has one, its Origin are ours, so that no foreign web page and no rebound name
// gets through; it shows the owner's token, the cookie that was made from it, or
// the token of an agent; its principal is within its rate and its share of what
// is in flight. Then the handler runs, with the caller in its context, a bounded
// body, and headers that keep the answer out of caches and foreign frames. Pages
// hold no secret and are for anybody, but on our own hosts only.
//
// Tokens prevent confusion between callers. They do not stop a program of the
// same user from reading the owner's.
package gate

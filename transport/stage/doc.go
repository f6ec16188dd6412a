// Package stage puts a connection of the edge among the actors: it has one that
// owns it, so that stopping the tree closes every connection in order.
package stage

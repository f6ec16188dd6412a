// Package command drives any program that takes a prompt on its stdin and ends
// by itself: one process is one life of one turn.
//
// What it writes is either one text, all of it the answer, or lines of JSON,
// whose meaning is told by a small table: for each type of line a kind of event
// and the paths of what belongs to it (mapping.go). A line that the table does
// not know is a warning. No shell is involved: arguments are arguments.
package command

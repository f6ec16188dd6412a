// Package inquire asks the CLI of an agent what it is and what it can do: by
// running it to its end, and by reading its help. What it said is kept until its
// file changes.
package inquire

// Package pages serves the dashboard's files: those there are by their names, and
// the first page at every other address that a page of it could have, so that a
// link to an agent opens. All is read when it begins: what is served later are
// bytes by their names, never a path on a disk.
//
// Names carry no hash. A browser asks each time whether what it has is still so,
// by its ETag, which on one machine costs nothing.
package pages

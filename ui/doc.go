// Package ui is the dashboard as it is shipped: the files that ui/web is built
// into. They are in the repository, so that Go alone builds all of Kurogo.
package ui

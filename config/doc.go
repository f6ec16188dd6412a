// Package config turns kurogo.toml, the environment and flags into plain,
// validated Go values, and says everything that is wrong with them at once,
// with file and line.
//
// Layers are laid over one another as raw trees before anything is decoded:
// defaults, then the file, then the environment, then flags. So there is one
// decoder and one place that knows where a value came from. What may be written
// is read off the Config struct by reflection: a key that is added there has
// its variable, its line number and its spelling suggestion at once.
//
// The room also owns what Kurogo ships as text: the crew's personalities, the
// roles, the performance of the rehearsal and the file that init writes; and it
// edits roles in kurogo.toml (role*.go) and the files in which MCP clients list
// us (client*.go), for it knows how to leave a person's text as it stands.
//
// Two tables replace instead of adding: a file that has [personas] (or [roles])
// has exactly the personas (roles) that it lists. One of a built-in name keeps
// the built-in values of what the file leaves out.
package config

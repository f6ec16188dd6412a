// Package tools is the catalogue of what a client can ask for by name: the tools
// of the contract, each a description, two schemas and a hand that decodes the
// arguments, asks the house and encodes the answer. transport/mcp offers it over
// MCP and transport/api over REST, so that both say the same and refuse the same.
//
// The schema that is shown to clients is the one that checks them (schema.go,
// check.go): a refusal names the field at fault and what to do about it.
//
// What takes time is a bounded long poll (linger.go): take the cursor, then read
// the state, then watch. Its end by the clock is no error, and a client that goes
// away stops nothing but the waiting.
package tools

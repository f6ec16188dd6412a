// Package conformance is a server with the tools, resources and prompts that
// the protocol's own conformance suite calls. It serves them over our carriers,
// which is what the suite then examines. The list follows the example of mcp-go
// (MIT). No part of it is in the program.
//
// testdata/fixture is the program that serves it:
//
//	go run ./transport/mcp/conformance/testdata/fixture -listen 127.0.0.1:0
package conformance

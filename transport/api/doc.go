// Package api is the house over HTTP, under /api: everything the tools do, and
// what a dashboard or a script wants to read besides. A route is a path, a method
// and either a tool of the catalogue or one word to ask (routes.go); arguments come
// from the path, the query or a body of JSON, and what is not known is refused by
// name. Every answer is an envelope {ok, data, error}.
//
// Two things flow: /api/events, the journal as server-sent events, which go on
// where a client left off, and /api/agents/{id}/log, what an agent's process says.
//
// GET /healthz says that we live, GET /metrics how, in the text of Prometheus.
// Who calls is handed in; who may call at all is decided before us (transport/gate).
package api

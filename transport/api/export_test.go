package api

import (
	"maps"
	"slices"
)

// Routes lists every route below /api as "METHOD path".
func Routes() []string {
	var out []string
	for path, methods := range (&server{}).routes() {
		for method := range maps.Keys(methods) {
			out = append(out, method+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

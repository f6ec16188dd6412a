package config

import (
	"maps"
	"reflect"
	"slices"
)

// equal compares what came out of a decoder.
func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// only is what m has under these keys.
func only(m map[string]any, keys []string) map[string]any {
	out := maps.Clone(m)
	maps.DeleteFunc(out, func(key string, _ any) bool { return !slices.Contains(keys, key) })
	return out
}

// sameBut reports whether two files say the same, but for our own keys of our
// entry in that section. A section or an entry that is empty says nothing.
func sameBut(before, after map[string]any, section string, ours []string) bool {
	return equal(without(before, section, ours), without(after, section, ours))
}

func without(file map[string]any, section string, ours []string) map[string]any {
	out := maps.Clone(file)
	servers, ok := out[section].(map[string]any)
	if !ok {
		return out
	}
	servers = maps.Clone(servers)
	if entry, ok := servers[serverName].(map[string]any); ok {
		entry = maps.Clone(entry)
		maps.DeleteFunc(entry, func(key string, _ any) bool { return slices.Contains(ours, key) })
		servers[serverName] = entry
		if len(entry) == 0 {
			delete(servers, serverName)
		}
	}
	out[section] = servers
	if len(servers) == 0 {
		delete(out, section)
	}
	return out
}

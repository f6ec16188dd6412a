package messages_test

import (
	"slices"
	"testing"

	"kurogo/messages"
)

var crew = messages.Hierarchy{
	"middle_manager":    {ReportsTo: "grand_boss"},
	"grand_boss":        {ReportsTo: messages.User},
	"coding_specialist": {ReportsTo: "middle_manager"},
	"auditor":           {ReportsTo: messages.User},
}

func TestHierarchyIsListedInOrder(t *testing.T) {
	if got, want := crew.Names(), []messages.Address{"auditor", "coding_specialist", "grand_boss", "middle_manager"}; !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
	if got, want := crew.Tops(), []messages.Address{"auditor", "grand_boss"}; !slices.Equal(got, want) {
		t.Errorf("tops %v, want %v", got, want)
	}
}

// Specialists answer to the first word of their name.
func TestResolve(t *testing.T) {
	for name, want := range map[messages.Address]messages.Address{
		"coding":             "coding_specialist",
		" coding_specialist": "coding_specialist",
		"grand_boss":         "grand_boss",
		"user":               "user",
	} {
		if got, ok := crew.Resolve(name); !ok || got != want {
			t.Errorf("%q is %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, ok := crew.Resolve("nobody"); ok || got != "nobody" {
		t.Errorf("nobody is %q, %v", got, ok)
	}
}

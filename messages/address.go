package messages

import "strings"

// An Address is the name of somebody who can be written to. It is never a PID:
// the router knows who lives there.
type Address string

// User is the person in the audience. It has no inbox: rows to it are born
// acknowledged.
const User Address = "user"

// System is the sender of what Kurogo itself has to say, such as a dead letter.
const System Address = "kurogo"

const specialist = "_specialist"

// Resolve returns the crew member that name means: the name itself, or the one
// whose name is name followed by "_specialist". ok is false when nobody does.
func (h Hierarchy) Resolve(name Address) (Address, bool) {
	name = Address(strings.TrimSpace(string(name)))
	if _, ok := h[name]; ok || name == User {
		return name, true
	}
	if _, ok := h[name+specialist]; ok {
		return name + specialist, true
	}
	return name, false
}

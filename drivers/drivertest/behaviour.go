package drivertest

import "kurogo/messages"

// A Behaviour is how the agent of one story behaves.
type Behaviour string

// The behaviours. Except where they say otherwise, they are what happens in
// every turn of a life that became ready.
const (
	Speaks     Behaviour = "speaks"      // thinks Thought, says First, says Last
	Asks       Behaviour = "asks"        // uses send_message, says Last when that went well
	AsksInVain Behaviour = "asks-vainly" // uses send_message, says Last when that was refused as denied
	Fails      Behaviour = "fails"       // ends the turn with the class invalid and a text that says Last
	Dawdles    Behaviour = "dawdles"     // says First, then nothing for an hour
	Floods     Behaviour = "floods"      // says First Many times, then Last
	Crashes    Behaviour = "crashes"     // says First, then ends with Status
	Quits      Behaviour = "quits"       // says First, then ends with status 0 and without ending the turn
	Deaf       Behaviour = "deaf"        // says First, then hears nothing but SIGKILL
	Babbles    Behaviour = "babbles"     // Noise on its output, then Speaks
	Mumbles    Behaviour = "mumbles"     // a line that is not UTF-8, then Speaks
	Shouts     Behaviour = "shouts"      // a line of more than 8 MiB, then Speaks
	Tears      Behaviour = "tears"       // half a line of the protocol, then ends with Status
	Lies       Behaviour = "lies"        // a line that the protocol knows, with nonsense in it
	Mute       Behaviour = "mute"        // never becomes ready
	Leaves     Behaviour = "leaves"      // ends with Status instead of becoming ready
	Missing    Behaviour = "missing"     // its command does not exist

	// Only of those whose life is one turn.
	Lingers Behaviour = "lingers" // Speaks to the end of the turn, and lives on
	Belies  Behaviour = "belies"  // Speaks to the end of the turn, then ends with Status
	Shuts   Behaviour = "shuts"   // says First, closes its output and lives on
	Tardy   Behaviour = "tardy"   // says First; asked to leave it says Last, ends the turn well and leaves with 0
	Breeds  Behaviour = "breeds"  // starts a child that holds its output, in a session of its own, and Speaks
)

// What the agents of the stories say.
const (
	Thought = "I think about it."
	First   = "First words: 最初の言葉."
	Last    = "Last words."
	Many    = 2000
	Status  = 3

	// Noise is a line that is not JSON, an empty one, a terminal's colours, and
	// JSON that no protocol knows.
	Noise = "Loading…\n\n\x1b[31mred\x1b[0m\n{\"type\":\"from_the_future\",\"x\":[1]}\n[1,2]\n"

	// Mumble is half a line of JSON, and bytes that are no text.
	Mumble = "{\"type\":\"\xff\xfe\n\xc3\x28\n"

	// TooLong is more than the bytes that a line may have.
	TooLong = 9 << 20
)

// SendMessage is the tool that Asks uses.
var SendMessage = messages.Tool{
	Name: "send_message", Description: "Send a message.",
	Schema: []byte(`{"type":"object","properties":{"to":{"type":"string"},"content":{"type":"string"}},"required":["to","content"]}`),
}

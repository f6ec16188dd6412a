package messages

import "time"

// A Performance is what a rehearsal plays: for each member of the crew, scenes
// of which the first that fits an incoming turn is played.
type Performance struct {
	Title  string
	Task   string // what the audience asks for when it asks for nothing else
	Scenes []Scene
}

// A Scene fits a turn when every condition that it names holds.
type Scene struct {
	Name    string
	Who     Address // who plays it
	On      Type    // type of the turn's first message; empty = any
	From    Address // who sent that message; empty = anybody
	Match   string  // regular expression on the joined contents; empty = anything
	Attempt int     // of the delivery; 0 = any
	Lines   []Line
}

// A Line is one thing that an actor on the stage does. Exactly one of the
// fields besides Wait is set.
type Line struct {
	Wait   time.Duration // before the line
	Think  string
	Say    string // ends as the turn's final text if it is the last Say
	Send   *Cue
	Write  *Prop
	Answer string // sends the answer now: task_complete
	Fail   string // the turn fails for good, for this reason
	Crash  int    // the process ends with this status
	Hang   bool   // the process goes deaf
	Babble string // these bytes go to stdout as they are
}

// A Cue is a message that the actor sends. Expect, when set, is the error code
// with which it must be refused; anything else fails the turn.
type Cue struct {
	To       Address
	Type     Type
	Content  string
	Thinking string
	Priority Priority
	TTL      int
	Expect   Code
}

// A Prop is a file that the actor writes below its working directory.
type Prop struct {
	Path    string
	Content string
}

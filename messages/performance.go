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
	Use    *Gesture
	Report *Account
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

// A Prop is a file that the actor writes below its working directory. The
// audience sees a tool at work. Where the house offers write_file it is that tool,
// and a file that is there already stays as it is.
type Prop struct {
	Path    string
	Content string
}

// A Gesture is the use of a tool as the audience sees it: shown, not done, unless
// the house offers that tool.
type Gesture struct {
	Tool string
	Args string        // a JSON object, or a path
	Wait time.Duration // between its beginning and its end
}

// An Account is what the actor reports of its own work, where it is offered the
// tool for that; elsewhere the line does nothing. Where it names no files, those
// count that it has written in this turn. Expect is as in a Cue.
type Account struct {
	Status   ResultStatus
	Summary  string
	Response string
	Edited   []string
	Created  []string
	Error    string
	Expect   Code
}

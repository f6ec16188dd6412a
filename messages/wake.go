package messages

import "time"

// Wake tells a persona that the journal has something for it. It may be lost or
// repeated: the journal is the inbox. Only the journal's tail sends it.
type Wake struct {
	To Address `json:"to"`
}

// Interrupt tells a persona that the task of its turn has ended without it.
type Interrupt struct {
	To   Address `json:"to"`
	Task TaskID  `json:"task_id"`
}

// DueAt tells the timekeeper that something in the journal is due at At.
type DueAt struct {
	At time.Time `json:"at"`
}

func (Wake) word()      {}
func (Interrupt) word() {}
func (DueAt) word()     {}

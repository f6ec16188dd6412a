package messages

import "time"

// GetSettings asks how the house is configured and who is connected to it.
// Answer: Settings.
type GetSettings struct{}

// Settings answers GetSettings. Nothing in it is secret: of an environment there
// are only the names.
type Settings struct {
	Path        string         `json:"path"` // of kurogo.toml; "" = built in
	Tables      []SettingTable `json:"tables"`
	Budget      Budget         `json:"budget"`
	Connections []Connection   `json:"connections"`
}

// A SettingTable is one table of the configuration, in the file's words.
type SettingTable struct {
	Name string    `json:"name"`
	Keys []Setting `json:"keys"`
}

// A Setting is one key as it holds now. Default is what it would be if nobody had
// said anything.
type Setting struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default string `json:"default"`
}

// A Budget is what may be spent and what was; 0 as a limit is none.
type Budget struct {
	DayLimit  int64 `json:"day_limit_micros"`
	DaySpent  int64 `json:"day_spent_micros"`
	TaskLimit int64 `json:"task_limit_micros"`
	TurnLimit int64 `json:"turn_limit_micros"` // set aside for a turn while it is on
}

// A Connection is somebody who is connected to the house now.
type Connection struct {
	Kind  string    `json:"kind"` // page, mcp, socket or http
	From  string    `json:"from"` // address, or name of the client
	Since time.Time `json:"since"`
}

func (GetSettings) word() {}
func (Settings) word()    {}

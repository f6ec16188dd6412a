package actors

import (
	"slices"
	"strings"
	"time"

	"kurogo/messages"
)

// callBytes is how much of a tool's arguments an agent's status shows.
const callBytes = 2 << 10

// called remembers a use of a tool: a new one when it starts, the same one when
// it is over.
func called(r *messages.Run, call messages.ToolCall, subtype string, now time.Time) {
	for i := range r.Recent {
		if r.Recent[i].ID == call.ID && call.ID != "" {
			r.Recent[i].Subtype = subtype
			if subtype != "started" {
				r.Recent[i].EndedAt = now
			}
			return
		}
	}
	if subtype != "started" {
		return // it began before the ten that we remember
	}
	r.ToolCalls++
	r.Recent = append(r.Recent, messages.RecentCall{
		ID: call.ID, Type: call.Name, Subtype: subtype, Args: messages.Cut(string(call.Input), callBytes), StartedAt: now,
	})
	if len(r.Recent) > messages.RecentCalls {
		r.Recent = slices.Delete(r.Recent, 0, len(r.Recent)-messages.RecentCalls)
	}
}

// argvBytes is how much of one argument is kept: a prompt may be one.
const argvBytes = 4 << 10

// played remembers what the process was called with, but for its pass.
func played(r *messages.Run, argv []string, pass string) {
	r.Argv = make([]string, len(argv))
	for i, word := range argv {
		if pass != "" {
			word = strings.ReplaceAll(word, pass, "[redacted]")
		}
		r.Argv[i] = messages.Cut(word, argvBytes)
	}
}

// filesMost bounds the names that a run remembers.
const filesMost = 1000

// changed remembers what became of a file. One that was created stays created,
// however often it is edited afterwards.
func changed(r *messages.Run, f messages.FileChange) {
	add := func(list *[]string) {
		if !slices.Contains(*list, f.Path) && len(*list) < filesMost {
			*list = append(*list, f.Path)
		}
	}
	switch f.Kind {
	case messages.FileCreated:
		add(&r.Created)
	case messages.FileEdited:
		if !slices.Contains(r.Created, f.Path) {
			add(&r.Edited)
		}
	case messages.FileDeleted:
		add(&r.Deleted)
	}
}

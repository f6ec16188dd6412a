package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/transport/tools"
)

// What of a call is written into the trace, and how many calls a run may make.
const (
	tracedBytes = 2 << 10
	callsMost   = 5000
	resultMost  = 512 << 10 // of what a tool answers
)

// changing are the tools that change files.
var changing = []string{"write_file", "apply_patch", "delete_file"}

const (
	deleteTool = "delete_file"
	searchTool = "search_code"
)

// Offer implements actors.Toolbox: the tools of the gateway, with their schemas.
func (w *workshop) Offer(names []string) []messages.Tool {
	any := messages.Caller{Agent: "any"}
	all := w.tools.Tools(any)
	if w.indexed() {
		all = append(all, slices.DeleteFunc(w.search.Tools(any), func(t messages.Tool) bool { return t.Name != searchTool })...)
	}
	return slices.DeleteFunc(all, func(t messages.Tool) bool { return !slices.Contains(names, t.Name) })
}

// Call implements actors.Toolbox. What is asked is in the trace before it is done,
// and what came of it before the agent hears it.
func (w *workshop) Call(ctx context.Context, agent messages.Agent, call messages.ToolCall) messages.ToolResult {
	out, err := w.call(ctx, agent, call)
	if err != nil {
		return messages.ToolResult{ID: call.ID, Text: messages.AsError(err).Error(), IsError: true}
	}
	return messages.ToolResult{ID: call.ID, Text: out}
}

func (w *workshop) call(ctx context.Context, agent messages.Agent, call messages.ToolCall) (string, error) {
	kind, id, ok := agent.CreatedBy.Job()
	if !ok || kind != messages.JobRun {
		return "", messages.Errorf(messages.CodeDenied, "%s works for no run", agent.ID).Try("do without files")
	}
	in, err := w.input(ctx, id)
	if err != nil {
		return "", err
	}
	traced := messages.RunCall{Agent: agent.ID, Call: messages.Cut(call.ID, 200), Name: messages.Cut(call.Name, 200), Changes: slices.Contains(changing, call.Name)}
	asked := traced
	asked.Input = messages.Cut(strings.ToValidUTF8(string(call.Input), "\uFFFD"), tracedBytes)
	if err := w.enter(ctx, id, messages.TraceToolCall, asked); err != nil {
		return "", err
	}
	began := w.clock.Now()
	answer, err := w.use(ctx, in, id, agent, call)
	traced.Time, traced.Text = w.clock.Now().Sub(began).Milliseconds(), answer
	if err != nil {
		e := messages.AsError(err)
		traced.Code, traced.Text, traced.Refused = e.Code, e.Error(), refusedBy(e)
	}
	traced.Text = messages.Cut(traced.Text, tracedBytes)
	if lost := w.enter(context.WithoutCancel(ctx), id, messages.TraceToolResult, traced); lost != nil {
		return "", errors.Join(err, lost)
	}
	return answer, err
}

// enter writes an entry into the trace of a run that goes on.
func (w *workshop) enter(ctx context.Context, id messages.JobID, kind string, body messages.RunCall) error {
	out, err := w.store.Commit(ctx, messages.KeepJob{Job: id, Entries: []messages.JobEntry{actors.Entry(kind, body)}, Now: w.clock.Now()})
	if err == nil && out.Stale {
		err = messages.Errorf(messages.CodeCancelled, "the run has ended").Try("stop")
	}
	return err
}

// refusedBy reports whether it was the policy that said no, as opposed to what is
// there already or not there, and to arguments that are none.
func refusedBy(e *messages.Error) bool {
	return e.Code == messages.CodeDenied ||
		e.Code == messages.CodeInvalid && slices.Contains([]string{"path", messages.FieldMaxBytes, messages.FieldEncoding}, e.Field)
}

// use does what is asked, in the run's parcel.
func (w *workshop) use(ctx context.Context, in messages.RunInput, id messages.JobID, agent messages.Agent, call messages.ToolCall) (string, error) {
	if !w.spend(id) {
		return "", messages.Errorf(messages.CodeDenied, "the run has used its %d calls of tools", callsMost).Try("end with what there is")
	}
	place := w.plot(in)
	if call.Name == deleteTool && !place.deletes && !w.cfg.Workspace.AllowDelete {
		if err := w.mayDelete(ctx, id, call); err != nil {
			return "", err
		}
		place.deletes = true
	}
	ctx = withWork(tools.WithTrace(ctx, string(id), string(id)), work{id, place})
	answer, err := w.cabinet(in, call.Name).Call(ctx, messages.Caller{Agent: agent.ID}, call, nil)
	if len(answer) > resultMost {
		return "", messages.Errorf(messages.CodeInvalid, "the answer is over %d bytes", resultMost).Try("ask for less: a narrower path, or fewer items")
	}
	return string(answer), err
}

// cabinet is where a tool is. The index knows the project, and its paths are of no
// use to who works elsewhere.
func (w *workshop) cabinet(in messages.RunInput, tool string) *tools.Catalogue {
	if tool == searchTool && w.indexed() && in.Root == w.project {
		return w.search
	}
	return w.tools
}

func (w *workshop) spend(id messages.JobID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[id]++
	return w.calls[id] <= callsMost
}

// mayDelete asks a person, and waits for the word. The question has the same id
// however often we fall, so that a word that was given counts.
func (w *workshop) mayDelete(ctx context.Context, id messages.JobID, call messages.ToolCall) error {
	var args struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(call.Input, &args); err != nil || args.Path == "" {
		return messages.Invalid("path", "no file is named").Try("name the file that is to be deleted")
	}
	question := actors.DeleteQuestion(id, args.Path)
	since := w.store.Last()
	allowed, answered, err := w.word(ctx, id, question)
	if err != nil || answered {
		return deletion(allowed, args.Path, err)
	}
	if _, err := w.store.Commit(ctx, messages.AskApproval{
		ID: question, Job: id, Kind: messages.ParkedDelete, Content: messages.Cut(clean(args.Path), 500), Now: w.clock.Now(),
	}); err != nil {
		return err
	}
	for _, err := range w.store.Watch(ctx, messages.Topic{Kinds: []messages.EventKind{messages.ApprovalAnswered}, IDs: []string{question}}, since) {
		if err != nil {
			return err
		}
		if allowed, answered, err = w.word(ctx, id, question); err != nil || answered {
			return deletion(allowed, args.Path, err)
		}
	}
	return context.Cause(ctx)
}

// word is a person's answer, if there is one.
func (w *workshop) word(ctx context.Context, id messages.JobID, question string) (allowed, answered bool, err error) {
	d, err := w.store.Job(ctx, messages.GetJob{Job: id, Limit: 1})
	if err == nil && d.Status != messages.JobRunning {
		err = messages.Errorf(messages.CodeCancelled, "the run has ended").Try("stop")
	}
	allowed, answered = d.Approvals[question]
	return allowed, answered, err
}

func deletion(allowed bool, path string, err error) error {
	if err == nil && !allowed {
		err = &messages.Error{Code: messages.CodeDenied, Field: "path", Message: "a person does not want " + messages.Cut(path, 200) + " to be deleted", Remedy: "leave it, and say so"}
	}
	return err
}

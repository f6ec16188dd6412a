package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"kurogo/files"
	"kurogo/messages"
)

// What another server may answer, and how long it may take.
const (
	farBytes = 8 << 20
	farTime  = 30 * time.Second
)

// A farHouse is another server that speaks the document's HTTP.
type farHouse struct {
	url    string
	client *http.Client
}

func newFarHouse(url string) farHouse {
	return farHouse{strings.TrimRight(url, "/"), &http.Client{Timeout: farTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// post asks it. What it refuses is an error with the code that the document means.
func (f farHouse) post(ctx context.Context, path, trace string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+path, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("ask %s: %w", path, err)
	}
	r.Header.Set("Content-Type", "application/json")
	if trace != "" {
		r.Header.Set("X-Trace-Id", trace)
	}
	res, err := f.client.Do(r)
	if err != nil {
		return messages.Errorf(messages.CodeUnavailable, "%s does not answer: %v", f.url, err).Try("start it, or unset run.mcp_url and run.rag_url")
	}
	defer res.Body.Close()
	text, err = io.ReadAll(io.LimitReader(res.Body, farBytes+1))
	switch {
	case err != nil:
		return messages.Errorf(messages.CodeUnavailable, "%s broke off: %v", f.url, err)
	case len(text) > farBytes:
		return messages.Invalid(messages.FieldMaxBytes, "%s answered more than %d bytes", path, farBytes)
	case res.StatusCode != http.StatusOK:
		return farError(path, res.StatusCode, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "%s%s answered no JSON: %v", f.url, path, err)
	}
	return nil
}

// farError reads {detail, code}; of a server that has no codes, the status.
func farError(path string, status int, text []byte) error {
	var said struct {
		Detail json.RawMessage `json:"detail"`
		Code   messages.Code   `json:"code"`
	}
	_ = json.Unmarshal(text, &said) // what is no JSON has no detail
	var detail string
	if json.Unmarshal(said.Detail, &detail) != nil {
		detail = string(said.Detail)
	}
	e := messages.Errorf(messages.CodeInternal, "%s: %d %s", path, status, messages.Cut(clean(detail), 500))
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		e.Code, e.Field = messages.CodeInvalid, "path"
	case http.StatusRequestEntityTooLarge:
		e.Code, e.Field = messages.CodeInvalid, messages.FieldMaxBytes
	case http.StatusUnsupportedMediaType:
		e.Code, e.Field = messages.CodeInvalid, messages.FieldEncoding
	case http.StatusNotFound:
		e.Code = messages.CodeNotFound
	case http.StatusConflict:
		e.Code = messages.CodeConflict
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Code = messages.CodeDenied
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		e.Code = messages.CodeUnavailable
	}
	return e
}

// A farLibrary searches: /search of another server.
type farLibrary string

func (l farLibrary) evidence(ctx context.Context, _, task string) ([]messages.Chunk, error) {
	var found messages.Found
	err := newFarHouse(string(l)).post(ctx, "/search", "", messages.Search{Query: task, TopK: passagesMost}, &found)
	return found.Chunks[:min(len(found.Chunks), passagesMost)], err
}

// A farGround is a directory behind another gateway, which has the document's three
// routes. What was there before we remember ourselves.
type farGround struct {
	farHouse
	past files.Past
}

func newFarGround(url string, past files.Past) *farGround { return &farGround{newFarHouse(url), past} }

// Close implements io.Closer.
func (f *farGround) Close() error {
	f.client.CloseIdleConnections()
	return nil
}

// List implements actors.Workspace, as do the others.
func (f *farGround) List(ctx context.Context, m messages.ListFiles) (out messages.FileList, err error) {
	trace := m.Trace
	m.Provenance = messages.Provenance{}
	err = f.post(ctx, "/list_files", trace, map[string]any{"path": m.Path, "extensions": m.Extensions, "max_items": max(m.MaxItems, 1000)}, &out)
	return out, err
}

func (f *farGround) Read(ctx context.Context, m messages.ReadFile) (out messages.FileContent, err error) {
	err = f.post(ctx, "/read_file", m.Trace, map[string]any{"path": m.Path}, &out)
	return out, err
}

// Stat says as much as reading tells.
func (f *farGround) Stat(ctx context.Context, m messages.StatFile) (messages.FileStat, error) {
	c, err := f.Read(ctx, messages.ReadFile(m))
	if messages.IsCode(err, messages.CodeInvalid) { // it is there, and not for us
		return messages.FileStat{Path: m.Path, Kind: messages.KindOther}, nil
	}
	return messages.FileStat{Path: m.Path, Kind: messages.KindFile, Size: int64(len(c.Content)), Readable: true, Writable: true}, err
}

func (f *farGround) Write(ctx context.Context, m messages.WriteFile) (out messages.FileOutcome, err error) {
	before, err := f.Read(ctx, messages.ReadFile{Path: m.Path, Provenance: m.Provenance})
	existed := err == nil
	if err != nil && !messages.IsCode(err, messages.CodeNotFound) {
		return out, err
	}
	after := m.Content
	if m.Mode == messages.WriteAppend {
		after = before.Content + after
	}
	if m.Task != "" && (!existed || m.Mode != messages.WriteCreate) {
		if err := f.past.Keep(ctx, m.Task, m.Path, []byte(before.Content), existed, 0o644); err != nil {
			return out, err
		}
		if err := f.past.Left(ctx, m.Task, m.Path, hashOf(after)); err != nil {
			return out, err
		}
	}
	var said messages.FileWritten
	if err := f.post(ctx, "/write_file", m.Trace, map[string]any{"path": m.Path, "content": m.Content, "mode": m.Mode}, &said); err != nil {
		return out, err
	}
	out = messages.FileOutcome{Path: m.Path, Action: messages.MadeFile, Size: int64(len(after)), After: hashOf(after)}
	if existed {
		out.Action, out.Before = messages.ChangedFile, hashOf(before.Content)
	}
	return out, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Undo writes back what was there. The document's gateway deletes nothing: a file
// that a run has made stays, and is named.
func (f *farGround) Undo(ctx context.Context, m messages.UndoTask) (out []messages.FileOutcome, err error) {
	kept, err := f.past.Kept(ctx, m.Task)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return nil, messages.Errorf(messages.CodeNotFound, "no change of files is known of this task")
	}
	var stay []string
	for _, k := range kept {
		now, err := f.Read(ctx, messages.ReadFile{Path: k.Path, Provenance: m.Provenance})
		switch gone := messages.IsCode(err, messages.CodeNotFound); {
		case err != nil && !gone:
			return out, err
		case !k.Existed && gone, k.Existed && now.Content == string(k.Before):
			continue
		case !k.Existed:
			stay = append(stay, k.Path)
			continue
		case !m.Force && hashOf(now.Content) != k.Left:
			return out, messages.Errorf(messages.CodeConflict, "changed since by somebody else: %s", k.Path).Try("look at it; force restores it all the same")
		}
		var said messages.FileWritten
		if err := f.post(ctx, "/write_file", m.Trace, map[string]any{"path": k.Path, "content": string(k.Before), "mode": messages.WriteOverwrite}, &said); err != nil {
			return out, err
		}
		out = append(out, messages.FileOutcome{Path: k.Path, Action: messages.ChangedFile, Size: int64(len(k.Before)), Before: hashOf(now.Content), After: hashOf(string(k.Before))})
	}
	if len(stay) > 0 {
		return out, messages.Errorf(messages.CodeUnavailable, "the gateway at %s cannot delete: %s", f.url, strings.Join(stay, ", ")).Try("delete them by hand")
	}
	return out, errors.Join(f.past.Forget(ctx, m.Task))
}

// lacks refuses what the document's gateway does not have.
func (f *farGround) lacks(tool string) error {
	return messages.Errorf(messages.CodeUnavailable, "the gateway at %s has no %s", f.url, tool).Try("use list_files, read_file and write_file")
}

func (f *farGround) Search(context.Context, messages.SearchText) (messages.TextFound, error) {
	return messages.TextFound{}, f.lacks("search_text")
}

func (f *farGround) Delete(context.Context, messages.DeleteFile) (messages.FileOutcome, error) {
	return messages.FileOutcome{}, f.lacks("delete_file")
}

func (f *farGround) Patch(context.Context, messages.ApplyPatch) ([]messages.FileOutcome, error) {
	return nil, f.lacks("apply_patch")
}

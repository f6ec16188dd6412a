package messages_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"kurogo/messages"
)

// The numbers outside are a promise. Every code has its row.
func TestCodesMeanTheSameEverywhere(t *testing.T) {
	table := map[messages.Code]struct {
		http, exit, rpc int
		again           bool
	}{
		"invalid":      {400, 64, -32602, false},
		"not_found":    {404, 1, -32000, false},
		"conflict":     {409, 1, -32603, false},
		"busy":         {503, 75, -32603, true},
		"denied":       {403, 2, -32603, false},
		"deadline":     {504, 124, -32001, true},
		"rate_limited": {429, 75, -32002, true},
		"unavailable":  {503, 69, -32603, true},
		"cancelled":    {409, 131, -32603, false},
		"internal":     {500, 70, -32603, false},
	}
	for code, want := range table {
		if code.HTTP() != want.http || code.Exit() != want.exit || code.RPC() != want.rpc || code.Retryable() != want.again {
			t.Errorf("%s: HTTP %d, exit %d, RPC %d, again %v, want %v", code, code.HTTP(), code.Exit(), code.RPC(), code.Retryable(), want)
		}
	}
	for _, code := range slices.Concat(declaredCodes(t), messages.Codes()) {
		if _, ok := table[code]; !ok {
			t.Errorf("%s is not in the table", code)
		}
	}
	if n := len(messages.Codes()); n != len(table) {
		t.Errorf("%d codes are mapped, want %d", n, len(table))
	}
	if other := messages.Code("surprise"); other.HTTP() != 500 || other.Exit() != 70 || other.RPC() != -32603 {
		t.Error("an unknown code is not internal")
	}
}

// declaredCodes reads the constants of type Code.
func declaredCodes(t *testing.T) []messages.Code {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []messages.Code
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Code" {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, messages.Code(text))
		}
		return true
	})
	if len(out) == 0 {
		t.Fatal("error.go declares no codes")
	}
	return out
}

// Any error can be shown. What carries a code keeps it, however deep it is.
func TestAsError(t *testing.T) {
	busy := messages.Errorf(messages.CodeBusy, "full").Try("wait")
	for _, story := range []struct {
		err  error
		code messages.Code
	}{
		{busy, messages.CodeBusy},
		{fmt.Errorf("accept m1: %w", busy), messages.CodeBusy},
		{fmt.Errorf("ask: %w", context.DeadlineExceeded), messages.CodeDeadline},
		{fmt.Errorf("ask: %w", context.Canceled), messages.CodeCancelled},
		{errors.New("disk on fire"), messages.CodeInternal},
	} {
		if e := messages.AsError(story.err); e.Code != story.code || !messages.IsCode(story.err, story.code) {
			t.Errorf("%v is %s, want %s", story.err, e.Code, story.code)
		}
	}
	if messages.AsError(nil) != nil || messages.IsCode(nil, messages.CodeInternal) {
		t.Error("no error became one")
	}
}

func TestErrorIsASentenceWithARemedy(t *testing.T) {
	for want, err := range map[string]error{
		"busy: full": messages.Errorf(messages.CodeBusy, "full"),
		"invalid: to: nobody is named. Remedy: name one":                                            messages.Invalid("to", "nobody is named").Try("name one"),
		"invalid: content: 9 bytes are over the limit x = 8. Remedy: shorten it, or raise limits.x": messages.TooLarge("content", "x", 9, 8),
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

package inquire

import (
	"context"
	"slices"
	"strings"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// Run runs a CLI, which is its command and what always stands before its
// arguments, to its end, and returns what it said. Errors: unavailable when it is
// missing or leaves with a status other than 0.
func Run(ctx context.Context, env, cli []string, args ...string) (string, error) {
	stdout, stderr, code, err := process.Exec{}.Run(ctx, "", env, slices.Concat(cli, args)...)
	if err != nil {
		return "", err
	}
	if code != 0 {
		return "", messages.Errorf(messages.CodeUnavailable, "%s %s ended with status %d: %s", cli[0], args[0], code, messages.Cut(strings.TrimSpace(stderr), 200)).
			Try("run it by hand and see")
	}
	return string(stdout), nil
}

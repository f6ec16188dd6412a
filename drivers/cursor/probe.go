package cursor

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// It asks the net for its models, and nobody waits for ever.
const (
	longestAnswer = 20 * time.Second
	mostModels    = 1000
)

// version is the first line that it says of itself.
func (o Options) version(ctx context.Context, path string, env []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, longestAnswer)
	defer cancel()
	stdout, stderr, code, err := process.Exec{}.Run(ctx, "", env, o.words(path, "--version")...)
	if err != nil {
		return "", err
	}
	said, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(stdout), "\uFFFD")), "\n")
	if said = strings.TrimSpace(said); code != 0 || said == "" {
		return "", messages.Errorf(messages.CodeUnavailable, "%s --version ended with status %d: %s", path, code, messages.Cut(strings.TrimSpace(stderr), 200)).
			Try("run it by hand and see")
	}
	return messages.Cut(said, 80), nil
}

func (o Options) words(path string, args ...string) []string {
	return slices.Concat([]string{path}, o.Args, args)
}

// models are those that the CLI lists. Without a login, or a net, it lists none.
func (o Options) models(ctx context.Context, path string, env []string) []string {
	ctx, cancel := context.WithTimeout(ctx, longestAnswer)
	defer cancel()
	stdout, _, code, err := process.Exec{MaxOutput: 1 << 20}.Run(ctx, "", env, o.words(path, "models")...)
	if err != nil || code != 0 {
		return nil
	}
	return parseModels(string(stdout))
}

var (
	colour = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")
	model  = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._:/\[\]=,-]*) +- +\S`)
)

// parseModels reads a list whose lines are "id - Display Name"; its header and
// its tip are none.
func parseModels(text string) []string {
	var out []string
	for line := range strings.Lines(colour.ReplaceAllString(text, "")) {
		m := model.FindStringSubmatch(strings.TrimSpace(line))
		if m != nil && !slices.Contains(out, m[1]) && len(out) < mostModels {
			out = append(out, m[1])
		}
	}
	return out
}

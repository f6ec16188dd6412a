package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

// tokenBytes is how much of chance a token holds: 256 bits.
const tokenBytes = 32

// token is the file of the bearer token, by which the owner is known.
func (s site) token() string { return filepath.Join(s.state, "token") }

func (p *program) token() *cobra.Command {
	var rotate, login bool
	c := &cobra.Command{
		Use:   "token",
		Short: "Print the bearer token of this project's API, MCP and dashboard",
		Long: `Token prints the secret by which clients of the HTTP and WebSocket addresses are
known. It lies in the state directory and is made when it is first asked for.
--rotate replaces it: who has the old one is out. --url prints an address that
logs one browser in, once, within two minutes.`,
		Example: "  kurogo token\n  xdg-open \"$(kurogo token --url)\"\n  curl -H \"Authorization: Bearer $(kurogo token)\" http://127.0.0.1:9696/api/roles",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := p.notInside(); err != nil {
				return err
			}
			if rotate {
				if err := p.rotate(c.Context()); err != nil {
					return err
				}
			}
			if login {
				return p.loginURL(c.Context())
			}
			token, err := ensureToken(p.site)
			if err != nil {
				return err
			}
			if p.flags.json {
				return p.print(map[string]string{"token": token})
			}
			_, err = fmt.Fprintln(p.out, token)
			return err
		},
	}
	c.Flags().BoolVar(&rotate, "rotate", false, "replace it by a new one")
	c.Flags().BoolVar(&login, "url", false, "print an address that logs one browser in, once")
	return c
}

// rotate has the token replaced by the owner, whose gate must know of it, or by
// ourselves where nobody serves.
func (p *program) rotate(ctx context.Context) error {
	client, err := p.dial(ctx)
	if errors.Is(err, local.ErrNobody) {
		_, err = rotateToken(p.site)
		return err
	}
	if err != nil {
		return err
	}
	defer client.Close()
	_, err = askOn[messages.Done](ctx, client, messages.RenewToken{})
	return err
}

func (p *program) loginURL(ctx context.Context) error {
	where, err := ask[messages.Login](ctx, p, messages.GetLogin{})
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(where)
	}
	_, err = fmt.Fprintln(p.out, where.URL)
	return err
}

// readToken is the token that is there. Errors: fs.ErrNotExist; denied where
// others may read it, unavailable where the file holds none.
func readToken(s site) (string, error) {
	const remedy = "make a new one with kurogo token --rotate"
	info, err := os.Stat(s.token())
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", messages.Errorf(messages.CodeDenied, "others may read the token in %s", s.token()).Try(remedy)
	}
	b, err := os.ReadFile(s.token())
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	token := strings.TrimSpace(string(b))
	if raw, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", messages.Errorf(messages.CodeUnavailable, "there is no token in %s", s.token()).Try(remedy)
	}
	return token, nil
}

// ensureToken is the token that is there, or a new one where there is none. Of
// several who make one at the same time, all have the first one's.
func ensureToken(s site) (string, error) {
	token, err := readToken(s)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	token, err = writeToken(s, os.Link) // never over another
	if errors.Is(err, fs.ErrExist) {
		return readToken(s)
	}
	return token, err
}

// rotateToken replaces the token, whatever is there.
func rotateToken(s site) (string, error) { return writeToken(s, os.Rename) }

// writeToken writes a new token beside its place and then puts it there whole.
func writeToken(s site, put func(from, to string) error) (string, error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the process instead
	token := base64.RawURLEncoding.EncodeToString(raw)
	f, err := os.CreateTemp(s.state, "token-*") // mode 0600
	if err != nil {
		return "", messages.Errorf(messages.CodeUnavailable, "write token: %v", err).Try("make the state directory writable, or name another with KUROGO_STATE_DIR")
	}
	defer func() { _ = os.Remove(f.Name()) }() // it is gone after a rename
	_, err = f.WriteString(token + "\n")
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write token: %w", err)
	}
	if err := put(f.Name(), s.token()); err != nil {
		return "", fmt.Errorf("write token: %w", err)
	}
	return token, nil
}

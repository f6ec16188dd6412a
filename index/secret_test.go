package index_test

import (
	"strings"
	"testing"

	"kurogo/index"
)

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		".env": true, "deploy/.env.production": true, "prod.env": true, "x/id_rsa": true, "id_ed25519": true, "tls/server.key": true, "ca.pem": true,
		".netrc": true, "CREDENTIALS.json": true, "a.tfvars": true, ".env.example": false, "id_rsa.pub": false, "env.go": false, "key.go": false, "monkey": false,
	} {
		if got := index.SecretName(name); got != want {
			t.Errorf("%s is a secret: %v", name, got)
		}
	}
}

// The parts are put together here so that nobody takes this file for a leak.
var secrets = []string{
	"AKIA" + "ABCDEFGHIJKLMNOP", "ghp_" + strings.Repeat("a1", 18), "sk-ant-" + strings.Repeat("x9", 20), "xoxb-" + "123456789012-abc",
	"AIza" + strings.Repeat("B", 35), "glpat-" + strings.Repeat("c", 20), "sk_live_" + strings.Repeat("d", 24),
	"-----BEGIN RSA " + "PRIVATE KEY-----\nMIIabc\ndef=\n-----END RSA " + "PRIVATE KEY-----",
}

// Secrets in files are struck out where they stand: not found, not shown, and no
// line moves.
func TestSecretsAreNeverIndexed(t *testing.T) {
	for _, secret := range secrets {
		s := newDirectory(t)
		s.write("a.go", "package a\n\nvar key = `"+secret+"`\n\n// After comes later.\nfunc After() {}\n")
		s.write(".env", "KEY="+secret+"\n")
		stats := s.sync()
		held := s.told()
		for _, line := range strings.Split(secret, "\n") {
			if strings.Contains(held, line) {
				t.Errorf("%s is in the index", line)
			}
		}
		if stats.Veiled != 1 || stats.Skipped["secret"] != 1 {
			t.Errorf("%+v", stats)
		}
		at := 6 + strings.Count(secret, "\n")
		if found := s.search("After").Chunks; len(found) == 0 || !strings.HasSuffix(found[0].Span, "L"+string(rune('0'+at))) && at < 10 {
			t.Errorf("After is found at %+v", found)
		}
	}
	url, n := index.Veil("postgres://user:" + "hunter22secret" + "@db/x and https://example.com:80/a@b")
	if n != 1 || strings.Contains(url, "hunter22") || !strings.Contains(url, "user:") {
		t.Errorf("%q, %d", url, n)
	}
	plain := "the sk-word and AKIA and a gh_p and -----BEGIN PUBLIC KEY----- PRIVATE KEY"
	if got, n := index.Veil(plain); n != 0 || got != plain {
		t.Errorf("%q was struck out %d times: %q", plain, n, got)
	}
}

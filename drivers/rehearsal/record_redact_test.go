package rehearsal_test

import (
	"strings"
	"testing"

	"kurogo/drivers/rehearsal"
)

func TestSecretsAreTakenOut(t *testing.T) {
	hide := rehearsal.Redact([]string{"DB_PASSWORD=correct horse battery", "SHORT_KEY=abc", "HOME=/home/somebody", "API_TOKEN=horse b"})
	for text, want := range map[string]string{
		"it is correct horse battery, really":                                        "it is [redacted], really",
		"abc in /home/somebody":                                                      "abc in /home/somebody",
		"use sk-ant-api03-AbCdEf012345 here":                                         "use [redacted] here",
		"curl -H 'Authorization: Bearer abc.def-123456'":                             "curl -H 'Authorization: Bearer [redacted]'",
		"ghp_0123456789abcdefABCDEF and gho_0123456789abcdefABCDEF":                  "[redacted] and [redacted]",
		"github_pat_11ABCDEFG0123456789_abc":                                         "[redacted]",
		"xoxb-1234-5678-abcdef, AKIAABCDEFGHIJKLMNOP":                                "[redacted], [redacted]",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln":                                  "[redacted]",
		"https://user:hunter2@example.com/x":                                         "https://user:[redacted]@example.com/x",
		"export OPENAI_API_KEY=abcdef123456\nexit":                                   "export OPENAI_API_KEY=[redacted]\nexit",
		`{"password": "a b c d", "user": "me"}`:                                      `{"password": "[redacted]", "user": "me"}`,
		`{\"client_secret\":\"abcdefgh\"}`:                                           `{\"client_secret\":\"[redacted]\"}`,
		"db.password = swordfish":                                                    "db.password = [redacted]",
		"login --password swordfish now":                                             "login --password [redacted] now",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest": "[redacted]\nrest",
		"-----BEGIN PRIVATE KEY-----\nMIIE, cut":                                     "[redacted]",
		"the key to it all; a token of esteem, and 12 tokens: cheap":                 "the key to it all; a token of esteem, and 12 tokens: cheap",
		"secretary: Mrs. Whitman-Jones":                                              "secretary: Mrs. Whitman-Jones",
		"黒衣":                                                                         "黒衣",
	} {
		if got := hide(text); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", text, got, want)
		}
		if once := hide(text); hide(once) != once {
			t.Errorf("%s is hidden again: %s", once, hide(once))
		}
	}
	if got := hide("\xff"); !strings.Contains(got, "\uFFFD") {
		t.Errorf("%q", got)
	}
}

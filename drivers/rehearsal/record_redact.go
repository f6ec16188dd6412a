package rehearsal

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

const redacted = "[redacted]"

// A shorter value is no secret, and would be found everywhere.
const shortestSecret = 6

// secretName is a name whose value is not for everybody's eyes.
const secretName = `(?:[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)[A-Z0-9_]*` +
	`|(?i:[a-z0-9_.-]*(?:api[_-]?key|access[_-]?key|private[_-]?key|secret|token|password|passwd|passphrase|credentials?)))`

// shapes are secrets that can be told by how they look. What is kept of them is
// their first group.
var shapes = []*regexp.Regexp{
	regexp.MustCompile(`(?s)()-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`),
	regexp.MustCompile(`(?i)\b(bearer +)[a-z0-9._~+/=-]{8,}`),
	regexp.MustCompile(`()\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}`),
	regexp.MustCompile(`()\b(?:gh[opsur]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{16,})`),
	regexp.MustCompile(`()\b(?:xox[a-z]-[A-Za-z0-9-]{8,}|A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,})`),
	regexp.MustCompile(`()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`),
	regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s/@]+`),
	regexp.MustCompile(`(\b` + secretName + `\b\\?["']?\s*[:=]\s*\\?["'])[^"'\\\n]{4,}`),
	regexp.MustCompile(`(\b` + secretName + `\b\\?["']?\s*[:=]\s*)[^\s"'\\,;)}\[\]]{6,}`),
	regexp.MustCompile(`(\B--?` + secretName + `\s+)[^\s"'-][^\s"']{5,}`),
}

var named = regexp.MustCompile(`(?i)KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL`)

// Redact takes secrets out of a text: the values of those variables of environ
// whose names say that they are secret, and whatever looks like one. It takes
// rather too much than too little, and the same of the same text.
func Redact(environ []string) func(string) string {
	var known []string
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); named.MatchString(name) && len(value) >= shortestSecret {
			known = append(known, value)
		}
	}
	slices.SortFunc(known, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // one may hold another
	return func(text string) string {
		for _, secret := range known {
			text = strings.ReplaceAll(text, secret, redacted)
		}
		for _, s := range shapes {
			text = s.ReplaceAllString(text, "${1}"+redacted)
		}
		return strings.ToValidUTF8(text, "\uFFFD")
	}
}

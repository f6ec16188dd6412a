package index

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// secretName reports a file that is there to hold a secret. It is not even read.
func secretName(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch base {
	case ".netrc", "_netrc", ".pgpass", ".pypirc", ".htpasswd", ".git-credentials", ".dockercfg", "credentials", "credentials.json",
		"service-account.json", "secrets.json", "secrets.yaml", "secrets.yml", "secrets.toml", "terraform.tfstate", "kubeconfig":
		return true
	case ".env.example", ".env.sample", ".env.template", ".env.dist":
		return false // there to be read
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasSuffix(base, ".env") {
		return true
	}
	for _, key := range []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"} {
		if base == key || strings.HasPrefix(base, key+".") && !strings.HasSuffix(base, ".pub") && !strings.HasSuffix(base, ".go") {
			return true
		}
	}
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".tfvars":
		return true
	}
	return false
}

// A detector knows one kind of secret: by a mark that is looked for first,
// because almost no file has one, and by its form.
type detector struct {
	mark string
	form *regexp.Regexp
	long bool // over several lines
}

var detectors = []detector{
	{mark: "PRIVATE KEY", form: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?`), long: true},
	{mark: "AKIA", form: regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{mark: "ASIA", form: regexp.MustCompile(`\bASIA[0-9A-Z]{16}\b`)},
	{mark: "ghp_", form: regexp.MustCompile(`\bghp_[0-9A-Za-z]{36,}\b`)},
	{mark: "gho_", form: regexp.MustCompile(`\bgho_[0-9A-Za-z]{36,}\b`)},
	{mark: "ghu_", form: regexp.MustCompile(`\bghu_[0-9A-Za-z]{36,}\b`)},
	{mark: "ghs_", form: regexp.MustCompile(`\bghs_[0-9A-Za-z]{36,}\b`)},
	{mark: "ghr_", form: regexp.MustCompile(`\bghr_[0-9A-Za-z]{36,}\b`)},
	{mark: "github_pat_", form: regexp.MustCompile(`\bgithub_pat_[0-9A-Za-z_]{40,}\b`)},
	{mark: "glpat-", form: regexp.MustCompile(`\bglpat-[0-9A-Za-z_-]{20,}`)},
	{mark: "sk-", form: regexp.MustCompile(`\bsk-(?:ant-|proj-|svcacct-|or-)?[0-9A-Za-z_-]{24,}`)},
	{mark: "xox", form: regexp.MustCompile(`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`)},
	{mark: "AIza", form: regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},
	{mark: "_live_", form: regexp.MustCompile(`\b[sr]k_live_[0-9A-Za-z]{20,}\b`)},
	{mark: "npm_", form: regexp.MustCompile(`\bnpm_[0-9A-Za-z]{36}\b`)},
	{mark: "hf_", form: regexp.MustCompile(`\bhf_[0-9A-Za-z]{30,}\b`)},
	{mark: "eyJ", form: regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}`)},
	{mark: "://", form: regexp.MustCompile(`://[^\s/:@"'<>{}$%*]+:([^\s/:@"'<>{}$%*]{6,})@[\w.-]`)},
	{mark: "AWS_SECRET_ACCESS_KEY", form: regexp.MustCompile(`AWS_SECRET_ACCESS_KEY["']?\s*[:=]\s*["']?([0-9A-Za-z/+=]{40})`)},
	{mark: "aws_secret_access_key", form: regexp.MustCompile(`aws_secret_access_key["']?\s*[:=]\s*["']?([0-9A-Za-z/+=]{40})`)},
}

// veil replaces secrets by stars of the same length, so that nobody finds them
// and every line stays where it is. What has none is returned as it is.
func veil(text []byte) (veiled []byte, found int) {
	veiled = text
	for _, d := range detectors {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(d.mark))
			if i < 0 {
				break
			}
			from, to := lineAround(text, at+i)
			if d.long {
				to = len(text)
			}
			for _, m := range d.form.FindAllSubmatchIndex(text[from:to], -1) {
				if found == 0 {
					veiled = bytes.Clone(text)
				}
				found++
				if len(m) > 2 && m[2] >= 0 {
					m = m[2:]
				}
				strikeOut(veiled[from+m[0] : from+m[1]])
			}
			at = to
		}
	}
	return veiled, found
}

func lineAround(text []byte, at int) (from, to int) {
	from = bytes.LastIndexByte(text[:at], '\n') + 1
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return from, at + n
	}
	return from, len(text)
}

func strikeOut(secret []byte) {
	for i, c := range secret {
		if c != '\n' && c != '\r' {
			secret[i] = '*'
		}
	}
}

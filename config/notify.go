package config

import (
	"net/url"
	"regexp"
)

// Notify says who hears of what while nobody looks.
type Notify struct {
	Webhook string   `toml:"webhook"` // URL that is posted to; "" = none
	On      []Notice `toml:"on"`
}

// A Notice is something worth calling a person for.
type Notice string

// Work has ended well, or not; or it waits for a person.
const (
	NoticeFinish   Notice = "finish"
	NoticeFailure  Notice = "failure"
	NoticeApproval Notice = "approval"
)

func defaultNotify() Notify {
	return Notify{On: []Notice{NoticeFinish, NoticeFailure, NoticeApproval}}
}

func (l *loading) checkNotify(n Notify) {
	l.checkURL(keyPath("notify.webhook"), n.Webhook)
	for i, on := range n.On {
		known(l.report, keyPath("notify.on").at(i), on, []Notice{NoticeFinish, NoticeFailure, NoticeApproval})
	}
}

// checkURL wants one that can be called, or none. What it says has no password.
func (l *loading) checkURL(at path, text string) {
	if text != "" && !isURL(text) {
		l.report(at, `write it in full, such as "http://127.0.0.1:8080"`, "this is no address that can be called")
	}
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.Fragment == ""
}

var variableForm = regexp.MustCompile(`\A[A-Za-z_][A-Za-z0-9_]*\z`)

// checkVariable wants the name of a variable: a key itself has no place in the file,
// and none in what is said of it.
func (l *loading) checkVariable(at path, name string) {
	if name != "" && !variableForm.MatchString(name) {
		l.report(at, `write the name, such as "OPENAI_API_KEY", and put the key into the environment`, "this is no name of a variable")
	}
}

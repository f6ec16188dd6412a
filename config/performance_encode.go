package config

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"kurogo/messages"
)

// EncodePerformance writes p as a script that LoadPerformance reads back. What
// no script can say, such as a line with two actions or bytes that are not
// UTF-8, is an error.
func EncodePerformance(p messages.Performance) ([]byte, error) {
	s := script{Title: p.Title, Task: p.Task}
	for _, scene := range p.Scenes {
		s.Scenes = append(s.Scenes, scriptOf(scene))
	}
	var ps Problems
	s.check(func(at path, remedy, format string, args ...any) {
		ps = append(ps, Problem{File: "performance", Key: at.String(), Message: fmt.Sprintf(format, args...), Remedy: remedy})
	})
	if err := ps.sorted(); err != nil {
		return nil, fmt.Errorf("encode performance: %w", err)
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("encode performance: %w", err)
	}
	if !utf8.Valid(b.Bytes()) {
		return nil, errors.New("encode performance: some text is not UTF-8")
	}
	return b.Bytes(), nil
}

func scriptOf(scene messages.Scene) scriptScene {
	out := scriptScene{
		Name: scene.Name, Who: scene.Who, On: scene.On, From: scene.From, Match: scene.Match, Attempt: scene.Attempt,
	}
	for _, l := range scene.Lines {
		out.Lines = append(out.Lines, scriptLine{
			Wait: l.Wait, Think: l.Think, Say: l.Say, Send: (*scriptCue)(l.Send), Write: (*scriptProp)(l.Write),
			Use: (*scriptUse)(l.Use), Report: (*scriptReport)(l.Report),
			Answer: l.Answer, Fail: l.Fail, Crash: l.Crash, Hang: l.Hang, Babble: l.Babble,
		})
	}
	return out
}

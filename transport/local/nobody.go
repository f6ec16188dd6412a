package local

import "kurogo/messages"

// ErrNobody says that no owner serves the socket. It is the one error after
// which ConnectOrStart starts one.
var ErrNobody error = nobody{}

type nobody struct{}

func (nobody) Error() string { return "nobody listens" }

// As makes it an unavailable for whoever asks for codes.
func (nobody) As(target any) bool {
	e, ok := target.(**messages.Error)
	if ok {
		*e = messages.Errorf(messages.CodeUnavailable, "kurogo does not run here").Try("start it: kurogo serve")
	}
	return ok
}

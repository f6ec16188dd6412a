package api

import (
	"net/http"
	"strings"

	"kurogo/messages"
)

// word asks what the path and the query say. Agents have tools; the rest of the
// house is the owner's.
func (s *server) word(of func(*http.Request, *query) messages.Message) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.owner(r); err != nil {
			return err
		}
		q := queryOf(r)
		m := of(r, q)
		if err := q.fault(); err != nil {
			return err
		}
		if err := noBody(r); err != nil {
			return err
		}
		return s.ask(w, r, m)
	}
}

// whole is word with the answer as the dashboard's socket would tell it, and not
// with the names of the tools.
func (s *server) whole(of func(*http.Request, *query) messages.Message) handler {
	plain := *s
	plain.face = func(m messages.Message) any { return m }
	return plain.word(of)
}

func (s *server) ask(w http.ResponseWriter, r *http.Request, m messages.Message) error {
	answer, err := s.port.Ask(r.Context(), m)
	if err != nil {
		return explain(err, r)
	}
	return s.answer(w, s.face(answer))
}

func (s *server) owner(r *http.Request) error {
	who := s.o.Caller(r)
	if who.Agent == "" {
		return nil
	}
	return &messages.Error{
		Code: messages.CodeDenied, Field: "path", Message: "this route is not for agents, and you are " + string(who.Agent),
		Remedy: "use the tools that tools/list names",
	}
}

// explain names the field and the remedy where the house did not.
func explain(err error, r *http.Request) error {
	e := *messages.AsError(err)
	if e.Field == "" && r.PathValue("id") != "" {
		e.Field = "id"
	}
	if e.Remedy == "" && e.Code == messages.CodeNotFound {
		e.Remedy = "GET " + strings.Join(strings.SplitN(r.URL.Path, "/", 4)[:3], "/") + " lists what there is"
	}
	return &e
}

// order asks what a body says. In every such route {id} may stay empty.
func order[B any](s *server, of func(body B, id string) (messages.Message, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.owner(r); err != nil {
			return err
		}
		if err := queryOf(r).fault(); err != nil {
			return err
		}
		raw, err := bodyOf(r)
		if err != nil {
			return err
		}
		var body B
		if err := decode(raw, &body); err != nil {
			return err
		}
		m, err := of(body, r.PathValue("id"))
		if err != nil {
			return err
		}
		return s.ask(w, r, m)
	}
}

func checkRole(_ struct{}, role string) (messages.Message, error) {
	return messages.CheckRoles{Role: role}, nil
}

// An edit is what is to change of a role; the path names it.
type edit struct {
	messages.RoleEdit
	Base   string `json:"base"`
	DryRun bool   `json:"dry_run"`
}

func changeRole(e edit, role string) (messages.Message, error) {
	if e.ID != "" {
		return nil, messages.Invalid("id", "it is in the path already").Try("leave it out of the body")
	}
	e.ID = role
	return messages.ChangeRole{Edit: e.RoleEdit, Base: e.Base, DryRun: e.DryRun}, nil
}

// A grant lets go on what waits for want of money: one task, or everything today.
// Without a sum it is the configured limit once more.
type grant struct {
	Micros int64 `json:"micros"`
}

func resume(g grant, task string) (messages.Message, error) {
	if g.Micros < 0 {
		return nil, messages.Invalid("micros", "%d cannot be granted", g.Micros).Try("give micro-dollars, or leave it out for the configured limit once more")
	}
	return messages.ResumeTask{Task: messages.TaskID(task), Micros: g.Micros}, nil
}

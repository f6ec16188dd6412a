package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/gorilla/websocket"
	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/messages"
	"kurogo/transport/gate"
)

// sessionHeader names the session of a request that has one.
const sessionHeader = "Mcp-Session-Id"

// HTTP serves MCP over streamable HTTP, in both eras, to whom the gate let in.
func (s *Server) HTTP() http.Handler { return s.http(s.o.Legacy) }

// Endpoint serves HTTP and WebSocket at one address.
func (s *Server) Endpoint(legacy bool) http.Handler {
	sockets, requests := s.WebSocket(legacy), s.http(legacy || s.o.Legacy)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if websocket.IsWebSocketUpgrade(r) {
			sockets.ServeHTTP(w, r)
			return
		}
		requests.ServeHTTP(w, r)
	})
}

func (s *Server) http(legacy bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !admitted(w, r) {
			return
		}
		modern := protocol.IsModernProtocol(r.Header.Get(protocol.HeaderProtocolVersion))
		switch {
		case r.Method == http.MethodPost:
			s.post(w, r, legacy)
		case r.Method == http.MethodDelete && !modern:
			s.delete(w, r)
		default:
			// There is nothing to be told between requests, so there is no stream
			// to GET.
			w.Header().Set("Allow", "POST, DELETE")
			gate.Refuse(w, http.StatusMethodNotAllowed, messages.Invalid("method", "%s is not served at this address", r.Method).
				Try("POST a JSON-RPC message"))
		}
	})
}

func (s *Server) delete(w http.ResponseWriter, r *http.Request) {
	in := s.sessions.enter(r.Header.Get(sessionHeader), gate.Principal(r.Context()))
	if in == nil {
		refuse(w, noSession())
		return
	}
	s.sessions.exit(in)
	s.sessions.finish(in)
	w.WriteHeader(http.StatusNoContent)
}

func noSession() *messages.Error {
	return messages.Errorf(messages.CodeNotFound, "there is no such session").Try("send initialize again")
}

// post takes one message.
func (s *Server) post(w http.ResponseWriter, r *http.Request, legacy bool) {
	out := newStream(w, r)
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(s.o.Frame)))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		s.give(out, http.StatusRequestEntityTooLarge, fault(nil, protocol.INVALID_REQUEST, "the message is too long: send less at once"))
		return
	case err != nil:
		return // the client has gone, or was too slow
	}
	e, wrong := read(raw)
	if wrong != nil {
		s.give(out, http.StatusBadRequest, wrong)
		return
	}
	meta, header := e.meta().ProtocolVersion(), r.Header.Get(protocol.HeaderProtocolVersion)
	if protocol.IsModernProtocol(meta) || protocol.IsModernProtocol(header) {
		s.modern(out, r, raw, e, meta, header, legacy)
		return
	}
	if e.Method != string(protocol.MethodInitialize) && header != "" && !protocol.IsValidProtocolVersion(header) {
		s.give(out, http.StatusBadRequest, fault(e.ID, protocol.INVALID_REQUEST, "the protocol version "+header+" is not served"))
		return
	}
	s.stateful(out, r, raw, e, legacy)
}

// stateful is the era of handshakes: initialize opens a session, everything else
// is part of one.
func (s *Server) stateful(out *stream, r *http.Request, raw []byte, e envelope, legacy bool) {
	principal, id := gate.Principal(r.Context()), r.Header.Get(sessionHeader)
	var in *remote
	switch {
	case e.Method == string(protocol.MethodInitialize) && e.asks():
		var err error
		if in, err = s.sessions.begin(principal, gate.Caller(r.Context())); err != nil {
			refuse(out.w, messages.AsError(err))
			return
		}
		out.w.Header().Set(sessionHeader, in.id)
	case id == "":
		s.give(out, http.StatusBadRequest, fault(e.ID, protocol.INVALID_REQUEST, sessionHeader+" is missing: send initialize first"))
		return
	default:
		if in = s.sessions.enter(id, principal); in == nil {
			s.give(out, http.StatusNotFound, fault(e.ID, protocol.INVALID_REQUEST, noSession().Error()))
			return
		}
	}
	defer s.sessions.exit(in)
	if e.answers() {
		in.answered(e)
		out.w.WriteHeader(http.StatusAccepted)
		return
	}
	ctx, end := either(r.Context(), in.ctx)
	defer end()
	s.reply(ctx, out, in.session, raw, e, legacy)
	if !in.Initialized() {
		s.sessions.finish(in) // the handshake failed
	}
}

// modern is the era without state: a request says everything about itself, and
// says it in its headers too.
func (s *Server) modern(out *stream, r *http.Request, raw []byte, e envelope, meta, header string, legacy bool) {
	wrong := func(code int, what string) { s.give(out, http.StatusBadRequest, fault(e.ID, code, what)) }
	switch {
	case e.answers():
		wrong(protocol.INVALID_REQUEST, "this version has no requests of the server, so no answers to them")
		return
	case r.Header.Get(protocol.HeaderLastEventID) != "":
		wrong(protocol.HEADER_MISMATCH, "streams of this version are not resumed: send the request again")
		return
	case header == "":
		wrong(protocol.HEADER_MISMATCH, protocol.HeaderProtocolVersion+" is missing")
		return
	case meta == "" && e.asks():
		wrong(protocol.INVALID_PARAMS, "_meta "+protocol.MetaKeyProtocolVersion+" is missing")
		return
	case meta != header && e.asks():
		wrong(protocol.HEADER_MISMATCH, protocol.HeaderProtocolVersion+" "+header+" is not the "+meta+" of the request")
		return
	}
	if protocol.IsValidProtocolVersion(header) { // mcp-go refuses another with the list of those it knows
		if err := s.agree(r.Header, header, e); err != nil {
			wrong(protocol.HEADER_MISMATCH, err.Error())
			return
		}
	}
	in := newSession(gate.Caller(r.Context()))
	in.who.Session = "" // it ends with its answer
	ctx, end := either(r.Context(), s.life)
	defer end()
	s.reply(ctx, out, in, raw, e, legacy)
}

// agree compares the headers with the message.
func (s *Server) agree(h http.Header, version string, e envelope) error {
	if !e.asks() {
		return nil
	}
	return protocol.ValidateStandardHeaders(h.Get, version, protocol.MCPMethod(e.Method), e.Params)
}

// reply handles a message and answers the request that brought it.
func (s *Server) reply(ctx context.Context, out *stream, in *session, raw []byte, e envelope, legacy bool) {
	answer := s.handle(ctx, in, raw, e, legacy, out)
	if w, ok := answer.(withdrawn); ok {
		answer = w.answer // the request has to be answered with something
	}
	if answer == nil {
		out.w.WriteHeader(http.StatusAccepted)
		return
	}
	s.give(out, status(answer, e), answer)
}

func (s *Server) give(out *stream, status int, answer any) {
	if err := out.end(status, answer); err != nil {
		s.o.Log.Debug("answer not delivered", "err", err)
	}
}

// status is what the modern version prescribes for an error, so that whoever is
// between us need not read the body. Before, an answered request is a success.
func status(answer any, e envelope) int {
	wrong, ok := answer.(protocol.JSONRPCError)
	if !ok || !protocol.IsModernProtocol(e.meta().ProtocolVersion()) {
		return http.StatusOK
	}
	switch wrong.Error.Code {
	case protocol.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case protocol.HEADER_MISMATCH, protocol.MISSING_REQUIRED_CLIENT_CAPABILITY, protocol.UNSUPPORTED_PROTOCOL_VERSION,
		protocol.INVALID_REQUEST, protocol.INVALID_PARAMS, protocol.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

package main

import (
	"context"
	"slices"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/messages"
)

// chats begins whoever leads sessions, and opens the desk at which people talk.
func (h *house) chats(c actors.Company, leaders map[messages.JobKind]actors.Leader) {
	cfg, timeout := h.cfg.Chat, h.cfg.Limits.DefaultTimeout
	leaders[messages.JobChat] = actors.Companion{
		Sessions: h.store, NewID: newMessageID, Recall: h.passages, Offline: h.unread,
		Role: chatRole(h.cfg), Evaluator: chatJudge(h.cfg), Dir: h.site.project,
		HistoryTokens: cfg.HistoryTokens, ContextTokens: cfg.ContextTokens, SummariseAfter: cfg.SummariseAfter,
		Timeout: timeout, Patience: 2*timeout + chatQueue,
	}.Lead
	h.desks = append(h.desks, &actors.ChatDesk{Journal: h.store, Archive: h.store, Clock: c.Clock, Limits: h.cfg.MessageLimits()})
}

// chatQueue is how long an answer may wait for a slot, with its tries.
const chatQueue = 5 * time.Minute

// passages finds what the index knows of a question. Where nobody has an index, that
// is an error like any other.
func (h *house) passages(ctx context.Context, query string, k int) ([]messages.ChatSource, error) {
	found, err := askOn[messages.Found](ctx, h, messages.Search{Query: messages.Cut(query, queryMost), TopK: k})
	if err != nil {
		return nil, err
	}
	var out []messages.ChatSource
	for _, c := range found.Chunks {
		out = append(out, messages.ChatSource{Path: c.Path, Span: c.Span, Text: c.Text, Score: c.Score})
	}
	return out, nil
}

// queryMost is how much of a question is searched for, in bytes.
const queryMost = 1000

// The roles that work for chats only: with a driver that chat.driver names, and to
// judge.
const (
	chatter = "chat"
	judger  = "chat-judge"
)

// chatRoles are the roles that chats need besides those of the configuration.
func chatRoles(cfg config.Config) (list []messages.Role) {
	if cfg.Chat.Driver != "" {
		base := cfg.Roles[cfg.ChatRole()]
		r := messages.Role{ID: ownRole(cfg, chatter), Name: chatter, Driver: cfg.Chat.Driver, SystemPrompt: base.SystemPrompt, Tools: []string{}, Isolation: messages.IsolationNone, Hidden: true}
		if base.Driver == r.Driver {
			r.Model = base.Model
		}
		list = append(list, r)
	}
	if judged(cfg) {
		list = append(list, messages.Role{ID: ownRole(cfg, judger), Name: judger, Driver: cfg.Chat.Evaluator, Tools: []string{}, Isolation: messages.IsolationNone, Hidden: true})
	}
	return list
}

// chatRole is who answers.
func chatRole(cfg config.Config) string {
	if cfg.Chat.Driver != "" {
		return ownRole(cfg, chatter)
	}
	return cfg.ChatRole()
}

// chatJudge is who judges answers; "" = the heuristic.
func chatJudge(cfg config.Config) string {
	if judged(cfg) {
		return ownRole(cfg, judger)
	}
	return ""
}

func judged(cfg config.Config) bool {
	return !slices.Contains([]string{"", actors.HeuristicEvaluator, "mock"}, cfg.Chat.Evaluator)
}

// ownRole leaves a name to a role of the configuration that has it.
func ownRole(cfg config.Config, name string) string {
	if _, taken := cfg.Roles[name]; taken {
		return "kurogo-" + name
	}
	return name
}

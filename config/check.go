package config

import (
	"cmp"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
)

// check refuses what no decoder can see is wrong, and fills in what follows
// from the rest. It goes on after a problem: all are to be heard at once.
func (l *loading) check(c *Config, listed bool) {
	word(l, "language", c.Language, "ja", "en")
	word(l, "log.level", c.Log.Level, messages.Debug, messages.LogInfo, messages.Warn, messages.LogErr)
	word(l, "health_check", c.HealthCheck, HealthAtStart, HealthCached, HealthOff)
	l.checkServer(c.Server)
	l.checkLimits(c.Limits)
	l.checkTimes(c)
	l.checkEvaluation(c)
	l.checkRun(c)
	l.checkWorkspace(c.Workspace)
	l.checkIndex(&c.Index)
	l.checkChat(c)
	l.checkNotify(c.Notify)
	l.checkNames(c)
	l.checkDrivers(c)
	l.checkRoles(c)
	l.checkCrew(c, listed)
}

func word[S ~string](l *loading, key string, got S, known ...S) {
	if !slices.Contains(known, got) {
		l.report(keyPath(key), oneOf(known), "%q is not known here", got)
	}
}

func (l *loading) checkServer(s Server) {
	word(l, "server.auth", s.Auth, "token", "none")
	l.checkListen("server.listen", s.Listen, s.Auth)
	if s.MCPWebSocketListen == "" {
		return
	}
	l.checkListen("server.mcp_websocket_listen", s.MCPWebSocketListen, s.Auth)
	if s.MCPWebSocketListen == s.Listen && !strings.HasSuffix(s.Listen, ":0") {
		l.report(keyPath("server.mcp_websocket_listen"), `write another port, or "" to turn it off`, "server.listen is at %s already", s.Listen)
	}
}

func (l *loading) checkListen(key, address, auth string) {
	host, port, err := net.SplitHostPort(address)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 || strings.ContainsAny(host, " /") {
		l.report(keyPath(key), `write host:port, such as "127.0.0.1:9696"`, "%q is no address to listen at", address)
		return
	}
	ip, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && ip.IsLoopback()
	if auth == "none" && !loopback {
		l.report(keyPath(key), `write auth = "token", or listen at 127.0.0.1`, "%s is open to other machines while auth is \"none\"", address)
	}
}

func (l *loading) checkLimits(m Limits) {
	for _, limit := range []struct {
		key string
		n   int
	}{
		{"max_concurrent", m.MaxConcurrent},
		{"message_bytes", m.MessageBytes},
		{"thinking_bytes", m.ThinkingBytes},
		{"depth", m.Depth},
		{"open_subtasks", m.OpenSubtasks},
		{"messages_per_root", m.MessagesPerRoot},
		{"inbox_depth", m.InboxDepth},
		{"attempts", m.Attempts},
		{"queued_agents", m.QueuedAgents},
	} {
		l.atLeastOne("limits."+limit.key, limit.n)
	}
	l.positive("limits.default_timeout", m.DefaultTimeout)
	l.notNegative("limits.usd_per_day", m.USDPerDay)
	l.notNegative("limits.usd_per_task", m.USDPerTask)
	l.notNegative("limits.usd_per_turn", m.USDPerTurn)
}

func (l *loading) checkTimes(c *Config) {
	l.positive("timeouts.process_start", c.Timeouts.ProcessStart)
	l.positive("timeouts.message_send", c.Timeouts.MessageSend)
	l.positive("timeouts.message_receive", c.Timeouts.MessageReceive)
	l.positive("timeouts.task", c.Timeouts.Task)
	l.positive("timeouts.idle", c.Timeouts.Idle)
	l.positive("reconnect.initial_delay", c.Reconnect.InitialDelay)
	l.positive("reconnect.max_delay", c.Reconnect.MaxDelay)
	if r := c.Reconnect; r.InitialDelay > 0 && r.MaxDelay > 0 && r.MaxDelay < r.InitialDelay {
		l.report(keyPath("reconnect.max_delay"), "write at least initial_delay", "%s is below initial_delay = %s", r.MaxDelay, r.InitialDelay)
	}
	if n := c.Reconnect.MaxRetries; n < 0 {
		l.report(keyPath("reconnect.max_retries"), "write 0 for none, or more", "%d is below 0", n)
	}
	if f := c.Reconnect.BackoffFactor; f < 1 {
		l.report(keyPath("reconnect.backoff_factor"), "write 1 or more", "%v would wait ever shorter", f)
	}
}

var nameForm = regexp.MustCompile(`\A[a-z][a-z0-9_-]{0,62}\z`)

// checkNames keeps the names that users choose fit for addresses, ids and
// variables.
func (l *loading) checkNames(c *Config) {
	const remedy = "use lower case letters, digits, _ and -, beginning with a letter, at most 63"
	refuse := func(section, name string) {
		if !nameForm.MatchString(name) {
			l.report(path{section, name}, remedy, "%q cannot be a name", name)
		}
	}
	for name := range c.Drivers {
		refuse("drivers", name)
	}
	for name := range c.Roles {
		refuse("roles", name)
	}
	for name := range c.Personas {
		refuse("personas", name)
		if a := messages.Address(name); a == messages.User || a == messages.System {
			l.report(path{"personas", name}, "choose another name", "%q is not a member of the crew", name)
		}
	}
}

func (l *loading) atLeastOne(key string, n int) { bound(l, key, n, 1, "write 1 or more") }

func (l *loading) notNegative(key string, n float64) { bound(l, key, n, 0, "write 0 or more") }

func (l *loading) positive(key string, d time.Duration) {
	bound(l, key, d, 1, `write a duration above 0, such as "30s"`)
}

func bound[N cmp.Ordered](l *loading, key string, n, least N, remedy string) {
	if n < least {
		l.report(keyPath(key), remedy, "%v is too little", n)
	}
}

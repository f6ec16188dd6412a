package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

func (s *step) keepRun(id messages.AgentID, r messages.Run) error {
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode run: %w", err)
	}
	return s.exec(`UPDATE agents SET run = ? WHERE id = ?`, string(b), id)
}

func (s *step) runShown(c messages.KeepRun) (out messages.Outcome, err error) {
	a, err := s.agent(c.Agent)
	if err != nil {
		return out, err
	}
	if c.Run.Error == "" || a.Outcome != "" && a.Run.Error != "" {
		c.Run.Error = a.Run.Error // of whoever ended it
	}
	if err := s.keepRun(c.Agent, c.Run); err != nil {
		return out, err
	}
	a.Run = c.Run
	return out, s.emit(ms(c.Now), messages.AgentUpdated, string(c.Agent), a.Task, a.Task, sketch(a))
}

func (s *step) keepReport(c messages.KeepReport) (out messages.Outcome, err error) {
	a, err := s.agent(c.Agent)
	if err != nil {
		return out, err
	}
	if err := s.active(a.Group); err != nil {
		return out, err
	}
	b, err := json.Marshal(c.Report)
	if err != nil {
		return out, fmt.Errorf("encode report: %w", err)
	}
	if err := s.exec(`UPDATE agents SET report = ? WHERE id = ?`, string(b), c.Agent); err != nil {
		return out, err
	}
	if a.Outcome == "" {
		return out, nil // the state changes at the end
	}
	return out, s.reported(c.Agent, ms(c.Now))
}

// reported tells what came of an agent that has ended and reported.
func (s *step) reported(id messages.AgentID, now int64) error {
	var result messages.AgentResult
	err := s.each(`SELECT `+agentColumns+agentTables+`WHERE a.id = ?`, []any{id}, func(r *sql.Rows) error {
		a, report, err := scanAgent(r.Scan)
		result = messages.Merge(a, report)
		result.Diff = messages.Cut(result.Diff, taskPreview)
		result.Response = messages.Cut(result.Response, preview)
		return err
	})
	if err != nil {
		return err
	}
	return s.emit(now, messages.ResultReported, string(id), "", "", result)
}

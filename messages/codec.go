package messages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// ErrUnknownKind is returned for a word that is not in the vocabulary.
var ErrUnknownKind = errors.New("unknown kind")

// kinds is the dictionary of words that travel. A kind is part of the wire
// format: never rename one.
var kinds = map[string]Message{
	"accepted":          Accepted{},
	"agent":             Agent{},
	"agent_detail":      AgentDetail{},
	"agents":            Agents{},
	"answer_approval":   AnswerApproval{},
	"apply_patch":       ApplyPatch{},
	"approvals":         Approvals{},
	"audit_trail":       AuditTrail{},
	"audit_verdict":     AuditVerdict{},
	"cancel_agent":      CancelAgent{},
	"cancel_job":        CancelJob{},
	"cancel_task":       CancelTask{},
	"change_role":       ChangeRole{},
	"chat_accepted":     ChatAccepted{},
	"chat_detail":       ChatDetail{},
	"chat_session":      ChatSession{},
	"chat_sessions":     ChatSessions{},
	"check_journal":     CheckJournal{},
	"check_roles":       CheckRoles{},
	"communication_log": CommunicationLog{},
	"conversation":      Conversation{},
	"cost":              Cost{},
	"create_group":      CreateGroup{},
	"crew":              Crew{},
	"delete_file":       DeleteFile{},
	"delete_group":      DeleteGroup{},
	"done":              Done{},
	"drop_session":      DropSession{},
	"due_at":            DueAt{},
	"error":             Error{},
	"evaluate":          Evaluate{},
	"event":             Event{},
	"file_content":      FileContent{},
	"file_list":         FileList{},
	"file_stat":         FileStat{},
	"file_written":      FileWritten{},
	"files_changed":     FilesChanged{},
	"found":             Found{},
	"get_agent":         GetAgent{},
	"get_cost":          GetCost{},
	"get_crew":          GetCrew{},
	"get_group":         GetGroup{},
	"get_index":         GetIndexStatus{},
	"get_job":           GetJob{},
	"get_ledger":        GetLedger{},
	"get_login":         GetLogin{},
	"get_member":        GetMember{},
	"get_message":       GetMessage{},
	"get_session":       GetSession{},
	"get_session_log":   GetSessionLog{},
	"get_settings":      GetSettings{},
	"get_stats":         GetStats{},
	"get_status":        GetStatus{},
	"get_task":          GetTask{},
	"group":             Group{},
	"groups":            Groups{},
	"history":           History{},
	"index_status":      IndexStatus{},
	"ingest":            Ingest{},
	"ingested":          Ingested{},
	"interrupt":         Interrupt{},
	"job":               Job{},
	"job_detail":        JobDetail{},
	"jobs":              Jobs{},
	"journal_report":    JournalReport{},
	"leave_job":         LeaveJob{},
	"ledger":            Ledger{},
	"lend_slot":         LendSlot{},
	"list_agents":       ListAgents{},
	"list_approvals":    ListApprovals{},
	"list_audit":        ListAudit{},
	"list_files":        ListFiles{},
	"list_groups":       ListGroups{},
	"list_history":      ListHistory{},
	"list_jobs":         ListJobs{},
	"list_log":          ListLog{},
	"list_messages":     ListMessages{},
	"list_roles":        ListRoles{},
	"list_sessions":     ListSessions{},
	"list_tasks":        ListTasks{},
	"login":             Login{},
	"member":            Member{},
	"message":           CCMessage{},
	"name_session":      NameSession{},
	"open_session":      OpenSession{},
	"prune":             Prune{},
	"read_file":         ReadFile{},
	"read_stream":       ReadStream{},
	"renew_token":       RenewToken{},
	"report_result":     ReportResult{},
	"reported":          Reported{},
	"resume_task":       ResumeTask{},
	"resumed":           Resumed{},
	"role_changed":      RoleChanged{},
	"role_state":        RoleState{},
	"roles":             Roles{},
	"run_agents":        RunAgents{},
	"search":            Search{},
	"search_text":       SearchText{},
	"send_chat":         SendChat{},
	"session_log":       SessionLog{},
	"settings":          Settings{},
	"start_persona":     StartPersona{},
	"start_run":         StartRun{},
	"stat_file":         StatFile{},
	"stats":             Stats{},
	"status":            Status{},
	"stop_house":        StopHouse{},
	"stop_persona":      StopPersona{},
	"stream_chunk":      StreamChunk{},
	"submit":            Submit{},
	"sync_index":        SyncIndex{},
	"task":              Task{},
	"task_tree":         TaskTree{},
	"tasks":             Tasks{},
	"text_found":        TextFound{},
	"undo_run":          UndoRun{},
	"undo_task":         UndoTask{},
	"verify_audit":      VerifyAudit{},
	"wake":              Wake{},
	"write_file":        WriteFile{},
}

var kindOf = func() map[reflect.Type]string {
	out := make(map[reflect.Type]string, len(kinds))
	for kind, zero := range kinds {
		out[reflect.TypeOf(zero)] = kind
	}
	return out
}()

// KindOf is the wire name of a word, "" if it has none.
func KindOf(m Message) string { return kindOf[reflect.TypeOf(m)] }

type wire struct {
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body"`
}

// What Encode writes around kind and body.
const (
	head   = `{"kind":"`
	middle = `","body":`
)

// Encode writes m as {"kind": …, "body": …} on one line.
func Encode(m Message) ([]byte, error) {
	kind := KindOf(m)
	if kind == "" {
		return nil, fmt.Errorf("encode %T: %w", m, ErrUnknownKind)
	}
	body, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", kind, err)
	}
	out := make([]byte, 0, len(head)+len(kind)+len(middle)+len(body)+1)
	out = append(append(append(append(out, head...), kind...), middle...), body...)
	return append(out, '}'), nil // json.Marshal would read the body once more
}

// Decode reads what Encode wrote. Unknown kinds, unknown fields and anything
// behind the object are refused by name.
func Decode(b []byte) (Message, error) {
	if kind, body, ok := unwrap(b); ok {
		if m, err := decode(kinds[kind], body); err == nil {
			return m, nil
		}
	}
	var w wire
	if err := strict(b, &w); err != nil {
		return nil, fmt.Errorf("decode word: %w", err)
	}
	zero, ok := kinds[w.Kind]
	if !ok {
		return nil, fmt.Errorf("decode %q: %w", w.Kind, ErrUnknownKind)
	}
	if len(w.Body) == 0 {
		return zero, nil
	}
	m, err := decode(zero, w.Body)
	if err != nil {
		return nil, fmt.Errorf("decode %s: %w", w.Kind, err)
	}
	return m, nil
}

func decode(zero Message, body []byte) (Message, error) {
	p := reflect.New(reflect.TypeOf(zero))
	if err := strict(body, p.Interface()); err != nil {
		return nil, err
	}
	return p.Elem().Interface().(Message), nil
}

// unwrap opens what looks exactly as Encode writes it, without reading the body:
// decode will. Anything else is for the long way, which can say what is wrong.
func unwrap(b []byte) (kind string, body []byte, ok bool) {
	b, begins := bytes.CutPrefix(b, []byte(head))
	name, body, goesOn := bytes.Cut(b, []byte(middle))
	body, ends := bytes.CutSuffix(body, []byte("}"))
	_, known := kinds[string(name)]
	return string(name), body, begins && goesOn && ends && known
}

func strict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

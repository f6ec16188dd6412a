package messages

// Evaluate asks for a document to be judged, and with Improve to be rewritten until
// it reaches its target. The same document under the same terms joins a job that
// is on. Answer: Job, of the kind eval, at once; its Input is an EvaluationInput,
// its Output an Evaluated or, with Improve, an Improved. Refusals: invalid, naming
// the field; not_found and denied for a path; unavailable without an evaluator.
type Evaluate struct {
	Content   string   `json:"content,omitempty"`
	Path      string   `json:"document_path,omitempty"` // instead of Content; read below Project
	Project   string   `json:"project_path,omitempty"`  // "" = where the caller works
	Rubric    *Rubric  `json:"rubric,omitempty"`        // nil = the configuration's
	Target    *float64 `json:"target_score,omitempty"`  // nil = the configuration's
	Maximum   int      `json:"max_iterations,omitempty"`
	Session   string   `json:"session,omitempty"`   // counts iterations; "" = the connection's
	Evaluator string   `json:"evaluator,omitempty"` // "heuristic", or "" for the configuration's
	Improve   bool     `json:"improve,omitempty"`
	Write     bool     `json:"write,omitempty"` // with Improve and Path: change the file if the target is reached
	By        Caller   `json:"by"`
}

// An EvaluationInput is what an evaluation was asked, with everything decided.
type EvaluationInput struct {
	Document  string  `json:"document"`
	Name      string  `json:"name"`           // of the document, for people
	Path      string  `json:"path,omitempty"` // where it came from, below Dir
	Dir       string  `json:"dir"`
	Weights   Rubric  `json:"weights"` // they add up to 1
	Target    float64 `json:"target_score"`
	Maximum   int     `json:"max_iterations"`
	Evaluator string  `json:"evaluator"` // a role, or "heuristic"
	Improve   bool    `json:"improve,omitempty"`
	Improver  string  `json:"improver,omitempty"` // a role
	Write     bool    `json:"write,omitempty"`
	Iteration int     `json:"iteration"` // of its session, from 1
}

// The kinds of an evaluation's entries.
const (
	EntryRound   = "round"   // EvaluationRound
	EntryVersion = "version" // EvaluationVersion
	EntryTry     = "try"     // EvaluationTry
)

// An EvaluationRound is what an evaluator found in one version.
type EvaluationRound struct {
	Round
	Version int     `json:"version"`
	Agent   AgentID `json:"agentId,omitempty"` // who judged; "" = the heuristic
	Model   string  `json:"model_used"`
	Time    int64   `json:"evaluation_time"` // milliseconds
}

// An EvaluationVersion is a rewritten document. The one that came in is version 0.
type EvaluationVersion struct {
	Version  int     `json:"version"`
	Document string  `json:"document"`
	Summary  string  `json:"summary"`
	Diff     string  `json:"diff"` // to the version that it was made from
	Agent    AgentID `json:"agentId"`
}

// An EvaluationTry is an agent that did not do what it was asked for.
type EvaluationTry struct {
	What    string  `json:"what"`  // EntryRound or EntryVersion
	Round   int     `json:"round"` // for which, from 1
	Agent   AgentID `json:"agentId,omitempty"`
	Code    Code    `json:"code"`
	Error   string  `json:"error"`
	Counted bool    `json:"counted"` // false: kurogo fell, which is not the agent's fault
}

// Improved is what came of an evaluation that improves.
type Improved struct {
	Best     Evaluated         `json:"best"`
	Version  int               `json:"version"` // the best one
	Stop     Stop              `json:"stop"`
	Rounds   []EvaluationRound `json:"rounds"`
	Document string            `json:"document"`
	Diff     string            `json:"diff"` // from what came in to the best version
	Path     string            `json:"path,omitempty"`
	Written  bool              `json:"written"`
}

// LeaveJob says that whoever waited for an evaluation stops waiting before its
// end. It goes on, and its answer is kept for a while: the same question has it
// without being judged again. Answer: Done.
type LeaveJob struct {
	Job JobID `json:"job_id"`
}

func (Evaluate) word() {}
func (LeaveJob) word() {}

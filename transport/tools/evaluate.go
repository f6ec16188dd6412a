package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

// contentChars bounds a document that comes as an argument. What fits into a call
// may still be over the limit of documents, which has a name.
const contentChars = 3 << 20

// evaluationID names an evaluation for those who come back for it.
var evaluationID = text(idChars, "the evaluationId that a call told which could not wait any longer")

func (c *Catalogue) evaluating() []entry {
	source := []prop{
		may("content", &schema{kind: kindString, max: contentChars, free: true, about: "the document itself; or give document_path"}),
		may("document_path", text(pathChars, "the document's file below the project; a relative path counts from where you work")),
		may("project_path", text(pathChars, "the project's directory; the default is yours")),
		may("rubric", rubric),
		may("target_score", fraction("the score from 0 to 10 that is good enough; the default is evaluation.target_score of kurogo.toml")),
	}
	session := may("session", text(idChars, "what counts as one series of evaluations; the default is this connection"))
	evaluationFaults := faults{
		messages.CodeUnavailable: {"", "kurogo doctor says what is wrong"},
		messages.CodeBusy:        {"", "try again soon"},
	}
	waits := fmt.Sprintf("One call waits for at most %d s; then it fails with deadline, but the evaluation goes on: the same call joins it, and get_evaluation finds it.", int(c.o.Cap.Seconds()))
	return []entry{
		define(plan{
			name: "evaluate_document", title: "Have a document judged", hints: messages.Hints{Idempotent: true, OpenWorld: true},
			about: "Has a document judged by completeness, accuracy, clarity and usability, 0 to 10 each, and returns the score, whether it passes, and suggestions, the most needed first, each with the line that it is about. " +
				"Improve the document by them and call again, until it passes or five iterations are over. " + waits,
			input: object(append(source, session)...), answer: evaluatedSchema, faults: evaluationFaults,
		}, c.evaluateDocument),
		define(plan{
			name: "improve_document", title: "Have a document improved", hints: unleash,
			about: "Has a document judged, rewritten by an agent and judged again, until it reaches its target, gets no better or the rounds are over; returns the best version with its verdict, the diff and why it stopped. " +
				"The file changes only with write: true and only if the target is reached. " + waits,
			input: object(append(source,
				may("max_iterations", whole(1, 100, "at most so many rounds; the default is evaluation.max_iterations of kurogo.toml")),
				may("write", yes("replace the file at document_path if the target is reached")))...),
			answer: improvedSchema, faults: evaluationFaults,
		}, c.improveDocument),
		define(plan{
			name: "get_evaluation", title: "Look at an evaluation", hints: reads,
			about: "Shows how far an evaluation has come, and what came of it. With wait: true the call waits for its end, for a while. Use it when evaluate_document or improve_document could not wait.",
			input: object(must("evaluationId", evaluationID), may("wait", yes("wait for its end"))),
			answer: answer(
				must("evaluationId", said("the evaluation")),
				must("status", oneOf("whether it goes on", messages.JobRunning, messages.JobCompleted, messages.JobFailed, messages.JobCancelled)),
				must("state", said("what is being done")),
				must("evaluated", orNull(evaluatedSchema.on("of evaluate_document: its answer"))),
				must("improved", orNull(improvedSchema.on("of improve_document: its answer; also beside an error, if there is a better version"))),
				must("error", orNull(said("why it failed"))),
			),
			faults: faults{messages.CodeNotFound: {"evaluationId", "GET /api/evaluations and kurogo evaluations list them"}},
		}, c.getEvaluation),
	}
}

var rubric = object(
	may("completeness", fraction("its weight, 0 or more")), may("accuracy", fraction("its weight, 0 or more")),
	may("clarity", fraction("its weight, 0 or more")), may("usability", fraction("its weight, 0 or more")),
).on("what each criterion counts, in any proportion; one that is left out counts nothing. The default is evaluation.weights of kurogo.toml")

var scores = answer(
	must("completeness", fraction("0 to 10")), must("accuracy", fraction("0 to 10")),
	must("clarity", fraction("0 to 10")), must("usability", fraction("0 to 10")),
)

var evaluatedSchema = answer(
	must("score", fraction("the criteria's, by their weights: 0 to 10, one decimal")),
	must("rubric_scores", scores),
	must("pass", yes("whether the target is reached")),
	must("suggestions", list(0, 0, said(""), `what would make it better, the most needed first, such as "L12 · clarity · …"`)),
	must("metadata", answer(
		must("iteration", number("of its series, from 1")),
		must("evaluation_time", number("milliseconds")),
		must("model_used", said("who judged; heuristic is no model")),
		may("note", said("what else there is to know")),
	)),
)

var improvedSchema = answer(
	must("evaluationId", said("the evaluation")),
	must("best", evaluatedSchema.on("the verdict on the best version")),
	must("version", number("the best one; 0 is what came in")),
	must("stop", oneOf("why it goes no further", messages.StopTarget, messages.StopMaximum, messages.StopPlateau, messages.StopBlocker)),
	must("scores", list(0, 0, fraction(""), "of each round")),
	must("document", said("the best version")),
	must("diff", said("from what came in to the best version")),
	must("written", yes("whether the file was replaced")),
	may("document_path", said("where it came from")),
)

type evaluateDocument struct {
	Content string           `json:"content"`
	Path    string           `json:"document_path"`
	Project string           `json:"project_path"`
	Rubric  *messages.Rubric `json:"rubric"`
	Target  *float64         `json:"target_score"`
	Session string           `json:"session"`
	Maximum int              `json:"max_iterations"`
	Write   bool             `json:"write"`
}

func (a evaluateDocument) word(who messages.Caller, improve bool) (messages.Evaluate, error) {
	project, err := directory(who, "project_path", a.Project)
	return messages.Evaluate{
		Content: a.Content, Path: a.Path, Project: project, Rubric: a.Rubric, Target: a.Target, Session: a.Session,
		Maximum: a.Maximum, Improve: improve, Write: a.Write, By: who,
	}, err
}

func (c *Catalogue) evaluateDocument(ctx context.Context, u use, a evaluateDocument) (any, error) {
	out, _, err := evaluation[messages.Evaluated](ctx, c, u, a, false)
	return out, err
}

func (c *Catalogue) improveDocument(ctx context.Context, u use, a evaluateDocument) (any, error) {
	out, id, err := evaluation[messages.Improved](ctx, c, u, a, true)
	return showImproved(id, out), err
}

// OrderEvaluation begins what evaluate_document or improve_document would wait for,
// and gives the job at once. Errors are those of [Catalogue.Call].
func (c *Catalogue) OrderEvaluation(ctx context.Context, who messages.Caller, improve bool, input json.RawMessage) (messages.Job, error) {
	name := "evaluate_document"
	if improve {
		name = "improve_document"
	}
	e, err := c.find(who, name)
	if err != nil {
		return messages.Job{}, err
	}
	args, err := e.input.read(input)
	if err != nil {
		return messages.Job{}, err
	}
	var a evaluateDocument
	if err := json.Unmarshal(args, &a); err != nil {
		return messages.Job{}, fmt.Errorf("decode arguments of %s: %w", name, err)
	}
	word, err := a.word(who, improve)
	if err != nil {
		return messages.Job{}, err
	}
	job, err := ask[messages.Job](ctx, c.port, word)
	if err != nil {
		err = e.faults.explain(err)
	}
	return job, err
}

package evaluate

import "encoding/json"

// What a model may answer. Both schemas keep to what every strict mode knows:
// objects whose fields are all required and that allow no others, and no bounds on
// numbers, which are checked here instead.
const (
	verdictSchema = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["score", "rubric_scores", "suggestions", "blocker"],
  "properties": {
    "score": {"type": "number", "description": "overall, 0 to 10"},
    "rubric_scores": {
      "type": "object",
      "additionalProperties": false,
      "required": ["completeness", "accuracy", "clarity", "usability"],
      "properties": {
        "completeness": {"type": "number", "description": "0 to 10"},
        "accuracy": {"type": "number", "description": "0 to 10"},
        "clarity": {"type": "number", "description": "0 to 10"},
        "usability": {"type": "number", "description": "0 to 10"}
      }
    },
    "suggestions": {
      "type": "array",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["criterion", "line", "text"],
        "properties": {
          "criterion": {"type": "string", "enum": ["completeness", "accuracy", "clarity", "usability"]},
          "line": {"type": "integer", "description": "line of the document, the first is 1; 0 is the whole"},
          "text": {"type": "string", "description": "what to change there, in one or two sentences"}
        }
      }
    },
    "blocker": {"type": "string", "description": "why no rewriting can help, or empty"}
  }
}`
	improvedSchema = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["document", "summary"],
  "properties": {
    "document": {"type": "string", "description": "the whole improved document"},
    "summary": {"type": "string", "description": "what was changed, in one or two sentences"}
  }
}`
)

// Schema is the JSON schema of an evaluator's answer.
func Schema() json.RawMessage { return json.RawMessage(verdictSchema) }

// ImproveSchema is the JSON schema of an improving agent's answer.
func ImproveSchema() json.RawMessage { return json.RawMessage(improvedSchema) }

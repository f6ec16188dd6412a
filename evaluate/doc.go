// Package evaluate is the arithmetic of judgement: what an evaluator is asked
// (template.go), what it may answer (verdict.go), what its figures come to
// (rubric.go), what an improving agent is asked (improve.go), when to stop
// (stop.go), and a judge of its own that needs no model (heuristic.go).
//
// All of it is pure: texts come in as strings, and the same text gets the same
// prompt and the same score. A document is data wherever it goes; nothing that
// it says can end the frame that it stands in (frame.go).
//
// The heuristic reads a document once (page.go) and measures it (measure.go and
// the files named after what they look at). docs/evaluation.md says what each
// measure looks at, and a test keeps that true.
package evaluate

package config

import (
	"slices"
	"time"

	"kurogo/messages"
)

// Evaluation says who judges documents, and when they are good enough.
type Evaluation struct {
	Driver        string        `toml:"driver"`
	Model         string        `toml:"model"`        // "" = the driver's own
	Improver      string        `toml:"improver"`     // role that improves a document; "" = chosen, by ImproverRole
	Mock          *bool         `toml:"mock"`         // true = always the heuristic, false = never; nil = where the driver is missing
	TargetScore   float64       `toml:"target_score"` // of 10
	MaxIterations int           `toml:"max_iterations"`
	Timeout       time.Duration `toml:"timeout"` // of one try
	Tries         int           `toml:"tries"`   // in all
	PlateauGain   float64       `toml:"plateau_gain"`
	PlateauRounds int           `toml:"plateau_rounds"` // that gain less than PlateauGain together are the last
	DocumentBytes int           `toml:"document_bytes"`
	PromptFile    string        `toml:"prompt_file"` // absolute once loaded; may be missing; "" = the built-in
	Weights       Weights       `toml:"weights"`
}

// Weights is what each quality counts; only their proportion matters.
type Weights struct {
	Completeness float64 `toml:"completeness"`
	Accuracy     float64 `toml:"accuracy"`
	Clarity      float64 `toml:"clarity"`
	Usability    float64 `toml:"usability"`
}

// Rubric is the weights as an evaluation wants them.
func (w Weights) Rubric() messages.Rubric {
	return messages.Rubric{Completeness: w.Completeness, Accuracy: w.Accuracy, Clarity: w.Clarity, Usability: w.Usability}
}

// heuristic and its old name judge without a driver.
var judges = []string{"heuristic", "mock"}

func defaultEvaluation() Evaluation {
	return Evaluation{
		Driver:        "codex",
		TargetScore:   8,
		MaxIterations: 5,
		Timeout:       120 * time.Second,
		Tries:         3,
		PlateauGain:   0.5,
		PlateauRounds: 3,
		DocumentBytes: 1 << 20,
		Weights:       Weights{Completeness: 0.3, Accuracy: 0.3, Clarity: 0.2, Usability: 0.2},
	}
}

// ImproverRole is the role that improves documents: the one that is named, else
// one that knows how to write. It is "" when there are no roles.
func (c Config) ImproverRole() string {
	return c.roleFor(c.Evaluation.Improver, "impl-doc", "text-review", "impl-code")
}

func (l *loading) checkEvaluation(c *Config) {
	e := &c.Evaluation
	if e.TargetScore <= 0 || e.TargetScore > 10 {
		l.report(keyPath("evaluation.target_score"), "write a score above 0, at most 10", "%v cannot be reached or missed", e.TargetScore)
	}
	l.atLeastOne("evaluation.max_iterations", e.MaxIterations)
	l.positive("evaluation.timeout", e.Timeout)
	l.atLeastOne("evaluation.tries", e.Tries)
	l.notNegative("evaluation.plateau_gain", e.PlateauGain)
	l.atLeastOne("evaluation.plateau_rounds", e.PlateauRounds)
	l.atLeastOne("evaluation.document_bytes", e.DocumentBytes)
	l.knownRole(c, "evaluation.improver", e.Improver)
	e.PromptFile = l.absolute(e.PromptFile)
	l.checkJudge(c, "evaluation.driver", e.Driver)
	w := e.Weights
	for _, weight := range []struct {
		key string
		n   float64
	}{
		{"completeness", w.Completeness}, {"accuracy", w.Accuracy}, {"clarity", w.Clarity}, {"usability", w.Usability},
	} {
		l.notNegative("evaluation.weights."+weight.key, weight.n)
	}
	if w == (Weights{}) {
		l.report(keyPath("evaluation.weights"), "write at least one above 0", "all weights are 0")
	}
}

// checkJudge wants a driver, or one of those who need none.
func (l *loading) checkJudge(c *Config, key, name string) {
	if !slices.Contains(judges, name) {
		l.knownDriver(keyPath(key), name, c)
	}
}

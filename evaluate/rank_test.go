package evaluate_test

import (
	"flag"
	"math"
	"testing"

	"kurogo/evaluate"
)

// sample is how many public texts are tried; docs/evaluation.md has the rates of 160.
var sample = flag.Int("texts", 40, "how many public texts to spoil")

// aim is how often an original must rank above what an operator made of it.
const aim = 0.9

// weak are the operators at which the measures are known to be weak, with what
// they reach at least. docs/evaluation.md says so, too.
var weak = map[string]float64{
	"swap bodies":      0.55, // a heading and what stands below it seldom share words
	"merge paragraphs": 0,    // nothing looks at where a paragraph could end
}

// Whatever spoils a text costs it points. The rate is of a sample, and other
// machines have other samples: it must be so near to the aim that the aim cannot
// be ruled out (one side, 95 %).
func TestOriginalsRankAboveTheSpoiled(t *testing.T) {
	for name, texts := range map[string][]specimen{"public": corpus(t, *sample), "ours": ours(t)} {
		if len(texts) < 10 {
			t.Skipf("%s: there are only %d texts on this machine", name, len(texts))
		}
		good := make([]float64, len(texts))
		for i, s := range texts {
			good[i] = evaluate.Weighted(s.text)
		}
		for _, op := range operators {
			t.Run(name+"/"+op.name, func(t *testing.T) {
				t.Parallel()
				n, above, shown := 0.0, 0.0, 0.0
				for i, s := range texts {
					spoiled := op.spoil(s.text, dice(s.text, op.name))
					if spoiled == s.text {
						continue
					}
					n++
					bad := evaluate.Weighted(spoiled)
					if good[i] > bad {
						above++
					}
					if math.Round(good[i]*10) > math.Round(bad*10) {
						shown++
					}
				}
				if n < 5 {
					t.Skipf("only %.0f texts can be spoiled so", n)
				}
				kind := "tuned"
				if op.held {
					kind = "held out"
				}
				t.Logf("%s: %.0f texts, %.1f %% above, %.1f %% by the first decimal", kind, n, 100*above/n, 100*shown/n)
				least := aim - 1.645*math.Sqrt(aim*(1-aim)/n)
				if floor, ok := weak[op.name]; ok {
					least = floor - 1.645*math.Sqrt(floor*(1-floor)/n)
				}
				if above/n < least {
					t.Errorf("%.1f %% of %.0f originals rank above the spoiled, want %.1f %%", 100*above/n, n, 100*least)
				}
			})
		}
	}
}

// At least half as many operators are held out as were tuned on, and a weak one is
// an operator.
func TestOperatorsAreHeldOut(t *testing.T) {
	held, names := 0, map[string]bool{}
	for _, op := range operators {
		if names[op.name] {
			t.Errorf("%s is there twice", op.name)
		}
		if names[op.name] = true; op.held {
			held++
		}
	}
	if tuned := len(operators) - held; tuned < 10 || held < 10 {
		t.Errorf("%d operators were tuned on, %d held out", tuned, held)
	}
	for name := range weak {
		if !names[name] {
			t.Errorf("%s is weak and no operator", name)
		}
	}
}

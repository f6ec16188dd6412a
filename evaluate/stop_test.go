package evaluate_test

import (
	"testing"

	"kurogo/evaluate"
	"kurogo/messages"
)

func rounds(scores ...float64) []messages.Round {
	var out []messages.Round
	for i, score := range scores {
		out = append(out, messages.Round{Number: i + 1, Verdict: messages.Verdict{Score: score}})
	}
	return out
}

func TestStopped(t *testing.T) {
	blocked := rounds(5)
	blocked[0].Verdict.Blocker = "only its author knows"
	goodAndBlocked := rounds(9)
	goodAndBlocked[0].Verdict.Blocker = "it is stolen"
	for name, c := range map[string]struct {
		rounds []messages.Round
		most   int
		want   messages.Stop
	}{
		"nothing yet":                     {nil, 5, messages.GoOn},
		"good at once":                    {rounds(8), 5, messages.StopTarget},
		"nearly":                          {rounds(7.9), 5, messages.GoOn},
		"good at last":                    {rounds(4, 5, 6, 7, 8.2), 5, messages.StopTarget},
		"not good at last":                {rounds(4, 5, 6, 7, 7.8), 5, messages.StopMaximum},
		"only one round is wanted":        {rounds(4), 1, messages.StopMaximum},
		"blocked":                         {blocked, 5, messages.StopBlocker},
		"blocked though good":             {goodAndBlocked, 5, messages.StopBlocker},
		"rising":                          {rounds(5, 5.5, 6), 5, messages.GoOn},
		"two rounds are no plateau":       {rounds(5, 5), 5, messages.GoOn},
		"three are":                       {rounds(5, 5.2, 5.4), 5, messages.StopPlateau},
		"exactly half a point is a gain":  {rounds(5, 5.2, 5.5), 5, messages.GoOn},
		"tenths are no exact binaries":    {rounds(7.1, 7.3, 7.6), 5, messages.GoOn},
		"worse and worse":                 {rounds(6, 5, 4), 5, messages.StopPlateau},
		"a dip, and up again":             {rounds(6, 5, 6.6), 5, messages.GoOn},
		"a rise before a plateau":         {rounds(3, 6, 6.1, 6.2), 9, messages.StopPlateau},
		"the maximum is named before it":  {rounds(5, 5, 5), 3, messages.StopMaximum},
		"more rounds than the maximum is": {rounds(5, 6, 7), 2, messages.StopMaximum},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (evaluate.Plateau{Gain: 0.5, Rounds: 3}).Stopped(c.rounds, 8, c.most); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestAPlateauIsAsWideAndFlatAsItIsSaid(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		gain   float64
		rounds int
		want   messages.Stop
	}{
		{[]float64{5, 5.2, 5.4}, .5, 3, messages.StopPlateau},
		{[]float64{5, 5.2, 5.5}, .5, 3, messages.GoOn},
		{[]float64{5, 5.2, 5.4}, .5, 4, messages.GoOn},
		{[]float64{5, 5.2, 5.4}, .3, 3, messages.GoOn},
		{[]float64{5, 6, 6.5}, 2, 3, messages.StopPlateau},
		{[]float64{5, 5}, .1, 2, messages.StopPlateau},
		{[]float64{5, 5, 5}, 0, 3, messages.GoOn}, // no gain is asked for
		{[]float64{5, 5, 8}, 9, 3, messages.StopTarget},
		{[]float64{1, 2, 3, 4, 5}, .5, 3, messages.StopMaximum},
		{[]float64{5}, .5, 1, messages.StopPlateau},
	} {
		if got := (evaluate.Plateau{Gain: c.gain, Rounds: c.rounds}).Stopped(rounds(c.scores...), 8, 5); got != c.want {
			t.Errorf("%v with %.1f over %d: %q, want %q", c.scores, c.gain, c.rounds, got, c.want)
		}
	}
}

func TestBest(t *testing.T) {
	for _, c := range []struct {
		rounds []messages.Round
		want   int
	}{{nil, -1}, {rounds(3), 0}, {rounds(3, 7, 5), 1}, {rounds(6, 7, 7), 1}, {rounds(0, 0), 0}} {
		if got := evaluate.Best(c.rounds); got != c.want {
			t.Errorf("%+v: %d, want %d", c.rounds, got, c.want)
		}
	}
}

package evaluate

import "kurogo/messages"

// A Plateau is where a run gets no better: the best of all its rounds is less than
// Gain above the best before the last Rounds−1 of them. With three rounds that is
// two rewritings which have gained next to nothing.
type Plateau struct {
	Gain   float64
	Rounds int // at least 1
}

// Stopped says why a run goes no further after these rounds, or GoOn. The first
// that holds counts: the target, a blocker, the maximum, a plateau.
func (p Plateau) Stopped(rounds []messages.Round, target float64, maximum int) messages.Stop {
	if len(rounds) == 0 {
		return messages.GoOn
	}
	last := rounds[len(rounds)-1].Verdict
	switch {
	case last.Passes(target):
		return messages.StopTarget
	case last.Blocker != "":
		return messages.StopBlocker
	case len(rounds) >= maximum:
		return messages.StopMaximum
	case len(rounds) >= p.Rounds && p.gain(rounds) < p.Gain-1e-9: // tenths are no exact binaries
		return messages.StopPlateau
	}
	return messages.GoOn
}

func (p Plateau) gain(rounds []messages.Round) float64 {
	before := rounds[:len(rounds)-p.Rounds+1]
	return rounds[Best(rounds)].Verdict.Score - before[Best(before)].Verdict.Score
}

// Best is the index of the round whose document to keep: the highest score, of
// equals the earliest, for it was changed least. −1 without rounds.
func Best(rounds []messages.Round) int {
	best := -1
	for i, r := range rounds {
		if best < 0 || r.Verdict.Score > rounds[best].Verdict.Score {
			best = i
		}
	}
	return best
}

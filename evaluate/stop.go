package evaluate

import "kurogo/messages"

// A run is on a plateau when the best of all its rounds is less than PlateauGain
// above the best before the last PlateauRounds−1 of them: three rounds in which
// two rewritings have gained next to nothing.
const (
	PlateauGain   = 0.5
	PlateauRounds = 3
)

// Stopped says why a run goes no further after these rounds, or GoOn. The first
// that holds counts: the target, a blocker, the maximum, a plateau.
func Stopped(rounds []messages.Round, target float64, maximum int) messages.Stop {
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
	case len(rounds) >= PlateauRounds && gain(rounds) < PlateauGain-1e-9:
		return messages.StopPlateau
	}
	return messages.GoOn
}

func gain(rounds []messages.Round) float64 {
	before := rounds[:len(rounds)-PlateauRounds+1]
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

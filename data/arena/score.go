package arena

// ScoreWinner is the outcome of a battle by a metric's scores of captions a and b: a tie only if
// they are equal. The threshold that gives as many ties as people give is applied later, when
// outcomes are counted.
func ScoreWinner(a, b float64) string {
	switch {
	case a > b:
		return WinnerA
	case a < b:
		return WinnerB
	}
	return WinnerTie
}

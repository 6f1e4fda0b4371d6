package captionqa

import (
	"math"
	"testing"
)

// By hand, as CaptionQA's filter of ten trials needs them and where the ceiling matters: 0.8·8 = 6.4, 0.7·8 = 5.6,
// 0.6·8 = 4.8, 0.7·3 = 2.1.
func TestBlindDropAt(t *testing.T) {
	cases := []struct{ options, trials, want int }{
		{2, BlindTrials, 10}, {3, BlindTrials, 8}, {4, BlindTrials, 7}, {5, BlindTrials, 6}, {9, BlindTrials, 6},
		{2, 8, 8}, {3, 8, 7}, {4, 8, 6}, {5, 8, 5}, {4, 3, 3},
		{0, 10, 10}, {1, 10, 10},
		{4, 0, 1}, {4, -5, 1}, // nothing tried, nothing dropped
		{2, math.MaxInt, math.MaxInt}, // no overflow
	}
	for _, c := range cases {
		if got := BlindDropAt(c.options, c.trials); got != c.want {
			t.Errorf("BlindDropAt(%d, %d) = %d, want %d", c.options, c.trials, got, c.want)
		}
	}
}

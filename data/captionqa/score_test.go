package captionqa

import (
	"math"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

// The bit patterns are what CPython 3.11 prints for ((1.0 / k) + 0.05).hex(), the rounded values
// for round(…, 4).
func TestScoreOfCannot(t *testing.T) {
	cases := []struct {
		k       int
		exact   float64
		rounded float64
	}{
		{1, 0x1.0cccccccccccdp+0, 1.05},
		{2, 0x1.199999999999ap-1, 0.55},
		{3, 0x1.8888888888888p-2, 0.3833},
		{4, 0x1.3333333333333p-2, 0.3},
		{5, 0x1.0000000000000p-2, 0.25},
		{6, 0x1.bbbbbbbbbbbbcp-3, 0.2167},
		{0, 0, 0}, {-2, 0, 0},
	}
	for _, c := range cases {
		expect.Equal(t, Score(Cannot, c.k), c.exact, c.k)
		expect.Equal(t, FileScore(Score(Cannot, c.k)), c.rounded, c.k)
	}
}

func TestScoreOfOtherOutcomes(t *testing.T) {
	want := map[Outcome]float64{Correct: 1, Incorrect: 0, Cannot: 0x1.3333333333333p-2, Unparsed: 0, Failed: 0}
	for outcome, want := range want {
		expect.Equal(t, Score(outcome, 4), want)
	}
	expect.Equal(t, Score("guessed", 4), 0, "an unknown outcome scores")
	if got := FileScore(math.Inf(1)); !math.IsInf(got, 1) {
		t.Errorf("FileScore of infinity = %v", got)
	}
}

func TestDecide(t *testing.T) {
	offered := []string{"Red", "Blue", CannotOption}
	cases := []struct {
		choice, key int
		want        Outcome
	}{
		{0, 0, Correct}, {1, 0, Incorrect}, {2, 0, Cannot},
		{2, 2, Cannot}, // even if it is the key
		{-1, 0, Unparsed}, {3, 0, Unparsed}, {-1, -1, Unparsed},
	}
	for _, c := range cases {
		expect.Equal(t, Decide(offered, c.choice, c.key), c.want, c.choice, c.key)
	}
}

func TestKeyIndex(t *testing.T) {
	options := []string{"Red", " Blue", "Blue ", "blue"}
	if i, ok := KeyIndex(options, "Blue\n"); !ok || i != 1 {
		t.Errorf("KeyIndex = %d, %v, want the first option that matches when trimmed", i, ok)
	}
	if i, ok := KeyIndex(options, "RED"); ok {
		t.Errorf("KeyIndex matches option %d although letter case differs", i)
	}
}

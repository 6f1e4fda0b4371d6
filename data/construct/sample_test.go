package construct

import (
	"fmt"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestProportional(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n           int
		sizes, want map[string]int
	}{
		// 10 of 100: 4.7, 3.1, 2.2 → 4, 3, 2, and the one that is left to the largest remainder, 0.7.
		{10, map[string]int{"a": 47, "b": 31, "c": 22}, map[string]int{"a": 5, "b": 3, "c": 2}},
		// 2 of 3 equal ones: 0.67 each; the first by name.
		{2, map[string]int{"a": 5, "b": 5, "c": 5}, map[string]int{"a": 1, "b": 1, "c": 0}},
		// 3 of 8: 2.25 and 0.375, 0.375: the larger remainders.
		{3, map[string]int{"a": 6, "b": 1, "c": 1}, map[string]int{"a": 2, "b": 1, "c": 0}},
		{8, map[string]int{"a": 6, "b": 2}, map[string]int{"a": 6, "b": 2}},
		{0, map[string]int{"a": 6}, map[string]int{"a": 0}},
		{0, map[string]int{}, map[string]int{}},
	} {
		expect.Equal(t, proportional(c.n, c.sizes), c.want, c.sizes)
	}
}

func TestDraw(t *testing.T) {
	t.Parallel()
	var all []Drawable
	for i := range 100 {
		all = append(all, Drawable{fmt.Sprint("q", i), []string{"a", "a", "a", "b"}[i%4]})
	}
	named := func(places []int, all []Drawable) (ids []string) {
		for _, i := range places {
			ids = append(ids, all[i].ID)
		}
		return ids
	}
	drawn := Draw(1, StagePre, 8, all)
	counts := map[string]int{}
	for _, i := range drawn {
		counts[all[i].Category]++
	}
	expect.Equal(t, counts, map[string]int{"a": 6, "b": 2}) // 75 and 25 of 100
	// The order of the questions does not matter; seed and stage do.
	turned := slices.Clone(all)
	slices.Reverse(turned)
	expect.Equal(t, named(drawn, all), named(Draw(1, StagePre, 8, turned), turned),
		"the drawing depends on the order of the questions")
	if slices.Equal(drawn, Draw(2, StagePre, 8, all)) || slices.Equal(drawn, Draw(1, StagePost, 8, all)) {
		t.Error("another seed or stage draws the same")
	}
	expect.Equal(t, len(Draw(1, StagePre, 1000, all)), 100, "drawn of 100")
	expect.Equal(t, Draw(1, StagePre, 5, nil), nil)
	// Each question is as likely as another: over 400 seeds, 8 of 100 are drawn 32 times on
	// average, with a deviation of sqrt(400*.08*.92) = 5.4.
	times := make([]int, 100)
	for seed := range int64(400) {
		for _, i := range Draw(seed, StagePre, 8, all) {
			times[i]++
		}
	}
	for i, n := range times {
		expect.Between(t, n, 32-5*6, 32+5*6, i)
	}
}

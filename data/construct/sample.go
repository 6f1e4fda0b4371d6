package construct

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"fmt"
	"maps"
	"slices"
)

// ProtocolSample names the rule of Draw.
const ProtocolSample = "construct/sample/1"

// Stages at which a sample of a bank is drawn for checks (CaptionQA Table 2), as tables have them.
const (
	StagePre  = "pre_quality"  // distinct candidates, before validators and reviewers see them
	StagePost = "post_quality" // questions of the bank
)

// A Drawable is one question that can be drawn.
type Drawable struct {
	ID       string
	Category string // the stratum that the question is drawn from
}

// Draw draws n of the questions, or all if there are fewer, with categories in proportion to their
// sizes (proportional). It returns positions in all, in the order of the drawing. This order, and
// the choice within a category, depend only on seed, stage and the ID of each question.
func Draw(seed int64, stage string, n int, all []Drawable) []int {
	n = min(n, len(all))
	if n <= 0 {
		return nil
	}
	ranks := make([][md5.Size]byte, len(all))
	order := make([]int, len(all))
	sizes := map[string]int{}
	for i, d := range all {
		ranks[i], order[i] = md5.Sum(fmt.Appendf(nil, "%d\x00%s\x00%s", seed, stage, d.ID)), i
		sizes[d.Category]++
	}
	quotas := proportional(n, sizes)
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(bytes.Compare(ranks[a][:], ranks[b][:]), cmp.Compare(all[a].ID, all[b].ID))
	})
	var drawn []int
	for _, i := range order {
		if c := all[i].Category; quotas[c] > 0 {
			quotas[c]--
			drawn = append(drawn, i)
		}
	}
	return drawn
}

// proportional divides n among categories of these sizes by the method of the largest remainder.
// Each category gets the whole part of its share, and the categories with the largest remainders
// get one more. Of equal remainders, the remainder of the larger category comes first, and of
// equally large categories the first by name. n must not exceed the sum of the sizes.
func proportional(n int, sizes map[string]int) map[string]int {
	total, left := 0, n // left is the part of n that the whole shares leave over.
	for _, size := range sizes {
		total += size
	}
	quotas := map[string]int{}
	names := slices.Collect(maps.Keys(sizes))
	for _, name := range names {
		quotas[name] = n * sizes[name] / total
		left -= quotas[name]
	}
	slices.SortFunc(names, func(a, b string) int {
		remainderA, remainderB := n*sizes[a]%total, n*sizes[b]%total
		return cmp.Or(remainderB-remainderA, sizes[b]-sizes[a], cmp.Compare(a, b))
	})
	for _, name := range names[:left] {
		quotas[name]++
	}
	return quotas
}

package textmetrics

import (
	"cmp"
	"math"
	"slices"
)

// clipped counts the n-grams of a candidate: total is all of them, and matched the n-grams that a
// reference has too. An n-gram matches at most as often as it occurs in the one reference that has
// it most often (Papineni et al. 2002, section 2.1).
func clipped(candidate []string, references [][]string, n int) (matched, total int) {
	most := map[string]int{}
	for _, r := range references {
		for gram, count := range ngrams(r, n) {
			most[gram] = max(most[gram], count)
		}
	}
	for gram, count := range ngrams(candidate, n) {
		total += count
		matched += min(count, most[gram])
	}
	return matched, total
}

// closest is the length of the reference that is nearest to the length of the candidate; of two
// lengths that are equally near, the smaller. There must be a reference.
func closest(candidate []string, references [][]string) int {
	return len(slices.MinFunc(references, func(a, b []string) int {
		return cmp.Or(abs(len(a)-len(candidate))-abs(len(b)-len(candidate)), len(a)-len(b))
	}))
}

func abs(n int) int { return max(n, -n) }

// brevity is the factor that lowers the score of a candidate that is shorter than its reference.
// The parameters are the two lengths in words.
func brevity(candidate, reference int) float64 {
	if candidate == 0 {
		return 0
	}
	if candidate >= reference {
		return 1
	}
	return math.Exp(1 - float64(reference)/float64(candidate))
}

// bleu4 is BLEU-4 of one caption, 0 to 1. It adds one to matches and totals of bigrams and longer
// n-grams (Lin and Och 2004, "ORANGE", section 4). Without the added one, most captions would score
// 0, because they share no 4-gram with their reference.
func bleu4(candidate []string, references [][]string) float64 {
	sum := 0.0
	for n := 1; n <= maxN; n++ {
		matched, total := clipped(candidate, references, n)
		if n > 1 {
			matched, total = matched+1, total+1
		}
		if matched == 0 {
			return 0
		}
		sum += math.Log(float64(matched) / float64(total))
	}
	return brevity(len(candidate), closest(candidate, references)) * math.Exp(sum/maxN)
}

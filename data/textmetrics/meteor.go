package textmetrics

import (
	"math"

	"github.com/kljensen/snowball/english"
)

// Parameters of METEOR (Banerjee and Lavie 2005, section 2.2). With meteorAlpha, recall weighs nine
// times as much as precision. With meteorGamma, half of the score is lost if every match is a chunk
// of its own.
const (
	meteorAlpha = 0.9
	meteorBeta  = 3
	meteorGamma = 0.5
)

// Stems are the stems of words, by the Snowball stemmer of English. Words of other languages mostly
// stay as they are.
func Stems(tokens []string) []string {
	stems := make([]string, len(tokens))
	known := map[string]string{} // stems by word: a long text repeats its words
	for i, token := range tokens {
		stem, ok := known[token]
		if !ok {
			stem = english.Stem(token, true) // true: stop words also have stems
			known[token] = stem
		}
		stems[i] = stem
	}
	return stems
}

// METEOR is METEOR of one caption, 0 to 1 (Banerjee and Lavie 2005, section 2.2), from its words
// and its references' words. Words are aligned in as few chunks as possible, as in METEOR 1.3 and
// later; the first version wants few crossings instead. The exact stage and the stem stage are one
// alignment, since equal words have equal stems. The stages of synonyms and paraphrases need more
// data and are left out. With several references the best score counts.
func METEOR(candidate []string, references [][]string) float64 {
	best, stems := 0.0, Stems(candidate)
	for _, r := range references {
		best = max(best, meteor(stems, Stems(r)))
	}
	return best
}

// meteor is METEOR of the stems of a caption's words against the stems of one reference's words.
func meteor(candidate, reference []string) float64 {
	pairs := align(candidate, reference)
	matched, chunks := 0, 0 // A chunk is a run of matches that are neighbours in both texts.
	for i, j := range pairs {
		if j < 0 {
			continue
		}
		matched++
		if i == 0 || pairs[i-1] < 0 || j != pairs[i-1]+1 {
			chunks++
		}
	}
	if matched == 0 {
		return 0
	}
	precision, recall := float64(matched)/float64(len(candidate)), float64(matched)/float64(len(reference))
	mean := precision * recall / (meteorAlpha*precision + (1-meteorAlpha)*recall)
	fragments := float64(chunks) / float64(matched)
	return mean * (1 - meteorGamma*math.Pow(fragments, meteorBeta))
}

// mostPairs bounds the pairs of equal words in the search for chunks. A caption and its reference
// have some thousands of such pairs.
const mostPairs = 1 << 20

// align gives for each word of a the position of the matching word of b, or -1. It matches as many
// words as possible, and the longest common runs first, to get few chunks. In texts with more than
// mostPairs pairs of equal words, this search would take too long: there the n-th occurrence of a
// word in a matches the n-th in b.
func align(a, b []string) []int {
	pairs := make([]int, len(a))
	for i := range pairs {
		pairs[i] = -1
	}
	places := map[string][]int{} // positions in b, by word
	for j, word := range b {
		places[word] = append(places[word], j)
	}
	equal := 0 // pairs of equal words
	for _, word := range a {
		equal += len(places[word])
	}
	if equal > mostPairs {
		for i, word := range a {
			if rest := places[word]; len(rest) > 0 {
				pairs[i], places[word] = rest[0], rest[1:]
			}
		}
		return pairs
	}
	taken := make([]bool, len(b))
	for {
		var longest, inA, inB int // the longest run of equal words that are not matched yet, and its places
		for i, word := range a {
			for _, j := range places[word] {
				run := 0
				for i+run < len(a) && j+run < len(b) && a[i+run] == b[j+run] && pairs[i+run] < 0 && !taken[j+run] {
					run++
				}
				if run > longest {
					longest, inA, inB = run, i, j
				}
			}
		}
		if longest == 0 {
			return pairs
		}
		for k := range longest {
			pairs[inA+k], taken[inB+k] = inB+k, true
		}
	}
}

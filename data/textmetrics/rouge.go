package textmetrics

import "math/bits"

// rougeBeta is how much more recall weighs than precision in COCO's evaluation.
const rougeBeta = 1.2

// rougeL is ROUGE-L of one caption, 0 to 1 (Lin 2004, section 3): the F-measure, with a beta of
// 1.2, of the longest common subsequence. With several references the best precision and the best
// recall count, as in COCO's evaluation.
func rougeL(candidate []string, references [][]string) float64 {
	precision, recall := 0.0, 0.0
	for _, r := range references {
		if len(candidate) == 0 || len(r) == 0 {
			continue
		}
		common := float64(commonSubsequence(candidate, r))
		precision = max(precision, common/float64(len(candidate)))
		recall = max(recall, common/float64(len(r)))
	}
	if precision == 0 || recall == 0 {
		return 0
	}
	return (1 + rougeBeta*rougeBeta) * precision * recall / (recall + rougeBeta*rougeBeta*precision)
}

// commonSubsequence is the length of the longest common subsequence. It handles 64 words of a at
// once (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
func commonSubsequence(a, b []string) int {
	places := map[string][]int{}
	for i, token := range a {
		places[token] = append(places[token], i)
	}
	words := (len(a) + 63) / 64
	row := make([]uint64, words) // a 0 bit for each word of a that lengthens the sequence
	for i := range row {
		row[i] = ^uint64(0)
	}
	mask := make([]uint64, words)
	// masks of frequent words, since setting them again would take longer than the row
	frequent := map[string][]uint64{}
	for _, token := range b {
		at := places[token]
		if len(at) == 0 {
			continue
		}
		match := mask
		if len(at) > words {
			kept, ok := frequent[token]
			if !ok {
				kept = make([]uint64, words)
				set(kept, at)
				frequent[token] = kept
			}
			match = kept
		} else {
			set(mask, at)
		}
		var carry uint64
		for i := range row {
			u := row[i] & match[i]
			sum, c := bits.Add64(row[i], u, carry)
			carry = c
			row[i] = sum | (row[i] &^ match[i])
		}
		if len(at) <= words {
			for _, i := range at {
				mask[i/64] = 0
			}
		}
	}
	length := 0
	for i, word := range row {
		if rest := len(a) - i*64; rest < 64 {
			word |= ^uint64(0) << rest
		}
		length += bits.OnesCount64(^word)
	}
	return length
}

func set(mask []uint64, at []int) {
	for _, i := range at {
		mask[i/64] |= 1 << (i % 64)
	}
}

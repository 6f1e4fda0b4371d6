package textmetrics

import "math/big"

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

// commonSubsequence is the length of the longest common subsequence of two texts. It handles all
// words of a at once, as bits of a number (Hyyrö 2004, "Bit-parallel LCS-length computation
// revisited").
func commonSubsequence(a, b []string) int {
	places := map[string][]int{}
	for i, token := range a {
		places[token] = append(places[token], i)
	}
	// The bits of row are the words of a. A bit is 0 if its word lengthens the longest subsequence, so
	// at first all bits are 1.
	row := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(len(a))), big.NewInt(1))
	// frequent has the places of frequent words as bits. Keeping such bits for every rare word would
	// take much memory.
	frequent := map[string]*big.Int{}
	for _, token := range b {
		match := frequent[token]
		if match == nil {
			match = new(big.Int)
			for _, i := range places[token] {
				match.SetBit(match, i, 1)
			}
			// From this number of places on, the bits take less memory than the places, at 64 bits each.
			if len(places[token]) > len(a)/64 {
				frequent[token] = match
			}
		}
		rest := new(big.Int).AndNot(row, match)
		// The sum may set bits beyond the words of a. The count below leaves these bits out.
		row.Or(row.Add(row, new(big.Int).And(row, match)), rest)
	}
	length := 0
	for i := range a {
		length += 1 - int(row.Bit(i))
	}
	return length
}

package textmetrics

import "strings"

// maxN is the longest n-gram that any metric counts.
const maxN = 4

// ngrams counts the n-grams of a text: runs of n words with spaces between them. Each n-gram is a
// part of one string of all words, since building separate strings would take most of the time. No
// word contains a space.
func ngrams(tokens []string, n int) map[string]int {
	all := strings.Join(tokens, " ")
	counts := make(map[string]int, max(0, len(tokens)-n+1))
	begin, end := 0, -1 // offsets in all of the n-gram that ends with the present token
	for i, token := range tokens {
		end += 1 + len(token)
		if i < n-1 {
			continue
		}
		counts[all[begin:end]]++
		begin += len(tokens[i-n+1]) + 1
	}
	return counts
}

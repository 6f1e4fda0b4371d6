package textmetrics

import "strings"

// maxN is the longest n-gram that any metric counts.
const maxN = 4

// ngrams counts the n-grams of a text. They are parts of one string, since building separate
// strings would take most of the time; no token contains the separator.
func ngrams(tokens []string, n int) map[string]int {
	all := strings.Join(tokens, " ")
	counts := make(map[string]int, max(0, len(tokens)-n+1))
	begin, end := 0, -1
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

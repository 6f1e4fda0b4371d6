// Package spelling finds the known name that a misspelt name most likely means. It knows nothing of
// the kinds of names.
package spelling

import (
	"slices"
	"strings"
)

// Nearest is the known name that a misspelt name most likely means; empty if none is close.
func Nearest(name string, known []string) string {
	close := max(2, len([]rune(name))/3) // the greatest distance of a close name, in letters
	nearest, least := "", close+1
	for _, candidate := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			nearest, least = candidate, d
		}
	}
	return nearest
}

// Meant is the hint for names that may be misspelt: "did you mean" with the nearest known names, or
// the hint otherwise if no known name is close.
func Meant(otherwise string, known []string, names ...string) string {
	var meant []string
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if nearest := Nearest(name, known); nearest != "" && !slices.Contains(meant, nearest) {
			meant = append(meant, nearest)
		}
	}
	if len(meant) == 0 {
		return otherwise
	}
	return "did you mean " + strings.Join(meant, " and ") + "?"
}

// distance is the number of insertions, deletions, replacements and swaps of neighbouring letters
// that turn one text into the other (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	// d[i][j] is the distance between the first i letters of a and the first j letters of b.
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case s[i-1] == t[j-1]:
				d[i][j] = d[i-1][j-1]
			case i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1]:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1], d[i-2][j-2])
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
		}
	}
	return d[len(s)][len(t)]
}

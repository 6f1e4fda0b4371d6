package sql

import (
	"regexp"
	"slices"
	"strings"
)

// Split cuts a file into its header, which is the YAML in the comments at the top, and the SQL below. Blanks stand for the dashes of the
// comments, so that faults of the YAML have the places of the file.
func Split(text string) (header, body string) {
	body = text
	for strings.HasPrefix(body, "--") {
		line, rest, _ := strings.Cut(body, "\n")
		header, body = header+"  "+line[2:]+"\n", rest
	}
	return header, body
}

var (
	tokenForm = regexp.MustCompile(`'(?:[^']|'')*'|--[^\n]*|"[^"]*"|\w+|\S`)
	macroForm = regexp.MustCompile(`^(counted|merged)_(\w+)$`)
)

// Reads are the tables and models that SQL reads, sorted: what follows from and join, less the names that the SQL
// gives itself. counted_TABLE() reads TABLE and stale_TABLE, merged_FOLD() reads FOLD.
func Reads(text string) (names []string) {
	words := slices.DeleteFunc(tokenForm.FindAllString(text, -1), func(w string) bool { return strings.HasPrefix(w, "--") })
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return strings.ToLower(words[i])
	}
	named := map[string]bool{} // with NAME as (
	for i, w := range words {
		named[w] = named[w] || at(i+1) == "as" && slices.Contains([]string{"(", "materialized", "not"}, at(i+2))
	}
	for i, w := range words {
		if m := macroForm.FindStringSubmatch(w); m != nil && at(i+1) == "(" {
			names = append(names, m[2])
			if m[1] == "counted" {
				names = append(names, "stale_"+m[2])
			}
		} else if (at(i-1) == "from" && at(i-2) != "distinct" || at(i-1) == "join") && wordForm.MatchString(w) && at(i+1) != "(" && !named[w] {
			names = append(names, w)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var wordForm = regexp.MustCompile(`^[a-z_]\w*$`)

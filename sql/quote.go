package sql

import "strings"

// Quote writes a text as an SQL literal.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// QuoteName writes a name as an SQL identifier.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteList writes texts as an SQL list.
func QuoteList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = Quote(t)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// QuoteNames writes names as a list of SQL identifiers.
func QuoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = QuoteName(n)
	}
	return strings.Join(quoted, ", ")
}

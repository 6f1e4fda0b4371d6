package sql

import "strings"

// Quote writes a text as an SQL literal.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// QuoteName writes a name as an SQL identifier.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteList writes texts as an SQL list.
func QuoteList(texts []string) string { return "[" + quoteAll(texts, Quote) + "]" }

// QuoteNames writes names as a list of SQL identifiers.
func QuoteNames(names []string) string { return quoteAll(names, QuoteName) }

func quoteAll(texts []string, quote func(string) string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = quote(t)
	}
	return strings.Join(quoted, ", ")
}

var globEscape = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// Pattern is a path that DuckDB does not take for a pattern.
func Pattern(path string) string { return globEscape.Replace(path) }

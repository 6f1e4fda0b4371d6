package sqlmodel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/sql"
)

// A Rule is a rule of the header about every row, or about every two rows.
type Rule struct {
	Text   string // the rule in words
	Broken string // SQL of an aggregate over the table: true if rows may break the rule
	Query  string // the rows that break the rule
}

// Rules are the rules of a model: no key column is null, no two rows share a key, and each check of
// the header holds.
func (m Model) Rules() (rules []Rule) {
	add := func(rule, broken, query string, args ...any) {
		rules = append(rules, Rule{rule, broken, fmt.Sprintf(query, args...)})
	}
	key, table := sql.QuoteNames(m.Key), sql.QuoteName(m.Name)
	keyIsNull := strings.ReplaceAll(key, ", ", " is null or ") + " is null"
	add("a key column is null", anyRow(keyIsNull), "select %s from %s where %s", key, table, keyIsNull)
	if !m.groupsByKey() {
		// Comparing hashes takes a fraction of the time of comparing keys. Keys are compared by the
		// query, which runs only if two hashes are equal.
		add("rows share the key "+strings.Join(m.Key, ", "), "count(*) > count(distinct hash("+key+"))",
			"select %s, count(*) as rows_of_key from %s group by %s having count(*) > 1 order by %s", key,
			table, key, key)
	}
	for _, c := range m.Checks {
		shown := slices.Clone(m.Key)
		if !slices.Contains(shown, c.Column) {
			shown = append(shown, c.Column)
		}
		add("check failed: "+c.Text, anyRow(c.broken), "select %s from %s where %s order by %s", sql.QuoteNames(shown),
			table, c.broken, key)
	}
	return rules
}

// groupsByKey reports whether the select does nothing but group rows by the columns of the key.
// Then no two rows can share a key, and the check for such rows, which takes longer than all other
// checks, is left out.
func (m Model) groupsByKey() bool {
	text, key := strings.Join(strings.Fields(m.Select), " "), strings.Join(m.Key, ", ")
	return m.Compute == "" && strings.Count(text, "select") == 1 && strings.HasPrefix(text, "select "+key+", ") &&
		strings.HasSuffix(text, " group by "+key)
}

// anyRow is the SQL of an aggregate that is true if any row meets the condition.
func anyRow(condition string) string { return "coalesce(bool_or(" + condition + "), false)" }

// Described are the columns in the form of the dictionary, with the fact whether null is allowed.
func (m Model) Described() (columns []dictionary.Column) {
	for _, c := range m.Columns {
		c.Nullable = m.Nullable(c.Name)
		columns = append(columns, c.Column)
	}
	return columns
}

// Nullable reports whether a column may hold null.
func (m Model) Nullable(column string) bool {
	return !slices.Contains(m.Key, column) &&
		!slices.ContainsFunc(m.Checks, func(c Check) bool { return c.Text == column+" "+notNull })
}

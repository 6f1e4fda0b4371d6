package spark

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed functions.sql
var functionsText string

// A function is one of functions.sql: what it says before it, and its statement.
type function struct{ name, text string }

var functionForm = regexp.MustCompile(`(?ms)^create or replace temporary function (\w+)\(.*?;$`)

// functions are those of functions.sql, in its order.
func functions() (all []function) {
	for _, m := range functionForm.FindAllStringSubmatch(functionsText, -1) {
		all = append(all, function{m[1], strings.TrimSuffix(m[0], ";")})
	}
	return all
}

// same are the words that may stand before a parenthesis and mean in Spark what they mean in DuckDB, as TestFoldsArePortable has the reasons.
var same = strings.Fields(`
	abs and as by case cast chr coalesce concat_ws count decimal distinct else exists filter floor from group grouping having in join max md5 min
	not nullif on or over regexp_replace round select sets split_part substr sum then union using values when where with
`)

// renamed are functions and types that Spark has under another name.
var renamed = map[string]string{"total": "sum", "varchar": "string"}

// A dialect puts queries into Spark's words. relations are the names that queries call like functions and that the script has as views;
// own are functions that the script defines besides those of functions.sql.
type dialect struct {
	relations, own []string
	called         map[string]bool // functions that queries called
}

// query puts one query into Spark's words: its literals, quoted names, types and functions. Comments are left out, because the shell of
// Spark would look for the ends of statements in them.
func (d *dialect) query(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "--"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			i += end
		case c == '\'' || c == '"':
			content, after, err := quoted(text, i)
			if err != nil {
				return "", err
			}
			if i = after; c == '\'' {
				b.WriteString(literal(content))
			} else {
				b.WriteString(name(content))
			}
		case wordByte(c):
			end := i + 1
			for end < len(text) && wordByte(text[end]) {
				end++
			}
			word := strings.ToLower(text[i:end])
			i = end
			if to, ok := renamed[word]; ok {
				word = to
			} else if strings.HasPrefix(strings.TrimLeft(text[end:], " "), "(") && !slices.Contains(same, word) {
				switch {
				case slices.Contains(d.relations, word) && strings.HasPrefix(text[end:], "()"):
					i += len("()")
				case slices.Contains(d.own, word) || slices.ContainsFunc(functions(), func(f function) bool { return f.name == word }):
					d.called[word] = true
				case word[0] < '0' || word[0] > '9':
					return "", fmt.Errorf("analytics/spark/functions.sql has no function %s", word)
				}
			}
			b.WriteString(word)
		default:
			b.WriteByte(c)
			i++
		}
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimRight(line, " \n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// quoted reads what is between the quotation mark at a place of the text and the next single one of its kind.
func quoted(text string, at int) (content string, after int, err error) {
	var b strings.Builder
	for i := at + 1; i < len(text); i++ {
		if text[i] != text[at] {
			b.WriteByte(text[i])
		} else if i+1 < len(text) && text[i+1] == text[at] {
			b.WriteByte(text[i])
			i++
		} else {
			return b.String(), i + 1, nil
		}
	}
	return "", 0, fmt.Errorf("a quotation mark of the query is not closed: %.40s", text[at:])
}

var literalEscape = strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`, ";", `\u003B`)

// literal writes a text as Spark reads it with spark.sql.parser.escapedStringLiterals off. A semicolon is escaped too, because tools that
// divide scripts into statements may not know of literals.
func literal(text string) string { return "'" + literalEscape.Replace(text) + "'" }

// name writes an identifier.
func name(text string) string { return "`" + strings.ReplaceAll(text, "`", "``") + "`" }

// typeName is a type of DuckDB in Spark's words.
func typeName(duckdb string) string {
	if element, list := strings.CutSuffix(duckdb, "[]"); list {
		return "array<" + typeName(element) + ">"
	}
	switch duckdb {
	case "VARCHAR":
		return "string"
	case "TIMESTAMP WITH TIME ZONE":
		return "timestamp"
	case "INTEGER":
		return "int"
	}
	return strings.ToLower(duckdb)
}

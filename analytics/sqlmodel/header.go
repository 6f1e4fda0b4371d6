package sqlmodel

import (
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/sql"
)

// Parse reads the text of a model's file: its header, one select that ends with a semicolon, and
// any number of audits. Parse checks few rules of package sql: the files are part of the program,
// and TestModelsAreSound checks the other rules.
func Parse(file, text string) (Model, error) {
	m := Model{Name: strings.TrimSuffix(path.Base(file), ".sql"), File: file, Text: text}
	h, err := sql.Read(file, text)
	if err != nil {
		return m, err
	}
	m.What, m.Source, m.Key = headerText(h.What), headerText(h.Source), h.Key
	m.Counts, m.Compute = h.Checks.Rows, h.Compute
	m.Fold, m.By, _ = strings.Cut(h.Fold, " by ")
	for name, list := range columnsOf(h) {
		if err := m.column(name, list); err != nil {
			return m, fmt.Errorf("%s: %w", file, err)
		}
	}
	for _, entry := range h.Intervals {
		if err := m.interval(entry.Key, headerText(entry.Value)); err != nil {
			return m, fmt.Errorf("%s: %w", file, err)
		}
	}
	queries := strings.Split(h.Body, "\n-- audit:")
	m.Select = sql.Query(queries[0])
	for _, audit := range queries[1:] {
		head, query, _ := strings.Cut(audit, "\n")
		name, reason, _ := strings.Cut(head, ":")
		m.Audits = append(m.Audits, Audit{strings.TrimSpace(name), strings.TrimSpace(reason), sql.Query(query)})
	}
	// Audits read the mart itself, which is no input.
	m.Inputs = slices.DeleteFunc(sql.Reads(h.Body), func(name string) bool { return name == m.Name })
	m.addIntervals() // last, because it needs the key, the columns and their checks
	return m, nil
}

// columnsOf are the columns of a header by name, each with the list of its type, checks and
// meaning. A column without a list takes the list from models/columns.yaml.
func columnsOf(h sql.Header) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, entry := range h.Columns {
			for _, name := range splitArguments(entry.Key) { // A key may name several columns.
				list := entry.Value
				if list == "" {
					list = sharedColumns()[name]
				}
				if !yield(name, list) {
					return
				}
			}
		}
	}
}

// sharedColumns are the lists of the columns that mean the same in many marts, by column.
var sharedColumns = sync.OnceValue(func() map[string]any {
	var columns []strictyaml.Entry
	if _, err := strictyaml.Read("columns.yaml", []byte(sql.Text("models/columns.yaml")), sql.MaxBytes,
		&columns); err != nil {
		panic(err) // the file is part of the program
	}
	shared := map[string]any{}
	for _, c := range columns {
		shared[c.Key] = c.Value
	}
	return shared
})

// headerText is a value of a header as text on one line.
func headerText(v any) string { return strings.Join(strings.Fields(fmt.Sprint(v)), " ") }

// column reads one column: NAME: [TYPE, UNIT, RULES, MEANING]. A rule is the words "not null", a
// range LOW..HIGH or LOW.., a list of the allowed values, merge: max or min, or of: SQL. The unit
// and the rules may be missing. The meaning may be missing after a list of the allowed values.
func (m *Model) column(name string, value any) error {
	list, _ := value.([]any) // nil if the value is a text, such as the meaning of a shortcut's column
	if len(list) < 2 {
		return fmt.Errorf("column %s is not NAME: [TYPE, UNIT, RULES, MEANING], "+
			"and sql/models/columns.yaml does not have it", name)
	}
	var c Column
	c.Name = name
	// Headers have the short name TIMESTAMPTZ, and the dictionary of tables has the long name.
	c.Type = strings.Replace(strings.ToUpper(headerText(list[0])), "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", 1)
	rules, last := list[1:], list[len(list)-1]
	if allowed, ok := last.([]any); ok {
		c.Comment = alternatives(headerTexts(allowed))
	} else {
		c.Comment = headerText(last)
		rules = rules[:len(rules)-1]
	}
	quoted := sql.QuoteName(name)
	check := func(text, broken string) { m.Checks = append(m.Checks, Check{name, name + " " + text, broken}) }
	for _, rule := range rules {
		switch rule := rule.(type) {
		case []strictyaml.Entry: // merge or of
			for _, entry := range rule {
				if entry.Key == "merge" {
					c.Merge = headerText(entry.Value)
				} else {
					c.Made = headerText(entry.Value)
				}
			}
		case []any: // The allowed values are texts here, so the values of the column are compared as texts.
			values := headerTexts(rule)
			check("in "+strings.Join(values, ", "),
				fmt.Sprintf("not list_contains(%s, cast(%s as varchar))", sql.QuoteList(values), quoted))
		default:
			text := headerText(rule)
			low, high, isRange := strings.Cut(text, "..")
			switch {
			case text == notNull:
				check(text, quoted+" is null")
			case isRange && high == "":
				check(text, fmt.Sprintf("not (%s >= %s)", quoted, low))
			case isRange:
				check(text, fmt.Sprintf("not (%s between %s and %s)", quoted, low, high))
			default:
				c.Unit = text
			}
		}
	}
	m.Columns = append(m.Columns, c)
	return nil
}

// headerTexts are the values of a list, each on one line.
func headerTexts(list []any) (all []string) {
	for _, v := range list {
		all = append(all, headerText(v))
	}
	return all
}

// alternatives words a list of allowed values: a, b or c. One value stands alone.
func alternatives(values []string) string {
	last := len(values) - 1
	return strings.TrimPrefix(strings.Join(values[:last], ", ")+" or "+values[last], " or ")
}

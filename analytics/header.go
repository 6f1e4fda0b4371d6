package analytics

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data/strictyaml"
	"github.com/captionlake/captionlake/sql"
)

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	rangeForm = regexp.MustCompile(`^(-?[0-9.]+)\.\.(-?[0-9.]+)?$`)
	auditForm = regexp.MustCompile(`(?m)^-- audit:(.*)\n`)
)

// maxHeader bounds a header in bytes.
const maxHeader = 1 << 20

// A header is the YAML in the comment lines at the top of a model's file.
type header struct {
	What, Source  string
	Key           []string
	Fold, Compute string
	Checks        struct{ Rows string }
	Columns       []strictyaml.Entry // NAME: [TYPE, UNIT, RULES, MEANING]
	Intervals     []strictyaml.Entry // NAME, NAME: METHOD(ARGUMENTS); NOTE
}

// headerParser reads one file and gathers its faults.
type headerParser struct {
	model  Model
	faults []error
}

func (p *headerParser) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf(format, args...))
}

// ParseModel reads the text of a model's file: its header, one select that ends with a semicolon, and any number of audits. The error joins all
// faults.
func ParseModel(file, text string) (Model, error) {
	p := &headerParser{model: Model{Name: strings.TrimSuffix(path.Base(file), ".sql"), File: file, Text: text}}
	comment, body := sql.Split(text)
	var h header
	if _, err := strictyaml.Read(file, []byte(comment), maxHeader, &h); err != nil {
		return Model{}, err
	}
	p.header(h)
	p.body(body)
	p.faults = append(p.faults, p.model.addIntervals()...)
	if len(p.faults) > 0 {
		return Model{}, fmt.Errorf("%s: %w", file, errors.Join(p.faults...))
	}
	return p.model, nil
}

func (p *headerParser) header(h header) {
	m := &p.model
	m.What, m.Source, m.Key = headerText(h.What), headerText(h.Source), h.Key
	m.Fold, m.Counts, m.Compute = h.Fold, h.Checks.Rows, h.Compute
	if m.What == "" || m.Source == "" || len(m.Key) == 0 || len(h.Columns) == 0 {
		p.fault("a header has what, key, source and columns")
	}
	for _, entry := range h.Columns {
		switch {
		case entry.Value == "":
			for _, name := range splitArguments(entry.Key) {
				shared, ok := sharedColumns()[name]
				if !ok {
					p.fault("column %s has no meaning: write one, here or in sql/models/columns.yaml", name)
					continue
				}
				p.column(name, shared)
			}
		default:
			p.column(entry.Key, entry.Value)
		}
	}
	for _, entry := range h.Intervals {
		p.interval(entry.Key, headerText(entry.Value))
	}
}

// sharedColumns are the columns that mean the same in many marts.
var sharedColumns = sync.OnceValue(func() map[string]any {
	var columns []strictyaml.Entry
	if _, err := strictyaml.Read("columns.yaml", []byte(sql.Columns), maxHeader, &columns); err != nil {
		panic(err) // the file is part of the program
	}
	shared := map[string]any{}
	for _, c := range columns {
		shared[c.Key] = c.Value
	}
	return shared
})

// headerText is a value on one line.
func headerText(v any) string { return strings.Join(strings.Fields(fmt.Sprint(v)), " ") }

// column reads one column: NAME: [TYPE, UNIT, RULES, MEANING]. Rules are not null, a range LOW..HIGH or LOW.., a list of the allowed
// values, merge: max or min, and of: SQL. The unit and the rules may be missing, and the meaning after a list that says it all.
func (p *headerParser) column(name string, value any) {
	rules, _ := value.([]any)
	if len(rules) < 2 {
		p.fault("column %s: a column is NAME: [TYPE, UNIT, RULES, MEANING]; the unit and the rules may be missing", name)
		return
	}
	c := Column{Name: name, Type: strings.ToUpper(headerText(rules[0]))}
	if c.Type == "TIMESTAMPTZ" {
		c.Type = "TIMESTAMP WITH TIME ZONE"
	}
	rules = rules[1:]
	if last, ok := rules[len(rules)-1].([]any); ok {
		c.What = alternatives(headerTexts(last))
	} else {
		c.What = headerText(rules[len(rules)-1])
		rules = rules[:len(rules)-1]
	}
	for i, rule := range rules {
		check := Check{Column: name}
		switch rule := rule.(type) {
		case []strictyaml.Entry:
			p.more(rule, &c)
			continue
		case []any:
			check.values = headerTexts(rule)
			check.Text = name + " in " + strings.Join(check.values, ", ")
		default:
			said := headerText(rule)
			check.Text = name + " " + said
			if m := rangeForm.FindStringSubmatch(said); m != nil {
				check.low, check.high = number(m[1]), number(m[2])
			} else if said == "not null" {
				check.notNull = true
			} else if i == 0 && nameForm.MatchString(said) {
				c.Unit = said
				continue
			} else {
				p.fault("column %s: %q is neither a unit nor a rule: a rule is not null, LOW..HIGH, LOW.. or a list of the allowed values", name, said)
			}
		}
		p.model.Checks = append(p.model.Checks, check)
	}
	p.model.Columns = append(p.model.Columns, c)
}

func headerTexts(list []any) (all []string) {
	for _, v := range list {
		all = append(all, headerText(v))
	}
	return all
}

// more reads merge: max or min, and of: SQL.
func (p *headerParser) more(entries []strictyaml.Entry, c *Column) {
	for _, entry := range entries {
		switch value := headerText(entry.Value); {
		case entry.Key == "merge" && (value == "max" || value == "min"):
			c.merge = value
		case entry.Key == "of":
			c.made = value
		default:
			p.fault("column %s: unknown entry %v: %s; a column has merge: max or min, and of: SQL", c.Name, entry.Key, value)
		}
	}
}

// alternatives words a list of allowed values, which needs no other meaning: a, b or c.
func alternatives(values []string) string {
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// body reads the select and the audits.
func (p *headerParser) body(body string) {
	starts := auditForm.FindAllStringSubmatchIndex(body, -1)
	query := func(from, i int) string {
		to := len(body)
		if i < len(starts) {
			to = starts[i][0]
		}
		q, closed := strings.CutSuffix(strings.TrimSpace(body[from:to]), ";")
		if !closed {
			p.fault("a query that ends with a semicolon is missing after %q", strings.TrimSpace(body[max(from-40, 0):from]))
		}
		return strings.TrimSpace(q)
	}
	p.model.Select = query(0, 0)
	p.model.Inputs = slices.DeleteFunc(sql.Reads(body), func(name string) bool { return name == p.model.Name })
	for i, at := range starts {
		name, reason, _ := strings.Cut(body[at[2]:at[3]], ":")
		a := Audit{Name: strings.TrimSpace(name), Reason: strings.TrimSpace(reason), Query: query(at[1], i+1)}
		if a.Reason == "" {
			p.fault(`audit %q: an audit opens with "-- audit: NAME: REASON"`, a.Name)
		}
		p.model.Audits = append(p.model.Audits, a)
	}
}

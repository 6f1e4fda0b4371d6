package analytics

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Model is one SQL model: what its header says, its select and its audits.
type Model struct {
	Name    string   // name of the mart, which is also the name of the file
	What    string   // what the mart is, in one line
	Grain   string   // what one row is, in words
	Key     []string // columns that identify a row; no two rows agree in all of them and none of them is null
	Inputs  []string // base tables and models that the select reads
	Source  string   // table or figure of a paper
	Columns []Column
	Checks  []Check
	Select  string // the one select, without a closing semicolon
	Audits  []Audit
	Text    string // the whole file
}

// A Column is a column that the header promises.
type Column struct {
	Name string
	Type string // SQL type in upper case, as DuckDB names it
	Unit string // unit of the numbers, such as percent or count; empty when there is none
	What string // meaning
}

// A Check is a condition on one column that every row must meet. Null meets every check but "not null".
type Check struct {
	Column string
	Text   string // the check as the header words it
	Line   int    // line of the header, from 1

	notNull   bool
	low, high *float64
	values    []string
}

// An Audit is a query that must return no rows.
type Audit struct {
	Name   string
	Reason string // why a row would be wrong
	Line   int    // line of the marker, from 1
	Query  string
}

// A HeaderError is one fault of a model's file.
type HeaderError struct {
	File    string
	Line    int // from 1
	Col     int // from 1, in bytes
	Message string
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

var (
	nameForm   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	fieldForm  = regexp.MustCompile(`^-- ([a-z]+):(.*)$`)
	columnForm = regexp.MustCompile(`^--   (\S+)\s+(\S+)\s+(\S+)\s+(\S.*)$`)
	checkForm  = regexp.MustCompile(`^--   (\S+)\s+(not null|between|in|>=)(?:\s+(\S.*))?$`)
	auditForm  = regexp.MustCompile(`^-- audit: ([^:]*)(?::(.*))?$`)
)

// headerFields are the fields of a header in the order in which they must stand. All are required.
var headerFields = []string{"model", "what", "grain", "key", "inputs", "source", "columns", "checks"}

// knownTypes are the column types that a mart may have; a list of any of them is allowed too.
var knownTypes = []string{"VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP WITH TIME ZONE"}

// typeNames maps the spellings of headers to DuckDB's names where they differ.
var typeNames = map[string]string{"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}

// headerParser reads one file and gathers all of its faults.
type headerParser struct {
	file   string
	model  Model
	faults []error
	lines  []string
	seen   []string
}

func (p *headerParser) fault(line, col int, format string, args ...any) {
	p.faults = append(p.faults, &HeaderError{p.file, line, col, fmt.Sprintf(format, args...)})
}

// ParseModel reads the text of a model's file. The header is a block of comment lines at the very top; then comes one
// select that ends with a semicolon, then any number of audits. A file without a whole header is refused: the error
// joins one HeaderError for each fault.
func ParseModel(file, text string) (Model, error) {
	p := &headerParser{file: file, lines: strings.Split(text, "\n"), model: Model{Text: text}}
	if !utf8.ValidString(text) {
		p.fault(1, 1, "the file is not UTF-8 text")
		return Model{}, joinFaults(p.faults)
	}
	end := p.header()
	if len(p.seen) == 0 {
		return Model{}, joinFaults([]error{&HeaderError{file, 1, 1, `no header: the first line must be "-- model: NAME"`}})
	}
	for _, field := range headerFields {
		if !slices.Contains(p.seen, field) {
			p.fault(end+1, 1, "the header has no field %q", field)
		}
	}
	p.body(end)
	p.cross()
	if len(p.faults) > 0 {
		return Model{}, joinFaults(p.faults)
	}
	return p.model, nil
}

// header reads the comment block and returns the number of its lines.
func (p *headerParser) header() int {
	section := ""
	for i, line := range p.lines {
		n := i + 1
		if !strings.HasPrefix(line, "--") {
			return i
		}
		if strings.HasPrefix(line, "--   ") {
			switch section {
			case "columns":
				p.column(n, line)
			case "checks":
				p.check(n, line)
			default:
				p.fault(n, 3, "an indented line belongs under columns or checks")
			}
			continue
		}
		m := fieldForm.FindStringSubmatch(line)
		if m == nil {
			p.fault(n, 1, `a header line is "-- field: text" or, under columns and checks, "--   text"`)
			continue
		}
		section = m[1]
		p.field(n, section, strings.TrimSpace(m[2]))
	}
	return len(p.lines)
}

func (p *headerParser) field(line int, name, value string) {
	place := slices.Index(headerFields, name)
	switch {
	case place < 0:
		p.fault(line, 4, "unknown field %q: a header has %s", name, strings.Join(headerFields, ", "))
		return
	case slices.Contains(p.seen, name):
		p.fault(line, 4, "field %q is a duplicate", name)
		return
	case len(p.seen) > 0 && slices.Index(headerFields, p.seen[len(p.seen)-1]) > place:
		p.fault(line, 4, "field %q must stand before %q", name, p.seen[len(p.seen)-1])
	}
	p.seen = append(p.seen, name)
	col := len("-- ") + len(name) + len(": ") + 1
	list := name == "columns" || name == "checks"
	if list == (value != "") {
		if list {
			p.fault(line, col, "the entries of %q stand on lines of their own", name)
		} else {
			p.fault(line, col, "field %q is empty", name)
		}
		return
	}
	switch name {
	case "model":
		if !nameForm.MatchString(value) {
			p.fault(line, col, "%q is no model name: lower-case letters, digits and underscores", value)
		}
		p.model.Name = value
	case "what":
		p.model.What = value
	case "grain":
		p.model.Grain = value
	case "source":
		p.model.Source = value
	case "key":
		p.model.Key = p.names(line, col, value)
	case "inputs":
		p.model.Inputs = p.names(line, col, value)
	}
}

// names reads a list of names with commas between them.
func (p *headerParser) names(line, col int, value string) []string {
	var names []string
	for part := range strings.SplitSeq(value, ",") {
		name := strings.TrimSpace(part)
		switch {
		case !nameForm.MatchString(name):
			p.fault(line, col, "%q is no name: lower-case letters, digits and underscores", name)
		case slices.Contains(names, name):
			p.fault(line, col, "%q is a duplicate", name)
		default:
			names = append(names, name)
		}
		col += len(part) + 1
	}
	return names
}

func (p *headerParser) column(line int, text string) {
	m := columnForm.FindStringSubmatchIndex(text)
	if m == nil {
		p.fault(line, 6, "a column is NAME TYPE UNIT MEANING; the unit is - when there is none")
		return
	}
	part := func(i int) string { return text[m[2*i]:m[2*i+1]] }
	c := Column{Name: part(1), Type: strings.ToUpper(part(2)), Unit: part(3), What: strings.TrimSpace(part(4))}
	if c.Unit == "-" {
		c.Unit = ""
	} else if !nameForm.MatchString(c.Unit) {
		p.fault(line, m[6]+1, "%q is no unit: lower-case letters, or - when there is none", c.Unit)
	}
	element, list := strings.CutSuffix(c.Type, "[]")
	if full, ok := typeNames[element]; ok {
		element = full
	}
	if !slices.Contains(knownTypes, element) {
		p.fault(line, m[4]+1, "unknown type %q", part(2))
	}
	c.Type = element
	if list {
		c.Type += "[]"
	}
	if !nameForm.MatchString(c.Name) {
		p.fault(line, m[2]+1, "%q is no column name: lower-case letters, digits and underscores", c.Name)
	} else if slices.ContainsFunc(p.model.Columns, func(o Column) bool { return o.Name == c.Name }) {
		p.fault(line, m[2]+1, "column %q is a duplicate", c.Name)
	}
	p.model.Columns = append(p.model.Columns, c)
}

func (p *headerParser) check(line int, text string) {
	m := checkForm.FindStringSubmatchIndex(text)
	if m == nil {
		p.fault(line, 6, `a check is "COLUMN not null", "COLUMN between LOW and HIGH", "COLUMN >= LOW" or "COLUMN in A, B, C"`)
		return
	}
	rest, restCol := "", m[5]+1
	if m[6] >= 0 {
		rest, restCol = strings.TrimSpace(text[m[6]:m[7]]), m[6]+1
	}
	c := Check{Column: text[m[2]:m[3]], Text: strings.TrimSpace(text[5:]), Line: line}
	switch operator := text[m[4]:m[5]]; operator {
	case "not null":
		c.notNull = true
		if rest != "" {
			p.fault(line, restCol, "nothing may follow not null")
		}
	case "between":
		low, high, _ := strings.Cut(rest, " and ")
		c.low, c.high = p.number(line, restCol, low), p.number(line, restCol, high)
		if c.low != nil && c.high != nil && *c.low > *c.high {
			p.fault(line, restCol, "the range %s holds nothing", rest)
		}
	case ">=":
		c.low = p.number(line, restCol, rest)
	case "in":
		for value := range strings.SplitSeq(rest, ",") {
			value = strings.TrimSpace(value)
			if value == "" {
				p.fault(line, restCol, "the list of allowed values has an empty entry")
			}
			c.values = append(c.values, value)
		}
	}
	p.model.Checks = append(p.model.Checks, c)
}

func (p *headerParser) number(line, col int, text string) *float64 {
	text = strings.TrimSpace(text)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x || x-x != 0 {
		p.fault(line, col, "%q is no number", text)
		return nil
	}
	return &x
}

// body reads the select and the audits; start is the number of header lines.
func (p *headerParser) body(start int) {
	var audit *Audit
	first := start
	finish := func(end int) {
		query := p.statement(first, end)
		if audit == nil {
			p.model.Select = query
		} else {
			audit.Query = query
			p.model.Audits = append(p.model.Audits, *audit)
		}
	}
	for i := start; i < len(p.lines); i++ {
		line := p.lines[i]
		if !strings.HasPrefix(line, "-- audit:") {
			continue
		}
		finish(i)
		first = i + 1
		audit = &Audit{Line: i + 1}
		m := auditForm.FindStringSubmatch(line)
		if m == nil || strings.TrimSpace(m[2]) == "" {
			p.fault(i+1, 1, `an audit opens with "-- audit: NAME: REASON"`)
			continue
		}
		audit.Name, audit.Reason = m[1], strings.TrimSpace(m[2])
		if !nameForm.MatchString(audit.Name) {
			p.fault(i+1, len("-- audit: ")+1, "%q is no audit name: lower-case letters, digits and underscores", audit.Name)
		} else if slices.ContainsFunc(p.model.Audits, func(a Audit) bool { return a.Name == audit.Name }) {
			p.fault(i+1, len("-- audit: ")+1, "audit %q is a duplicate", audit.Name)
		}
	}
	finish(len(p.lines))
}

// statement takes the lines from first up to end as one query and removes the semicolon that closes it.
func (p *headerParser) statement(first, end int) string {
	text := strings.TrimSpace(strings.Join(p.lines[first:end], "\n"))
	if text == "" {
		p.fault(first+1, 1, "a query is missing here")
		return ""
	}
	query, closed := strings.CutSuffix(text, ";")
	if !closed {
		last := end
		for last > first+1 && strings.TrimSpace(p.lines[last-1]) == "" {
			last--
		}
		p.fault(last, len(p.lines[last-1])+1, "the query must end with a semicolon")
	}
	return strings.TrimSpace(query)
}

// cross finds faults between the parts of the header.
func (p *headerParser) cross() {
	known := func(name string) bool {
		return slices.ContainsFunc(p.model.Columns, func(c Column) bool { return c.Name == name })
	}
	for _, name := range p.model.Key {
		if !known(name) {
			p.fault(p.line("key"), 1, "key column %q is not among the columns", name)
		}
	}
	for _, c := range p.model.Checks {
		if !known(c.Column) {
			p.fault(c.Line, 6, "checked column %q is not among the columns", c.Column)
		}
	}
	if slices.Contains(p.seen, "columns") && len(p.model.Columns) == 0 {
		p.fault(p.line("columns"), 1, "the header lists no columns")
	}
	if p.model.Name != "" && slices.Contains(p.model.Inputs, p.model.Name) {
		p.fault(p.line("inputs"), 1, "a model cannot be its own input")
	}
	if p.model.Name != "" && p.file != p.model.Name+".sql" {
		p.fault(p.line("model"), 1, "model %q must be in the file %s.sql", p.model.Name, p.model.Name)
	}
}

// line finds the line of a field of the header.
func (p *headerParser) line(field string) int {
	for i, line := range p.lines {
		if strings.HasPrefix(line, "-- "+field+":") {
			return i + 1
		}
	}
	return 1
}

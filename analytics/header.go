package analytics

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
)

// A Model is one SQL model: what its header says, its select and its audits.
type Model struct {
	Name    string   // name of the mart, which is also the name of the file
	What    string   // what the mart is, in one line
	Grain   string   // what one row is, in words
	Key     []string // columns that identify a row; no two rows agree in all of them and none of them is null
	Inputs  []string // base tables and models that the select reads
	Source  string   // table or figure of a paper
	Fold    string   // the big table that the select reduces; empty when the model reads none
	Compute string   // the computation that turns the rows of the select into those of the mart; empty when they are these
	Columns []Column // in the order of the mart, with those that the loader adds for intervals
	Checks  []Check
	Select  string // the one select, without a closing semicolon
	Audits  []Audit
	Text    string // the whole file

	intervals []interval
	like      *like
	domains   []data.Domain // for which lines are repeated; nil when the file has none to repeat
	keyLine   int
	foldLine  int
}

// A Column is a column of a mart.
type Column struct {
	Name string
	Type string // SQL type in upper case, as DuckDB names it
	Unit string // unit of the numbers, such as percent or count; empty when there is none
	What string // meaning
	Was  string // the name that the column had before; views give it as another column for one version; empty when it has no such name

	merge string // how the values of two units become one: max, min, or a sum when empty
	made  string // SQL that makes the column of others; empty when the select gives it
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

// A like names a model whose columns, with their types, units and meanings, a model has too.
type like struct {
	model     string
	only      []string // those columns alone; all when empty
	except    []string // all but those
	line, col int
}

// A HeaderError is one fault of a model's file.
type HeaderError struct {
	File    string
	Line    int // from 1
	Col     int // from 1
	Message string
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Message)
}

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	rangeForm = regexp.MustCompile(`^(-?[0-9.]+)\.\.(-?[0-9.]+)?$`)
	auditForm = regexp.MustCompile(`^-- audit: ([^:]*)(?::(.*))?$`)
)

// headerFields are the fields of a header. All but the last ones are required.
var headerFields = []string{"model", "what", "grain", "key", "inputs", "source", "columns", "intervals", "fold", "compute"}

const requiredFields = 7

// knownTypes are the column types that a mart may have; a list of any of them and exact decimals are allowed too.
var knownTypes = []string{"VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP WITH TIME ZONE"}

// typeNames maps the spellings of headers to DuckDB's names where they differ.
var typeNames = map[string]string{"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}

// maxHeader bounds the text of a header.
const maxHeader = 256 << 10

// headerParser reads one file and gathers all of its faults.
type headerParser struct {
	file   string
	model  Model
	faults []error
	lines  []string // of the file, those of the domains repeated
	at     []int    // for each of them, its line in the file, from 1
	seen   []string
}

func (p *headerParser) fault(line, col int, format string, args ...any) {
	p.faults = append(p.faults, &HeaderError{p.file, line, col, fmt.Sprintf(format, args...)})
}

// ParseModel reads the text of a model's file. The header is YAML in a block of comment lines at the very top; then comes one
// select that ends with a semicolon, then any number of audits. Lines of {domain} are repeated for the given domains, the published ones
// when none is given. A file without a whole header is refused: the error joins one HeaderError for each fault.
func ParseModel(file, text string, domains ...data.Domain) (Model, error) {
	p := &headerParser{file: file, model: Model{Text: text}}
	if !utf8.ValidString(text) {
		p.fault(1, 1, "the file is not UTF-8 text")
		return Model{}, joinFaults(p.faults)
	}
	if !strings.HasPrefix(text, "-- model:") {
		p.fault(1, 1, `no header: the first line must be "-- model: NAME"`)
		return Model{}, joinFaults(p.faults)
	}
	if len(domains) == 0 {
		domains = data.CaptionQA().Domains
	}
	p.lines = strings.Split(text, "\n")
	for i := range p.lines {
		p.at = append(p.at, i+1)
	}
	for _, r := range []repetition{domainLines(domains), dimensionLines()} {
		p.lines, p.at = r.lines(p.lines, p.at)
	}
	if repeats(text) {
		p.model.domains = domains
	}
	end := p.header()
	p.body(end)
	if p.model.like == nil {
		p.faults = append(p.faults, p.model.finish()...)
	}
	if len(p.faults) > 0 {
		return Model{}, joinFaults(p.faults)
	}
	return p.model, nil
}

// header reads the comment block and returns the number of its lines.
func (p *headerParser) header() int {
	var text strings.Builder
	end := 0
	for ; end < len(p.lines) && strings.HasPrefix(p.lines[end], "--"); end++ {
		line := p.lines[end]
		if line != "--" && !strings.HasPrefix(line, "-- ") {
			p.fault(p.at[end], 3, "a blank belongs after the dashes of a header line")
			return end
		}
		text.WriteString(strings.TrimPrefix(line[2:], " ") + "\n")
	}
	root, err := parseYAML([]byte(text.String()))
	if err != nil {
		line, col, message := yamlPlace(err)
		p.fault(p.at[min(max(line, 1), end)-1], col+3, "%s", message)
		return end
	}
	for _, entry := range p.entries(root) {
		p.field(entry.Key, entry.Value)
	}
	for _, field := range headerFields[:requiredFields] {
		if !slices.Contains(p.seen, field) {
			p.fault(p.at[end-1]+1, 1, "the header has no field %q", field)
		}
	}
	return end
}

// parseYAML parses a document. The library panics at some malformed ones.
func parseYAML(content []byte) (root ast.Node, err error) {
	if err := data.CheckYAML(content, maxHeader); err != nil {
		return nil, err
	}
	defer func() {
		if recover() != nil {
			err = errors.New("this YAML cannot be read")
		}
	}()
	file, err := parser.ParseBytes(content, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, errors.New("a header is one YAML document")
	}
	return file.Docs[0].Body, nil
}

// yamlPlace is where and why a document was refused.
func yamlPlace(err error) (line, col int, message string) {
	var fault *data.YAMLFault
	if errors.As(err, &fault) {
		return fault.Line, fault.Col, fault.Message
	}
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		at := located.GetToken().Position
		return at.Line, at.Column, located.GetMessage()
	}
	return 1, 1, err.Error()
}

// place is where a node is in the file.
func (p *headerParser) place(n ast.Node) (line, col int) {
	at := n.GetToken().Position
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		at = m.Values[0].Key.GetToken().Position
	}
	return p.at[min(max(at.Line, 1), len(p.at))-1], at.Column + 3
}

// wrong reports a fault at a node.
func (p *headerParser) wrong(n ast.Node, format string, args ...any) {
	line, col := p.place(n)
	p.fault(line, col, format, args...)
}

// entries are those of a mapping; none, with a fault, of anything else.
func (p *headerParser) entries(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	p.wrong(n, "entries of the form NAME: ... belong here")
	return nil
}

// text is a scalar's, on one line.
func (p *headerParser) text(n ast.Node) string {
	text := ""
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	case ast.ScalarNode:
		text = n.GetToken().Value
	default:
		p.wrong(n, "a text belongs here")
		return ""
	}
	return strings.Join(strings.Fields(unmarkDomain(text, p.model.domains)), " ")
}

func (p *headerParser) field(key ast.MapKeyNode, value ast.Node) {
	name := key.GetToken().Value
	if !slices.Contains(headerFields, name) {
		p.wrong(key, "unknown field %q: a header has %s", name, strings.Join(headerFields, ", "))
		return
	}
	p.seen = append(p.seen, name)
	if _, empty := value.(*ast.NullNode); empty {
		p.wrong(key, "field %q is empty", name)
		return
	}
	m := &p.model
	switch name {
	case "model":
		m.Name = p.text(value)
		if !nameForm.MatchString(m.Name) {
			p.wrong(value, "%q is not a model name: lower-case letters, digits and underscores", m.Name)
		} else if p.file != m.Name+".sql" {
			p.wrong(value, "model %q must be in the file %s.sql", m.Name, m.Name)
		}
	case "what":
		m.What = p.text(value)
	case "grain":
		m.Grain = p.text(value)
	case "source":
		m.Source = p.text(value)
	case "fold":
		m.Fold = p.text(value)
		m.foldLine, _ = p.place(key)
	case "compute":
		m.Compute = p.text(value)
		if _, ok := computations[m.Compute]; !ok {
			p.wrong(value, "there is no computation %q", m.Compute)
		}
	case "key":
		m.Key = p.names(value)
		m.keyLine, _ = p.place(key)
	case "inputs":
		m.Inputs = p.names(value)
		if slices.Contains(m.Inputs, m.Name) {
			p.wrong(value, "a model cannot be its own input")
		}
	case "columns":
		for _, entry := range p.entries(value) {
			p.column(entry)
		}
	case "intervals":
		for _, entry := range p.entries(value) {
			p.interval(entry)
		}
	}
}

// names reads a list of names.
func (p *headerParser) names(n ast.Node) []string {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		p.wrong(n, "a list of names belongs here: [NAME, NAME]")
		return nil
	}
	var names []string
	for _, v := range list.Values {
		switch name := p.text(v); {
		case !nameForm.MatchString(name):
			p.wrong(v, "%q is not a name: lower-case letters, digits and underscores", name)
		case slices.Contains(names, name):
			p.wrong(v, "%q is a duplicate", name)
		default:
			names = append(names, name)
		}
	}
	return names
}

// column reads one column: NAME: [TYPE, UNIT, RULES, MEANING]. Rules are not null, a range LOW..HIGH or LOW.., a list of the allowed
// values, and was: OLD_NAME. The unit and the rules may be missing, and the meaning after a list that says it all.
func (p *headerParser) column(entry *ast.MappingValueNode) {
	name := entry.Key.GetToken().Value
	line, _ := p.place(entry.Key)
	if name == "like" {
		p.like(entry)
		return
	}
	if !nameForm.MatchString(name) {
		p.wrong(entry.Key, "%q is not a column name: lower-case letters, digits and underscores", name)
	}
	if slices.ContainsFunc(p.model.Columns, func(o Column) bool { return o.Name == name }) {
		p.wrong(entry.Key, "column %q is a duplicate", name)
	}
	list, ok := entry.Value.(*ast.SequenceNode)
	if !ok || len(list.Values) < 2 {
		p.wrong(entry.Key, "a column is NAME: [TYPE, UNIT, RULES, MEANING]; the unit and the rules may be missing")
		return
	}
	c := Column{Name: name, Type: p.columnType(list.Values[0])}
	rules := list.Values[1:]
	if last, ok := rules[len(rules)-1].(*ast.SequenceNode); ok {
		c.What = p.alternatives(last)
	} else {
		c.What = p.text(rules[len(rules)-1])
		rules = rules[:len(rules)-1]
	}
	for i, v := range rules {
		check := Check{Column: name, Line: line}
		switch v.(type) {
		case *ast.MappingNode, *ast.MappingValueNode:
			p.more(v, &c)
			continue
		}
		if allowed, ok := v.(*ast.SequenceNode); ok {
			for _, value := range allowed.Values {
				check.values = append(check.values, p.text(value))
			}
			check.Text = fmt.Sprintf("%s in %s", name, strings.Join(check.values, ", "))
			if len(check.values) == 0 {
				p.wrong(v, "the list of allowed values is empty")
			}
			p.model.Checks = append(p.model.Checks, check)
			continue
		}
		text := p.text(v)
		check.Text = name + " " + text
		if m := rangeForm.FindStringSubmatch(text); m != nil {
			check.low, check.high = p.number(v, m[1]), p.number(v, m[2])
			if check.low != nil && check.high != nil && *check.low > *check.high {
				p.wrong(v, "the range %s holds nothing", text)
			}
		} else if text == "not null" {
			check.notNull = true
		} else if i == 0 && nameForm.MatchString(text) {
			c.Unit = text
			continue
		} else {
			p.wrong(v, "%q is neither a unit nor a rule: a rule is not null, LOW..HIGH, LOW.. or a list of the allowed values", text)
		}
		p.model.Checks = append(p.model.Checks, check)
	}
	p.model.Columns = append(p.model.Columns, c)
}

// more reads was: NAME and merge: max or min.
func (p *headerParser) more(n ast.Node, c *Column) {
	for _, entry := range p.entries(n) {
		switch key := entry.Key.GetToken().Value; key {
		case "was":
			if c.Was = p.text(entry.Value); !nameForm.MatchString(c.Was) {
				p.wrong(entry.Value, "%q is not a column name: lower-case letters, digits and underscores", c.Was)
			}
		case "merge":
			if c.merge = p.text(entry.Value); c.merge != "max" && c.merge != "min" {
				p.wrong(entry.Value, "%q is not max or min", c.merge)
			}
		default:
			p.wrong(entry.Key, "unknown entry %q: a column has was: NAME, and merge: max or min", key)
		}
	}
}

// alternatives words a list of allowed values, which needs no other meaning: a, b or c.
func (p *headerParser) alternatives(list *ast.SequenceNode) string {
	var values []string
	for _, v := range list.Values {
		values = append(values, p.text(v))
	}
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

var decimalType = regexp.MustCompile(`^DECIMAL\([0-9]+,[0-9]+\)$`)

func (p *headerParser) columnType(n ast.Node) string {
	text := p.text(n)
	element, list := strings.CutSuffix(strings.ToUpper(text), "[]")
	if full, ok := typeNames[element]; ok {
		element = full
	}
	if !slices.Contains(knownTypes, element) && !decimalType.MatchString(element) {
		p.wrong(n, "unknown type %q", text)
	}
	if list {
		return element + "[]"
	}
	return element
}

func (p *headerParser) number(n ast.Node, text string) *float64 {
	if text == "" {
		return nil
	}
	x := number(text)
	if x == nil {
		p.wrong(n, "%q is not a number", text)
	}
	return x
}

// like reads which model's columns a model has: like: MODEL, or like: {model: MODEL, only: [...]} or {model: MODEL, except: [...]}.
func (p *headerParser) like(entry *ast.MappingValueNode) {
	l := &like{}
	l.line, l.col = p.place(entry.Key)
	if _, scalar := entry.Value.(ast.ScalarNode); scalar {
		l.model = p.text(entry.Value)
	} else {
		for _, e := range p.entries(entry.Value) {
			switch key := e.Key.GetToken().Value; key {
			case "model":
				l.model = p.text(e.Value)
			case "only":
				l.only = p.names(e.Value)
			case "except":
				l.except = p.names(e.Value)
			default:
				p.wrong(e.Key, "unknown entry %q: like has model, only and except", key)
			}
		}
	}
	if len(p.model.Columns) > 0 {
		p.wrong(entry.Key, "like must be the first of the columns")
	}
	p.model.like = l
}

// copyColumns gives a model the columns of the model that it is like.
func (m *Model) copyColumns(from Model) []error {
	l := m.like
	fault := func(format string, args ...any) []error {
		return []error{&HeaderError{m.Name + ".sql", l.line, l.col, fmt.Sprintf(format, args...)}}
	}
	names := map[string]bool{}
	var columns []Column
	for _, c := range from.Columns {
		names[c.Name] = true
		own := slices.ContainsFunc(m.Columns, func(o Column) bool { return o.Name == c.Name })
		if !own && (l.only == nil || slices.Contains(l.only, c.Name)) && !slices.Contains(l.except, c.Name) {
			c.made = ""
			columns = append(columns, c)
		}
	}
	for _, name := range slices.Concat(l.only, l.except) {
		if !names[name] {
			return fault("%s has no column %q", from.Name, name)
		}
	}
	m.Columns, m.like = append(columns, m.Columns...), nil
	return m.finish()
}

// finish adds the columns of the intervals and finds faults between the parts of the header.
func (m *Model) finish() []error {
	faults := append(m.addIntervals(), m.checkFold()...)
	for _, name := range m.Key {
		if !slices.ContainsFunc(m.Columns, func(c Column) bool { return c.Name == name }) {
			faults = append(faults, &HeaderError{m.Name + ".sql", max(m.keyLine, 1), 1, fmt.Sprintf("key column %q is not among the columns", name)})
		}
	}
	names := map[string]bool{}
	for _, c := range m.Columns {
		names[c.Name] = true
	}
	for _, c := range m.Columns {
		if c.Was != "" && names[c.Was] {
			faults = append(faults, &HeaderError{m.Name + ".sql", max(m.keyLine, 1), 1, fmt.Sprintf("%s was %q, which is a column", c.Name, c.Was)})
		}
		names[c.Was] = true
	}
	return faults
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
		line, at := p.lines[i], p.at[i]
		if !strings.HasPrefix(line, "-- audit:") {
			continue
		}
		finish(i)
		first = i + 1
		audit = &Audit{Line: at}
		m := auditForm.FindStringSubmatch(line)
		if m == nil || strings.TrimSpace(m[2]) == "" {
			p.fault(at, 1, `an audit opens with "-- audit: NAME: REASON"`)
			continue
		}
		audit.Name, audit.Reason = m[1], strings.TrimSpace(m[2])
		if !nameForm.MatchString(audit.Name) {
			p.fault(at, len("-- audit: ")+1, "%q is not an audit name: lower-case letters, digits and underscores", audit.Name)
		} else if slices.ContainsFunc(p.model.Audits, func(a Audit) bool { return a.Name == audit.Name }) {
			p.fault(at, len("-- audit: ")+1, "audit %q is a duplicate", audit.Name)
		}
	}
	finish(len(p.lines))
}

// statement takes the lines from first up to end as one query and removes the semicolon that closes it.
func (p *headerParser) statement(first, end int) string {
	text := strings.TrimSpace(strings.Join(p.lines[first:end], "\n"))
	if text == "" {
		p.fault(p.at[min(first, len(p.at)-1)], 1, "a query is missing here")
		return ""
	}
	query, closed := strings.CutSuffix(text, ";")
	if !closed {
		last := end
		for last > first+1 && strings.TrimSpace(p.lines[last-1]) == "" {
			last--
		}
		p.fault(p.at[last-1], len(p.lines[last-1])+1, "the query must end with a semicolon")
	}
	return strings.TrimSpace(query)
}

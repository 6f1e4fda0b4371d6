package analytics

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

var (
	nameForm    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	rangeForm   = regexp.MustCompile(`^(-?[0-9.]+)\.\.(-?[0-9.]+)?$`)
	auditForm   = regexp.MustCompile(`(?m)^-- audit:(.*)\n`)
	decimalType = regexp.MustCompile(`^DECIMAL\([0-9]+,[0-9]+\)$`)
)

// maxHeader bounds a header in bytes.
const maxHeader = 1 << 20

// knownTypes are the column types that a mart may have; a list of any of them and exact decimals are allowed too.
var knownTypes = []string{"VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP WITH TIME ZONE"}

// A header is the YAML in the comment lines at the top of a model's file. All fields but the last ones are required.
type header struct {
	Model, What, Grain string
	Key, Inputs        []string
	Source             string
	Columns            []data.YAMLEntry // NAME: [TYPE, UNIT, RULES, MEANING], and like
	Intervals          []data.YAMLEntry // NAME, NAME: METHOD(ARGUMENTS); NOTE
	Fold, Counts       string
	Compute            string
}

// headerParser reads one file and gathers its faults.
type headerParser struct {
	model  Model
	faults []error
}

func (p *headerParser) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf(format, args...))
}

// ParseModel reads the text of a model's file. The header is YAML in a block of comment lines at the very top; then comes one
// select that ends with a semicolon, then any number of audits. Lines of {domain} are repeated for the given domains, the published ones
// when none is given. A file without a whole header is refused: the error joins all faults.
func ParseModel(file, text string, domains ...data.Domain) (Model, error) {
	p := &headerParser{model: Model{File: file, Text: text}}
	if len(domains) == 0 {
		domains = data.CaptionQA().Domains
	}
	if repeats(text) {
		p.model.domains = domains
	}
	lines := strings.Split(text, "\n")
	for _, r := range []repetition{domainLines(domains), dimensionLines(), metricLines()} {
		lines = r.lines(lines)
	}
	var comment strings.Builder
	end := 0
	for ; end < len(lines) && strings.HasPrefix(lines[end], "--"); end++ {
		comment.WriteString(strings.TrimPrefix(lines[end][2:], " ") + "\n")
	}
	var h header
	if _, err := data.ReadYAML(file, []byte(comment.String()), maxHeader, &h); err != nil {
		return Model{}, err
	}
	p.header(file, h)
	p.body(strings.Join(lines[end:], "\n"))
	if p.model.like == nil {
		p.faults = append(p.faults, p.model.finish()...)
	}
	if len(p.faults) > 0 {
		return Model{}, fmt.Errorf("%s: %w", file, errors.Join(p.faults...))
	}
	return p.model, nil
}

func (p *headerParser) header(file string, h header) {
	m := &p.model
	m.Name, m.What, m.Grain, m.Source = h.Model, p.text(h.What), p.text(h.Grain), p.text(h.Source)
	m.Key, m.Inputs, m.Fold, m.Counts, m.Compute = h.Key, h.Inputs, h.Fold, h.Counts, h.Compute
	if m.What == "" || m.Grain == "" || m.Source == "" || len(m.Key) == 0 || len(m.Inputs) == 0 || len(h.Columns) == 0 {
		p.fault("a header has model, what, grain, key, inputs, source and columns")
	}
	if path.Base(file) != m.Name+".sql" {
		p.fault("model %q must be in the file %s.sql", m.Name, m.Name)
	}
	for _, name := range slices.Concat(m.Key, m.Inputs) {
		if !nameForm.MatchString(name) {
			p.fault("%q is not a name: lower-case letters, digits and underscores", name)
		}
	}
	if slices.Contains(m.Inputs, m.Name) {
		p.fault("a model cannot be its own input")
	}
	if _, ok := computations[m.Compute]; !ok && m.Compute != "" {
		p.fault("there is no computation %q", m.Compute)
	}
	for i, entry := range h.Columns {
		if name := fmt.Sprint(entry.Key); name != "like" {
			p.column(name, entry.Value)
		} else if i == 0 {
			p.like(entry.Value)
		} else {
			p.fault("like must be the first of the columns")
		}
	}
	for _, entry := range h.Intervals {
		p.interval(fmt.Sprint(entry.Key), p.text(entry.Value))
	}
}

// text is a value on one line, with the names of the domains.
func (p *headerParser) text(v any) string {
	return strings.Join(strings.Fields(unmarkDomain(fmt.Sprint(v), p.model.domains)), " ")
}

// column reads one column: NAME: [TYPE, UNIT, RULES, MEANING]. Rules are not null, a range LOW..HIGH or LOW.., a list of the allowed
// values, merge: max or min, and of: SQL. The unit and the rules may be missing, and the meaning after a list that says it all.
func (p *headerParser) column(name string, value any) {
	rules, _ := value.([]any)
	if !nameForm.MatchString(name) || len(rules) < 2 {
		p.fault("column %s: a column is NAME: [TYPE, UNIT, RULES, MEANING]; the unit and the rules may be missing", name)
		return
	}
	c := Column{Name: name, Type: strings.ToUpper(p.text(rules[0]))}
	if c.Type == "TIMESTAMPTZ" {
		c.Type = "TIMESTAMP WITH TIME ZONE"
	}
	if element := strings.TrimSuffix(c.Type, "[]"); !slices.Contains(knownTypes, element) && !decimalType.MatchString(element) {
		p.fault("column %s: unknown type %q", name, c.Type)
	}
	rules = rules[1:]
	if last, ok := rules[len(rules)-1].([]any); ok {
		c.What = alternatives(p.texts(last))
	} else {
		c.What = p.text(rules[len(rules)-1])
		rules = rules[:len(rules)-1]
	}
	for i, rule := range rules {
		check := Check{Column: name}
		switch rule := rule.(type) {
		case []data.YAMLEntry:
			p.more(rule, &c)
			continue
		case []any:
			check.values = p.texts(rule)
			check.Text = name + " in " + strings.Join(check.values, ", ")
		default:
			text := p.text(rule)
			check.Text = name + " " + text
			if m := rangeForm.FindStringSubmatch(text); m != nil {
				check.low, check.high = number(m[1]), number(m[2])
				if check.low == nil || m[2] != "" && (check.high == nil || *check.low > *check.high) {
					p.fault("column %s: the range %s holds nothing", name, text)
				}
			} else if text == "not null" {
				check.notNull = true
			} else if i == 0 && nameForm.MatchString(text) {
				c.Unit = text
				continue
			} else {
				p.fault("column %s: %q is neither a unit nor a rule: a rule is not null, LOW..HIGH, LOW.. or a list of the allowed values", name, text)
			}
		}
		p.model.Checks = append(p.model.Checks, check)
	}
	p.model.Columns = append(p.model.Columns, c)
}

func (p *headerParser) texts(list []any) (texts []string) {
	for _, v := range list {
		texts = append(texts, p.text(v))
	}
	return texts
}

// more reads merge: max or min, and of: SQL.
func (p *headerParser) more(entries []data.YAMLEntry, c *Column) {
	for _, entry := range entries {
		switch value := p.text(entry.Value); {
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

// like reads which model's columns a model has: like: MODEL, or like: {model: MODEL, only: [...]} or {model: MODEL, except: [...]}.
func (p *headerParser) like(value any) {
	p.model.like = &like{}
	entries, ok := value.([]data.YAMLEntry)
	if !ok {
		p.model.like.model = p.text(value)
	}
	for _, entry := range entries {
		list, _ := entry.Value.([]any)
		switch entry.Key {
		case "model":
			p.model.like.model = p.text(entry.Value)
		case "only":
			p.model.like.only = p.texts(list)
		case "except":
			p.model.like.except = p.texts(list)
		default:
			p.fault("unknown entry %q: like has model, only and except", entry.Key)
		}
	}
}

// body reads the select and the audits.
func (p *headerParser) body(text string) {
	starts := auditForm.FindAllStringSubmatchIndex(text, -1)
	query := func(from, i int) string {
		to := len(text)
		if i < len(starts) {
			to = starts[i][0]
		}
		q, closed := strings.CutSuffix(strings.TrimSpace(text[from:to]), ";")
		if !closed {
			p.fault("a query that ends with a semicolon is missing after %q", strings.TrimSpace(text[max(from-40, 0):from]))
		}
		return strings.TrimSpace(q)
	}
	p.model.Select = query(0, 0)
	for i, at := range starts {
		name, reason, _ := strings.Cut(text[at[2]:at[3]], ":")
		a := Audit{Name: strings.TrimSpace(name), Reason: strings.TrimSpace(reason), Query: query(at[1], i+1)}
		if !nameForm.MatchString(a.Name) || a.Reason == "" || slices.ContainsFunc(p.model.Audits, func(o Audit) bool { return a.Name == o.Name }) {
			p.fault(`audit %q: an audit opens with "-- audit: NAME: REASON", and each has its own name`, a.Name)
		}
		p.model.Audits = append(p.model.Audits, a)
	}
}

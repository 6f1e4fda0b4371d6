package analytics

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/captionlake/captionlake/data"
)

var (
	nameForm  = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	rangeForm = regexp.MustCompile(`^(-?[0-9.]+)\.\.(-?[0-9.]+)?$`)
	auditForm = regexp.MustCompile(`^-- audit: ([^:]*)(?::(.*))?$`)
)

// headerFields are the fields of a header. All but the last ones are required.
var headerFields = []string{"model", "what", "grain", "key", "inputs", "source", "columns", "intervals", "fold", "counts", "by", "compute"}

const requiredFields = 7

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
	for _, r := range []repetition{domainLines(domains), dimensionLines(), metricLines()} {
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
	case "counts":
		m.Counts = p.text(value)
		m.foldLine, _ = p.place(key)
	case "by":
		m.By = p.names(value)
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

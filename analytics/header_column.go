package analytics

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// knownTypes are the column types that a mart may have; a list of any of them and exact decimals are allowed too.
var knownTypes = []string{"VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP WITH TIME ZONE"}

// typeNames maps the spellings of headers to DuckDB's names where they differ.
var typeNames = map[string]string{"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}

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

// more reads was: NAME, merge: max or min, and of: SQL.
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
		case "of":
			c.made = p.text(entry.Value)
		default:
			p.wrong(entry.Key, "unknown entry %q: a column has was: NAME, merge: max or min, and of: SQL", key)
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

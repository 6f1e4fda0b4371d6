package analytics

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
)

// maxHeader bounds the text of a header.
const maxHeader = 256 << 10

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
